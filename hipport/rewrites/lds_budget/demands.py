"""What kernels, launches and opt-ins ask for, against the LDS of a block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import calls, lds
from hipport.frontend.branches import Side
from hipport.frontend.launches import constant_at, expression_at
from hipport.model import Safety
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.lds_budget import fit
from hipport.targets import Vendor, load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.closure import Closure
    from hipport.frontend.launches import Launch
    from hipport.frontend.lds import Held
    from hipport.frontend.unit import Unit
    from hipport.model import Edit, Finding
    from hipport.targets import Target

ID = "lds-budget"
_OPT_IN = re.compile(rb"(?<!\w)(?:cuda|cu|hip)FuncSetAttribute(?!\w)")
_LAUNCH = {"LaunchKernel": 4, "LaunchCooperativeKernel": 4}  # which argument is the dynamic LDS (CUDA Runtime API)
_DRIVER = {"LaunchKernel": 7, "LaunchCooperativeKernel": 7}  # CUDA Driver API
_CALLED = re.compile(rb"(?<!\w)(?:cuda|cu)Launch(?:Cooperative)?Kernel(?!\w)")
_FIELD = re.compile(rb"\.\s*(?:dynamicSmemBytes|sharedMemBytes)\s*=(?!=)\s*([^;{}]*);")
_DYNAMIC = re.compile(r"MaxDynamicSharedMemorySize|MAX_DYNAMIC_SHARED_SIZE_BYTES")


def find(unit: Unit, target: Target) -> Iterator[Finding]:
    """Kernels and opt-ins of a file that ask for more than a block may have on a target."""
    if not fit.room(target):
        return
    for closure in unit.closures:
        yield from _kernel(unit, target, closure, lds.of_kernel(unit, closure))
    yield from _opt_ins(unit, target, {closure.kernel: closure for closure in unit.closures})
    for place, said in _demands(unit):
        wanted = constant_at(unit.text, unit.macros, unit.text.word(*place), place[0])
        if wanted is not None and wanted > fit.room(target) and unit.live(place[0]):
            tile = fit.Sizes(unit, None, unit.text.word(*place)).advice(wanted)
            yield _over(unit, target, place, f"{said} asks for {wanted} bytes of LDS", ["dynamic"], wanted, tile)


def _demands(unit: Unit) -> Iterator[tuple[tuple[int, int], str]]:
    """Where a launch that is no `<<<>>>` says how much LDS it wants, and what says so."""
    for site in calls.find(unit.text, _CALLED):
        runtime = site.name.startswith("cuda")
        at = (_LAUNCH if runtime else _DRIVER)[site.name.removeprefix("cuda" if runtime else "cu")]
        if len(site.arguments) > at:
            yield site.arguments[at], f"`{site.name}`"
    for match in _FIELD.finditer(unit.text.code):
        yield unit.text.strip(*match.span(1)), "a launch"


def _kernel(unit: Unit, target: Target, closure: Closure, held: Held) -> Iterator[Finding]:
    if held.size > target.lds_bytes and all(unit.live(a.start) for a in held.arrays[:1] if a.at >= 0):
        first = next((a for a in held.arrays if a.at >= 0), None)
        place = (first.start, first.end) if first is not None else (closure.start, closure.start + 1)
        if first is not None or closure.path == unit.path:
            tile = fit.Sizes(unit, closure).advice(held.size)
            what = f"`{closure.kernel}` declares {held.size} bytes of LDS"
            yield _over(unit, target, place, what, _parts(unit, held), held.size, tile)
        return
    told: set[tuple[str, int]] = set()
    for launch in closure.launches:
        if launch.path != unit.path or not unit.live(launch.start):
            continue
        most = max(lds.at_launch(unit, closure, launch), key=lambda instance: instance.size)
        total = most.size + (launch.lds or 0)
        elsewhere = closure.path != unit.path and "<" not in most.label  # told where it is defined
        if total <= fit.room(target) or (not launch.lds and (elsewhere or (most.label, total) in told)):
            continue
        told.add((most.label, total))
        yield _of_launch(unit, target, closure, launch, most)


def _of_launch(unit: Unit, target: Target, closure: Closure, launch: Launch, held: Held) -> Finding:
    total = held.size + (launch.lds or 0)
    said = unit.text.word(*launch.config[2]) if launch.lds else ""
    dynamic = expression_at(unit.text, said, launch.start) if unit.macros.value(said) is None else said
    tile = fit.Sizes(unit, closure, dynamic, lds.bound(unit, closure, held.label)).advice(total)
    if not launch.lds:
        place = (launch.start, launch.start + len(closure.kernel))
        return _over(unit, target, place, f"`{held.label}` needs {total} bytes of LDS", _parts(unit, held), total, tile)
    what = f"a launch of `{held.label}` needs {total} bytes of LDS"
    parts = [f"{launch.lds} at the launch", *_parts(unit, held)]
    return _over(unit, target, launch.config[2], what, parts, total, tile)


def _parts(unit: Unit, held: Held) -> list[str]:
    """The largest arrays, with their lines where they stand in this file."""
    lines = [f" (line {unit.text.line(a.start)})" if a.at >= 0 else "" for a in held.arrays]
    return [f"`{a.name}` {a.size}{line}" for a, line in zip(held.arrays, lines, strict=True)][:4]


def _over(
    unit: Unit, target: Target, place: tuple[int, int], what: str, parts: list[str], total: int, tile: str = ""
) -> Finding:
    limit = fit.room(target)
    return finding(
        unit,
        ID,
        place,
        f"{what} ({' + '.join(parts)}): {target.name} has {limit} for a block",
        safety=Safety.MANUAL,
        next_step=f"{_room(total)}; {tile or 'choose a smaller tile for the others'}, by "
        "hipDeviceAttributeMaxSharedMemoryPerBlock",
        family="lds",
    )


def _room(total: int) -> str:
    """Which AMD targets have that many bytes for a block."""
    known = [t for t in load().values() if t.vendor is Vendor.AMD and t.knows("lds_max_per_block_static_bytes")]
    fit = [f"{t.name} ({t.lds_bytes})" for t in known if t.lds_bytes >= total]
    return f"it fits {', '.join(fit)}" if fit else "it fits no AMD target"


def _opt_ins(unit: Unit, target: Target, closures: dict[str, Closure]) -> Iterator[Finding]:
    for site in calls.find(unit.text, _OPT_IN):
        if len(site.arguments) != 3 or not unit.live(site.start):
            continue
        kernel, attribute, size = site.arguments
        if not _DYNAMIC.search(unit.text.word(*attribute)):
            continue
        name = re.search(r"([A-Za-z_]\w*)\s*(?:<.*>)?\s*\)*\Z", unit.text.word(*kernel), re.DOTALL)
        known = closures.get(name[1] if name else "")
        static = max(held.size for held in lds.named(unit, known, *kernel)) if known is not None else 0
        wanted = constant_at(unit.text, unit.macros, unit.text.word(*size), site.start)
        if wanted is not None and wanted + static > fit.room(target):
            edits = _clamped(unit, kernel, size)
            tile = fit.Sizes(unit, known, unit.text.word(*size)).advice(wanted + static)
            beside = f" beside {static} in arrays" if static else ""
            said = f"`{site.name}` asks for {wanted} bytes of LDS and fails with hipErrorInvalidValue"
            yield finding(
                unit,
                ID,
                size,
                f"{said}: {target.name} has {fit.room(target) - static}{beside}",
                edits=edits,
                safety=Safety.REVIEW if edits else Safety.MANUAL,
                next_step="; ".join(part for part in (_room(wanted + static), tile) if part)
                + "; AMD needs no opt-in, and none lifts the limit"
                + (": asked for as far as the device goes, launches with more fail" if edits else ""),
                shims=("lds_limit",) if edits else (),
                family="lds",
            )


def _clamped(unit: Unit, kernel: tuple[int, int], size: tuple[int, int]) -> tuple[Edit, ...]:
    """The edit that asks for no more than the device has; none where the kernel is no plain name."""
    name = unit.text.data[kernel[0] : kernel[1]].decode("utf-8", "replace")
    if not re.fullmatch(r"&?\s*(?:\(\s*(?:const\s+)?void\s*\*\s*\)\s*)?&?\s*[\w:]+(?:<[^;{}()]*>)?", name):
        return ()
    if unit.branches.at(size[0]) is not Side.BOTH or b"hipport::" in unit.text.data:
        return ()
    wanted = unit.text.data[size[0] : size[1]].decode("utf-8", "replace")
    return (edit(unit, *size, f"hipport::lds_fit({name}, {wanted})".encode()),)

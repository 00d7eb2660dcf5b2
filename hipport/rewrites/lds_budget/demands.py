"""What kernels, launches and opt-ins ask for, against the LDS of a block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import calls, shared
from hipport.frontend.branches import Side
from hipport.frontend.launches import constant_at
from hipport.model import Safety
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.lds_budget import fit
from hipport.targets import Vendor, load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.closure import Closure
    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.shared import SharedArray
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
    arrays = {f.start: tuple(a for a in shared.find(unit.text, unit.macros, f)) for f in unit.functions}
    fixed = {c.kernel: _fixed(unit, c, arrays) for c in unit.closures}
    for closure in unit.closures:
        yield from _kernel(unit, target, closure, fixed[closure.kernel])
        yield from _instances(unit, target, closure, fixed[closure.kernel])
    yield from _opt_ins(unit, target, fixed)
    for place, said in _demands(unit):
        wanted = constant_at(unit.text, unit.macros, unit.text.word(*place), place[0])
        if wanted is not None and wanted > fit.room(target) and unit.live(place[0]):
            yield _over(unit, target, place, f"{said} asks for {wanted} bytes of LDS", ["dynamic"], wanted)


def _demands(unit: Unit) -> Iterator[tuple[tuple[int, int], str]]:
    """Where a launch that is no `<<<>>>` says how much LDS it wants, and what says so."""
    for site in calls.find(unit.text, _CALLED):
        runtime = site.name.startswith("cuda")
        at = (_LAUNCH if runtime else _DRIVER)[site.name.removeprefix("cuda" if runtime else "cu")]
        if len(site.arguments) > at:
            yield site.arguments[at], f"`{site.name}`"
    for match in _FIELD.finditer(unit.text.code):
        yield unit.text.strip(*match.span(1)), "a launch"


def _fixed(unit: Unit, closure: Closure, arrays: dict[int, tuple[SharedArray, ...]]) -> tuple[SharedArray, ...]:
    """The arrays of known size that a kernel and what it reaches in this file declare, largest first.

    Of arrays with one name in one function, which are the branches of a condition, the largest counts.
    """
    found: dict[tuple[int, str], SharedArray] = {}
    for path, start in closure.functions:
        for array in arrays.get(start, ()) if path == unit.path else ():
            before = found.get((start, array.name))
            if array.size and unit.compiled(array.start) and (before is None or (before.size or 0) < array.size):
                found[start, array.name] = array
    return tuple(sorted(found.values(), key=lambda a: (-(a.size or 0), a.start)))


def _kernel(unit: Unit, target: Target, closure: Closure, fixed: tuple[SharedArray, ...]) -> Iterator[Finding]:
    static = sum(a.size or 0 for a in fixed)
    parts = [f"`{a.name}` {a.size} (line {unit.text.line(a.start)})" for a in fixed[:4]]
    if static > target.lds_bytes and unit.live(fixed[0].start):
        place = (fixed[0].start, fixed[0].end)
        tile = fit.advice(unit, _members(unit, closure), "", static)
        yield _over(unit, target, place, f"`{closure.kernel}` declares {static} bytes of LDS", parts, static, tile)
        return
    for launch in closure.launches:
        if launch.path != unit.path or not launch.lds or len(launch.config) < 3 or not unit.live(launch.start):
            continue
        total = static + launch.lds
        if total > fit.room(target):
            what = f"a launch of `{closure.kernel}` needs {total} bytes of LDS"
            tile = fit.advice(unit, _members(unit, closure), unit.text.word(*launch.config[2]), total)
            yield _over(unit, target, launch.config[2], what, [f"{launch.lds} at the launch", *parts], total, tile)


def _members(unit: Unit, closure: Closure) -> list[Function]:
    keys = set(closure.functions)
    return [f for f in unit.functions if (f.path, f.start) in keys]


def _instances(unit: Unit, target: Target, closure: Closure, fixed: tuple[SharedArray, ...]) -> Iterator[Finding]:
    """Launches of a template whose arguments give the arrays a size."""
    kernel = next((f for f in unit.functions if f.start == closure.start and f.path == closure.path), None)
    names = shared.parameters(unit.text, kernel) if kernel is not None else ()
    told: set[str] = set()
    for launch in closure.launches if kernel is not None and names else ():
        given = _template_arguments(unit, launch) if launch.path == unit.path else ()
        if not given or not unit.live(launch.start):
            continue
        bound = dict(zip(names, given, strict=False))
        open_ = [a for a in shared.find(unit.text, unit.macros, kernel, bound) if a.size and unit.compiled(a.start)]  # type: ignore[arg-type]
        sizes = {(a.name): a for a in (*fixed, *open_)}
        total = sum(a.size or 0 for a in sizes.values()) + (launch.lds or 0)
        spelled = f"{closure.kernel}<{', '.join(given)}>"
        if total > fit.room(target) and spelled not in told and len(sizes) > len(fixed):
            told.add(spelled)
            parts = [f"`{a.name}` {a.size}" for a in sizes.values()][:4]
            what = f"`{spelled}` needs {total} bytes of LDS"
            yield _over(unit, target, (launch.start, launch.start + len(closure.kernel)), what, parts, total)


def _template_arguments(unit: Unit, launch: Launch) -> tuple[str, ...]:
    """The template arguments that a launch spells out."""
    opening = launch.start + len(launch.kernel)
    between = unit.text.code[opening : launch.config[0][0]].lstrip()
    if not between.startswith(b"<") or between.startswith(b"<<<"):
        return ()
    _, pieces = unit.text.angles(unit.text.code.index(b"<", opening))
    return tuple(unit.text.word(*piece).strip() for piece in pieces)


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


def _opt_ins(unit: Unit, target: Target, fixed: dict[str, tuple[SharedArray, ...]]) -> Iterator[Finding]:
    for site in calls.find(unit.text, _OPT_IN):
        if len(site.arguments) != 3 or not unit.live(site.start):
            continue
        kernel, attribute, size = site.arguments
        if not _DYNAMIC.search(unit.text.word(*attribute)):
            continue
        name = re.search(r"([A-Za-z_]\w*)\s*(?:<.*>)?\s*\)*\Z", unit.text.word(*kernel), re.DOTALL)
        static = sum(a.size or 0 for a in fixed.get(name[1] if name else "", ()))
        wanted = constant_at(unit.text, unit.macros, unit.text.word(*size), site.start)
        if wanted is not None and wanted + static > fit.room(target):
            edits = _clamped(unit, kernel, size)
            beside = f" beside {static} in arrays" if static else ""
            said = f"`{site.name}` asks for {wanted} bytes of LDS and fails with hipErrorInvalidValue"
            yield finding(
                unit,
                ID,
                size,
                f"{said}: {target.name} has {fit.room(target) - static}{beside}",
                edits=edits,
                safety=Safety.REVIEW if edits else Safety.MANUAL,
                next_step=f"{_room(wanted + static)}; AMD needs no opt-in, and none lifts the limit"
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

"""# fine-grained: atomics on memory that the host or another GPU shares

Memory of `cudaMallocManaged`, `cudaHostAlloc` and `cudaMallocHost` is fine-grained on AMD: the host, and other GPUs,
see it while a kernel runs. Two things go wrong there in silence:

- additions of `float` and `double`: the instruction of MI100, MI200 and gfx11 does nothing on such memory, and the sum
  is wrong. The compiler avoids it and writes a compare-and-swap loop, until `-munsafe-fp-atomics` or `unsafeAtomicAdd`
  forbids that; hand-made ports set this flag often, as it makes other additions fast. Told where a file allocates such
  memory, passes it to a kernel that adds to it, and a target's loop would become the instruction. Keep the flag away
  from that file, or give the kernel memory of `cudaMalloc`.
- `atomicAdd_system` and its kin: they are atomic for the host only on fine-grained memory, on memory of `cudaMalloc`
  for this GPU only; over PCIe without atomics they do nothing. Told once for a file that uses them and allocates no
  such memory.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import calls, pointees
from hipport.model import Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.launches import Launch
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "fine-grained"
_ALLOCATES = re.compile(rb"(?<!\w)(?:cuda|hip)(?:MallocManaged|HostAlloc|MallocHost|HostMalloc)(?!\w)")
_SHARED = re.compile(rb"MallocManaged|HostAlloc|MallocHost|HostMalloc|HostRegister|__managed__|FineGrained|Uncached")
_MANAGED = re.compile(rb"__managed__\s+(?:\w+\s+)*?(?:float|double)\s*\*?\s*(\w+)")
_SYSTEM = re.compile(rb"(?<![\w.])atomic\w+_system(?!\w)")
_ADDS = frozenset({"atomicAdd", "gpuAtomicAdd", "gpuAtomicAddNoReturn", "unsafeAtomicAdd"})
_ROWS = {"float": "global_f32_add", "double": "global_f64_add"}
_NAME = re.compile(r"(?:\([\w\s*]+\)\s*)?&?\s*([A-Za-z_]\w*)(?:\s*[+].*)?")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    yield from _of_system(unit)
    if not target.knows("atomics"):
        return
    table = target.fact("atomics").value
    vanishing = {kind for kind, row in _ROWS.items() if table[row]["default"] == "cas" != table[row]["unsafe_flag"]}
    owned = {match.group(1).decode(): "managed" for match in _MANAGED.finditer(unit.text.code)}
    for site in calls.find(unit.text, _ALLOCATES):
        found = re.search(r"&\s*([A-Za-z_]\w*)\s*\Z", unit.text.word(*site.arguments[0])) if site.arguments else None
        if found:
            owned[found.group(1)] = "managed" if site.name.endswith("Managed") else "pinned"
    for launch in unit.launches if owned and vanishing else ():
        if unit.live(launch.start):
            yield from _of_launch(unit, target, launch, owned, vanishing)


def _of_launch(
    unit: Unit, target: Target, launch: Launch, owned: dict[str, str], vanishing: set[str]
) -> Iterator[Finding]:
    added = _added(unit, launch.kernel)
    for place, argument in enumerate(launch.arguments):
        named = _NAME.fullmatch(unit.text.word(*argument).strip())
        name = named.group(1) if named else ""
        kind = added.get(place, "")
        if name in owned and kind in vanishing:
            message = (
                f"`{launch.kernel}` adds {kind}s atomically to `{name}`, which is {owned[name]} memory: with"
                f" -munsafe-fp-atomics the additions are lost on {target.name}"
            )
            step = "keep that flag (and unsafeAtomicAdd) away from this kernel, or give it memory of hipMalloc"
            yield _told(unit, argument, message, step)


def _added(unit: Unit, kernel: str) -> dict[int, str]:
    """Which parameters of a kernel are added to atomically, by place, and their type."""
    out: dict[int, str] = {}
    for function in unit.functions:
        body = unit.tree.bodies.get(function.body) if function.kernel and function.name == kernel else None
        if body is None:
            continue
        parameters = unit.tree.parameters[function.body]
        types = pointees.declared(parameters, body)
        places = {parameter.refers: place for place, parameter in enumerate(parameters)}
        for _, call in pointees.found(body, unit.text.code, _ADDS):
            given = pointees.arguments(call)
            base = pointees.source(given[0]).refers if given else -1
            if base in places:
                out[places[base]] = pointees.pointee(given[0], types)
    return out


def _of_system(unit: Unit) -> Iterator[Finding]:
    first = next((s for s in calls.find(unit.text, _SYSTEM) if unit.live(s.start)), None)
    if first is None or _SHARED.search(unit.text.code):
        return
    message = f"`{first.name}` is atomic for the host and other GPUs on fine-grained memory only"
    step = "see that its memory is of hipHostMalloc, hipMallocManaged or hipExtMallocWithFlags"
    yield _told(unit, (first.start, first.open), message, step)


def _told(unit: Unit, place: tuple[int, int], message: str, step: str) -> Finding:
    return finding(
        unit,
        _ID,
        place,
        message,
        safety=Safety.REVIEW,
        status=Status.REVIEW,
        next_step=step,
        family="atomics",
    )


RULE = Rule(
    _ID,
    "Atomics on memory that the host or another GPU shares",
    ("A15", "A07"),
    "atomics",
    Provenance(
        "ROCm GPU atomics operation (gpu-atomics-operation.rst); LLVM AMDGPU memory model",
        "gfx908, gfx90a, gfx11 (additions of floating point); all (system scope)",
    ),
    _find,
)

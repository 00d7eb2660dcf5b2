"""Files -> Units: what the rewrites look at, one for each file, with the kernel closures that the set shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend import branches, calls, functions, launches, macros
from hipport.frontend.branches import Branches, Side
from hipport.frontend.closure import Closure, Mode, reach
from hipport.frontend.text import CodeText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hipport.frontend.calls import CallSite
    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.macros import Macros
    from hipport.model import SourceFile

# What moves values between the lanes of a warp, or asks which of them take part.
CROSSING = (
    rb"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)(?:_sync)?|__match_(?:any|all)_sync|__activemask|__syncwarp"
    rb"|__reduce_(?:add|min|max|and|or|xor)_sync|__uni_sync"
)
_SITES = re.compile(rb"(?<![\w#])(?:" + CROSSING + rb")(?!\w)")
_CROSSES = re.compile(
    rb"(?<!\w)(?:__(?:shfl|ballot|any|all|match|reduce)\w*|__activemask|WarpReduce|WarpScan)(?!\w)|%laneid|%lanemask|shfl\.sync|vote\.sync"
)
_CUDA_WORD = re.compile(rb"__global__|__device__|__shfl|__ballot|__syncwarp|<<<|warpSize|WarpReduce|cooperative_groups")
_HIP_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]hip/hip_runtime", re.MULTILINE)
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Unit:
    """One file as the rewrites see it.

    `sites` are the calls of warp functions that AMD compiles and nobody has ported yet. `native` is true for a file
    that is HIP already: nothing in it is rewritten. `complete` is false where clang could not read all of it.
    """

    text: CodeText
    branches: Branches
    macros: Macros
    sites: tuple[CallSite, ...]
    functions: tuple[Function, ...]
    hosts: tuple[Function, ...]
    launches: tuple[Launch, ...]
    closures: tuple[Closure, ...]
    mode: Mode
    native: bool
    complete: bool = False
    problems: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The file's path."""
        return self.text.path

    def function_at(self, offset: int) -> Function | None:
        """The device function around an offset."""
        return next((f for f in self.functions if f.start <= offset < f.end), None)

    def host_at(self, offset: int) -> Function | None:
        """The host function around an offset, where it launches something."""
        return next((f for f in self.hosts if f.start <= offset < f.end), None)

    def closures_of(self, function: Function | None) -> tuple[Closure, ...]:
        """The closures that a function of this file belongs to."""
        if function is None:
            return ()
        key = (function.path, function.start)
        return tuple(c for c in self.closures if key in c.functions)

    def blocked(self, offset: int) -> str:
        """Why the code at `offset` must stay as it is: every closure that it belongs to is blocked; else empty."""
        closures = self.closures_of(self.function_at(offset))
        return closures[0].blocked if closures and all(c.blocked for c in closures) else ""

    def live(self, offset: int) -> bool:
        """Whether the code at `offset` is compiled on AMD and not written for AMD already."""
        return self.branches.at(offset) is Side.BOTH

    def crosses(self, function: Function | None) -> bool:
        """Whether a function, or a kernel that reaches it, exchanges values between lanes."""
        if function is None:
            return False
        own = _CROSSES.search(self.text.data, function.body, function.end) is not None
        return own or any(c.crosses for c in self.closures_of(function))


def wanted(data: bytes) -> bool:
    """Whether a file is worth reading this closely: it holds device code, a launch or a warp word."""
    return _CUDA_WORD.search(data) is not None


def _includes(texts: Sequence[CodeText]) -> dict[str, frozenset[str]]:
    """For each file those of the set that it includes, directly or not; told by the longest matching path."""
    by_name: dict[str, list[str]] = {}
    for text in texts:
        by_name.setdefault(text.path.rsplit("/", 1)[-1], []).append(text.path)
    direct: dict[str, set[str]] = {}
    for text in texts:
        found: set[str] = set()
        for match in _INCLUDE.finditer(text.data):
            asked = match.group(1).decode("utf-8", "replace").replace("\\", "/")
            found.update(_resolved(text.path, asked, by_name))
        direct[text.path] = found
    out: dict[str, frozenset[str]] = {}
    for path in direct:
        seen: set[str] = set()
        todo = [path]
        while todo:
            for other in direct[todo.pop()] - seen:
                seen.add(other)
                todo.append(other)
        out[path] = frozenset(seen)
    return out


def _resolved(path: str, asked: str, by_name: Mapping[str, list[str]]) -> Iterator[str]:
    parts = [p for p in asked.split("/") if p not in (".", "..")]
    if not parts:
        return
    tail = "/".join(parts)
    found = [p for p in by_name.get(parts[-1], ()) if p == tail or p.endswith("/" + tail)]
    if not found:
        return
    here = path.rsplit("/", 1)[0] if "/" in path else ""
    yield max(found, key=lambda p: (len(_common(here, p)), -len(p)))


def _common(a: str, b: str) -> str:
    size = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        size += 1
    return a[:size]


def _closures(
    parts: Sequence[Unit], visible: Mapping[str, frozenset[str]], mode: Mode
) -> dict[str, tuple[Closure, ...]]:
    everything = [f for unit in parts for f in unit.functions]
    bodies = {unit.path: unit.text.data for unit in parts}
    shots: dict[str, list[Launch]] = {}
    for unit in parts:
        for launch in unit.launches:
            shots.setdefault(launch.kernel, []).append(launch)
    out: dict[str, list[Closure]] = {}
    reached = reach(everything, visible)
    for function in everything:
        if not function.kernel:
            continue
        members = reached[function.path, function.start]
        crosses = any(_CROSSES.search(bodies[f.path], f.body, f.end) for f in members)
        launched = tuple(
            shot
            for shot in shots.get(function.name, ())
            if shot.path == function.path or function.path in visible.get(shot.path, frozenset()) or len(shots) == 1
        )
        keys = tuple((f.path, f.start) for f in members)
        closure = Closure(function.name, function.path, function.start, keys, launched, crosses, mode)
        for path in dict.fromkeys(f.path for f in members):
            out.setdefault(path, []).append(closure)
    return {path: tuple(found) for path, found in out.items()}


def _part(text: CodeText, known: Macros, mode: Mode) -> Unit:
    branch = branches.read(text)
    devices = tuple(functions.device_functions(text, known))
    shots = tuple(launches.find(text, known))
    hosts = tuple(functions.host_functions(text, devices, [shot.start for shot in shots]))
    native = text.path.endswith(".hip") or any(
        branch.at(m.start()) is Side.BOTH for m in _HIP_INCLUDE.finditer(text.data)
    )
    sites = () if native else tuple(s for s in calls.find(text, _SITES) if branch.at(s.start) is Side.BOTH)
    return Unit(text, branch, known, sites, devices, hosts, shots, (), mode, native)


def read(files: Iterable[SourceFile], mode: Mode = Mode.SUBWARP) -> dict[str, Unit]:
    """The units of a file set by path; files without device code, launches and warp words are left out."""
    texts = [CodeText.of(file.path, file.data) for file in files if wanted(file.data)]
    visible = _includes(texts)
    known = {text.path: text for text in texts}
    parts: list[Unit] = []
    for text in texts:
        seen = [text, *(known[p] for p in sorted(visible[text.path]))]
        parts.append(_part(text, macros.read(seen), mode))
    grouped = _closures(parts, visible, mode)
    return {unit.path: _with_closures(unit, grouped.get(unit.path, ())) for unit in parts}


def _with_closures(unit: Unit, found: tuple[Closure, ...]) -> Unit:
    return Unit(
        unit.text,
        unit.branches,
        unit.macros,
        unit.sites,
        unit.functions,
        unit.hosts,
        unit.launches,
        found,
        unit.mode,
        unit.native,
        unit.complete,
        unit.problems,
    )

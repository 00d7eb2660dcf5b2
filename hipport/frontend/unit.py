"""Files -> Units: what the rewrites look at, one for each file, with the kernel closures that the set shows."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hipport.frontend import branches, calls, functions, launches, macros, native, reading, waits, widths
from hipport.frontend.branches import Branches, Side
from hipport.frontend.closure import Closure, Mode, reach
from hipport.frontend.text import CodeText
from hipport.frontend.tree import EMPTY
from hipport.frontend.waits import WaitKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hipport.frontend.calls import CallSite
    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.macros import Macros
    from hipport.frontend.tree import Tree
    from hipport.frontend.waits import Wait
    from hipport.frontend.widths import Width
    from hipport.model import SourceFile

# What moves values between the lanes of a warp, or asks which of them take part.
CROSSING = (
    rb"__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)(?:_sync)?|__match_(?:any|all)_sync|__activemask|__syncwarp"
    rb"|__reduce_(?:add|min|max|and|or|xor)_sync|__uni_sync"
)
_SITES = re.compile(rb"(?<![\w#])(?:" + CROSSING + rb")(?!\w)")
_CROSSES = re.compile(
    rb"(?<!\w)(?:__(?:shfl|ballot|any|all|match|reduce)\w*|__activemask|WarpReduce|WarpScan)(?!\w)|tiled_partition\s*<|thread_block_tile\s*<|%laneid|%lanemask|shfl\.sync|vote\.sync"
)
_MAY_WAIT = re.compile(rb"while|\bdo\b|__syncthreads|bar\.sync|\bsync\s*\(")
_CUDA_WORD = re.compile(
    rb"__global__|__device__|__shfl|__ballot|__syncwarp|<<<|[wW]arp_?[sS]ize|WARP_SIZE|WarpReduce|cooperative_groups"
)
_HIP_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]hip/hip_runtime", re.MULTILINE)
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Unit:
    """One file as the rewrites see it.

    `sites` are the calls of warp functions that AMD compiles and nobody has ported yet. `native` is true for a file
    that is HIP already: nothing in it is rewritten. `own` are the warp functions that the set declares itself.
    `tree` is what clang saw, empty where it could not look; `waits` are where threads wait for each other.
    """

    text: CodeText
    branches: Branches
    macros: Macros
    sites: tuple[CallSite, ...]
    functions: tuple[Function, ...]
    hosts: tuple[Function, ...]
    launches: tuple[Launch, ...]
    closures: tuple[Closure, ...]
    own: frozenset[str]
    mode: Mode
    native: bool
    tree: Tree = EMPTY
    waits: tuple[Wait, ...] = ()

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

    def read_whole(self, offset: int) -> bool:
        """Whether clang read the device function around an offset without an error."""
        function = self.function_at(offset)
        if function is None:
            return False
        return function.body in self.tree.bodies and self.tree.whole(function.body, function.end)

    def blocked(self, offset: int) -> str:
        """Why the code at `offset` must stay as it is: every closure that it belongs to is blocked; else empty."""
        closures = self.closures_of(self.function_at(offset))
        return closures[0].blocked if closures and all(c.blocked for c in closures) else ""

    def widths(self, function: Function) -> tuple[Width, ...]:
        """The numbers of a device function that mean the width of a warp; none where clang could not look."""
        body = self.tree.bodies.get(function.body)
        if body is None:
            return ()
        return widths.find(body, self.tree.parameters[function.body], self.macros)

    def mode_at(self, offset: int) -> Mode:
        """The mode of the code at an offset."""
        found = self.closures_of(self.function_at(offset))
        return Mode.NATIVE if found and all(c.mode is Mode.NATIVE for c in found) else Mode.SUBWARP

    @property
    def wave_constants(self) -> frozenset[str]:
        """The constants whose value the device pass decides by its target."""
        return self.macros.wave

    def compiled(self, offset: int) -> bool:
        """Whether AMD compiles the code at an offset, whoever wrote it."""
        return self.branches.at(offset) in (Side.BOTH, Side.AMD)

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


def _edges(texts: Sequence[CodeText]) -> dict[str, dict[str, str]]:
    """For each file its include operands and the files of the set that they mean, told by the longest matching path."""
    by_name: dict[str, list[str]] = {}
    for text in texts:
        by_name.setdefault(text.path.rsplit("/", 1)[-1], []).append(text.path)
    out: dict[str, dict[str, str]] = {}
    for text in texts:
        found: dict[str, str] = {}
        for match in _INCLUDE.finditer(text.data):
            asked = match.group(1).decode("utf-8", "replace")
            for target in _resolved(text.path, asked.replace("\\", "/"), by_name):
                found[asked] = target
        out[text.path] = found
    return out


def _visible(edges: Mapping[str, Mapping[str, str]]) -> dict[str, frozenset[str]]:
    """For each file those of the set that it includes, directly or not."""
    out: dict[str, frozenset[str]] = {}
    for path in edges:
        seen: set[str] = set()
        todo = [path]
        while todo:
            for other in set(edges.get(todo.pop(), {}).values()) - seen:
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
    by_path = {unit.path: unit for unit in parts}
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
        blocked = next((why for f in members if (why := _halting(by_path[f.path], f))), "")
        closure = Closure(function.name, function.path, function.start, keys, launched, crosses, mode, blocked)
        for path in dict.fromkeys([*(f.path for f in members), *(shot.path for shot in launched)]):
            out.setdefault(path, []).append(closure)
    if mode is Mode.NATIVE:
        return _proved(out, by_path)
    return {path: tuple(found) for path, found in out.items()}


def _proved(found: Mapping[str, list[Closure]], units: Mapping[str, Unit]) -> dict[str, tuple[Closure, ...]]:
    """The closures with the mode that each can have: one that shares a function with a subwarp one is subwarp too."""
    every = {(c.path, c.start): c for closures in found.values() for c in closures}
    reasons = {key: closure.blocked or _unproved(closure, units) for key, closure in every.items()}
    changed = True
    while changed:
        taken = {f for key, closure in every.items() if reasons[key] for f in closure.functions}
        late = [key for key, closure in every.items() if not reasons[key] and taken & set(closure.functions)]
        reasons |= dict.fromkeys(late, "it shares a function with a kernel that keeps 32-lane warps")
        changed = bool(late)
    made = {
        key: replace(closure, mode=Mode.SUBWARP if reasons[key] else Mode.NATIVE, reason=reasons[key])
        for key, closure in every.items()
    }
    return {path: tuple(made[c.path, c.start] for c in closures) for path, closures in found.items()}


def _unproved(closure: Closure, units: Mapping[str, Unit]) -> str:
    """Why not every number of a closure is proved to mean the warp; empty if it is."""
    if not closure.crosses:
        return "it exchanges nothing between lanes"
    misfit = native.launches_fit(closure.launches)
    if misfit:
        return misfit
    for path, start in closure.functions:
        unit = units[path]
        function = next(f for f in unit.functions if f.start == start)
        if not unit.read_whole(function.body):
            return f"clang could not read all of `{function.name}`"
        body, parameters = unit.tree.bodies[function.body], unit.tree.parameters[function.body]
        misfit = native.function_fits(body, parameters, unit.macros, unit.text.data)
        if misfit:
            return f"{misfit} (`{function.name}`)"
    return ""


_WAITING = {
    WaitKind.BARRIER: "a barrier in a branch that only some 32-lane warps take",
    WaitKind.LOCK: "a lock that both halves of a wave spin on",
    WaitKind.FLAG: "a value that one half of a wave spins on and the other sets",
}


def _halting(unit: Unit, function: Function) -> str:
    """Why the halves of a wave would wait for each other in a function; empty if they do not."""
    found = next((w for w in unit.waits if function.start <= w.start < function.end and w.kind in _WAITING), None)
    if found is None:
        return ""
    line = unit.text.data.count(b"\n", 0, found.start) + 1
    return f"{_WAITING[found.kind]} ({unit.path}:{line})"


_CUT = re.compile(rb"(?:\b(?:unsigned(?:\s+int)?|uint32_t|int|uint)\s+\w+\s*=\s*|__(?:popc|ffs|clz|brev)\s*\(\s*)\Z")


def _is_ported(text: CodeText, site: CallSite, known: Macros) -> bool:
    """Whether a call has a mask that the author defines for AMD apart, and its result is not cut to 32 bits."""
    if not site.name.endswith("_sync") or not site.arguments:
        return False
    mask = text.word(*site.arguments[0]).rsplit("::", 1)[-1].strip()
    if mask not in known.amd:
        return False
    cut = _CUT.search(text.code, max(0, site.start - 80), site.start) is not None
    return not (site.name == "__ballot_sync" and cut)


def _part(text: CodeText, known: Macros, own: frozenset[str], mode: Mode) -> Unit:
    branch = branches.read(text)
    devices = tuple(functions.device_functions(text, known))
    shots = tuple(launches.find(text, known))
    uses = [shot.start for shot in shots]
    if known.wave:
        wave = re.compile(rb"(?<!\w)(?:" + b"|".join(sorted(name.encode() for name in known.wave)) + rb")(?!\w)")
        uses += [m.start() for m in wave.finditer(text.code)]
    hosts = tuple(functions.host_functions(text, devices, uses))
    ported = text.path.endswith(".hip") or any(
        branch.at(m.start()) is Side.BOTH for m in _HIP_INCLUDE.finditer(text.data)
    )
    sites: tuple[CallSite, ...] = ()
    if not ported:
        every = (s for s in calls.find(text, _SITES) if branch.at(s.start) is Side.BOTH)
        sites = tuple(s for s in every if s.name not in known.functions and not _is_ported(text, s, known))
    return Unit(text, branch, known, sites, devices, hosts, shots, (), own, mode, ported)


def around(files: Sequence[SourceFile], path: str) -> list[SourceFile]:
    """Of a file set the file at `path` with what it includes, what includes it, and what that includes."""
    texts = [CodeText.of(file.path, file.data) for file in files]
    visible = _visible(_edges(texts))
    near = {path, *visible.get(path, ())}
    for other in [p for p, seen in visible.items() if path in seen]:
        near |= {other, *visible[other]}
    return [file for file in files if file.path in near]


def read(
    files: Iterable[SourceFile],
    mode: Mode = Mode.SUBWARP,
    *,
    parse: bool = True,
    commands: Mapping[str, tuple[str, ...]] | None = None,
) -> dict[str, Unit]:
    """The units of a file set by path; files without device code, launches and warp words are left out.

    `commands` are the words that files are compiled with, by path (compiledb.read).

    Without `parse`, or without libclang, only what text tells is there.
    """
    texts = {file.path: CodeText.of(file.path, file.data) for file in files}
    edges = _edges(list(texts.values()))
    visible = _visible(edges)
    parts: list[Unit] = []
    for text in texts.values():
        if not wanted(text.data):
            continue
        seen = [text, *(texts[p] for p in sorted(visible[text.path]))]
        own = frozenset[str]().union(*(calls.declared(t, _SITES) for t in seen))
        parts.append(_part(text, macros.read(seen), own, mode))
    if parse:
        parts = [_seen(unit, texts, edges, commands or {}) for unit in parts]
    grouped = _closures(parts, visible, mode)
    return {unit.path: replace(unit, closures=grouped.get(unit.path, ())) for unit in parts}


def _seen(
    unit: Unit,
    texts: Mapping[str, CodeText],
    edges: Mapping[str, Mapping[str, str]],
    commands: Mapping[str, tuple[str, ...]],
) -> Unit:
    """The unit with what clang sees of it: on its own, or where that is not whole, through a file that includes it."""
    if not unit.functions or unit.native:
        return unit
    tree = reading.read(unit.text, texts, edges, words=commands.get(unit.path, ()))
    bodies = [(f.body, f.end) for f in unit.functions]
    if not all(body in tree.bodies and tree.whole(body, end) for body, end in bodies):
        for path in sorted(p for p, found in edges.items() if unit.path in found.values())[:2]:
            other = reading.read(unit.text, texts, edges, texts[path], commands.get(path, ()))
            if _whole(other, bodies) > _whole(tree, bodies):
                tree = other
    found: list[Wait] = []
    for function in unit.functions:
        body = tree.bodies.get(function.body)
        if body is not None and _MAY_WAIT.search(unit.text.code, function.body, function.end):
            found += waits.find(body, tree.parameters[function.body], unit.macros, unit.text.data)
    return replace(unit, tree=tree, waits=tuple(found))


def _whole(tree: Tree, bodies: list[tuple[int, int]]) -> int:
    return sum(body in tree.bodies and tree.whole(body, end) for body, end in bodies)

"""Kernel closures of a set of units: what each kernel reaches, where it is launched, and the mode it can have."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from hipport.frontend import flowing, native, partial, reduced
from hipport.frontend.closure import Closure, Mode, reach
from hipport.frontend.waits import WaitKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit


_MEETS = re.compile(rb"__syncthreads|\bsync\s*\(|bar\.sync|barrier|cub::Block")
_PLACE = re.compile(
    rb"\bblockIdx\b|\bgridDim\b|this_grid|this_multi_grid|grid_group|block_rank|grid_rank|group_index|%n?ctaid"
)


def closures(
    parts: Sequence[Unit], visible: Mapping[str, frozenset[str]], mode: Mode
) -> dict[str, tuple[Closure, ...]]:
    """For each file the closures of its functions and launches; `visible`: the files that a file includes."""
    by_path = {unit.path: unit for unit in parts}
    shots: dict[str, list[Launch]] = {}
    for unit in parts:
        for launch in unit.launches:
            shots.setdefault(launch.kernel, []).append(launch)
    out: dict[str, list[Closure]] = {}
    reached = reach([f for unit in parts for f in unit.functions], visible)
    crossing = {(u.path, f.start) for u in parts for f in u.functions if u.exchanges(f)}
    halting = {(u.path, f.start): why for u in parts for f in u.functions if (why := _halting(u, f))}
    meeting = {(u.path, f.start) for u in parts for f in u.functions if _MEETS.search(u.text.code, f.body, f.end)}
    placed = {(u.path, f.start) for u in parts for f in u.functions if _is_placed(u, f)}
    for function in (f for unit in parts for f in unit.functions if f.kernel):
        keys = tuple((f.path, f.start) for f in reached[function.path, function.start])
        launched = tuple(
            shot
            for shot in shots.get(function.name, ())
            if shot.path == function.path or function.path in visible.get(shot.path, frozenset()) or len(shots) == 1
        )
        crosses = not crossing.isdisjoint(keys)
        blocked = next((halting[key] for key in keys if key in halting), "")
        others = [key for key in keys if key != (function.path, function.start)]
        asks = tuple(key for key in others if key in placed or (key in meeting and key[0] != function.path))
        closure = Closure(
            function.name, function.path, function.start, keys, launched, crosses, mode, blocked, placed=asks
        )
        for path in dict.fromkeys([*(path for path, _ in keys), *(shot.path for shot in launched)]):
            out.setdefault(path, []).append(closure)
    if mode is Mode.NATIVE:
        return _proved(out, by_path)
    return {path: tuple(found) for path, found in out.items()}


def _is_placed(unit: Unit, function: Function) -> bool:
    """Whether a device function asks for the number of its block, or waits for another block."""
    if _PLACE.search(unit.text.data, function.body, function.end):
        return True
    return any(w.kind is WaitKind.BLOCK and function.start <= w.start < function.end for w in unit.waits)


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
    read: list[tuple[Function, Node, tuple[Node, ...], Unit]] = []
    for path, start in closure.functions:
        unit = units[path]
        function = unit.function_at(start)
        if function is None:
            continue
        if not unit.read_whole(function.body):
            return f"clang could not read all of `{function.name}`"
        read.append((function, unit.tree.bodies[function.body], unit.tree.parameters[function.body], unit))
    returned = reduced.gives({f.name: (body, given, u.macros) for f, body, given, u in read if not f.kernel})
    for function, body, given, unit in read:
        misfit = native.function_fits(body, given, unit.macros, unit.text.data)
        misfit = misfit or reduced.shows(body, given, unit.macros, returned, kernel=function.kernel)
        if misfit:
            return f"{misfit} (`{function.name}`)"
    bodies = {f.name: flowing.Body(f.name, body, given, u.macros, u.text.data) for f, body, given, u in read}
    for function, *_ in read:
        misfit = partial.depends(bodies[function.name], bodies) if function.kernel else ""
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
    if not unit.waits:
        return ""
    first = bisect_left(unit.waits, function.start, key=attrgetter("start"))
    inside = itertools.takewhile(lambda w: w.start < function.end, unit.waits[first:])
    found = next((w for w in inside if w.kind in _WAITING), None)
    if found is None:
        return ""
    return f"{_WAITING[found.kind]} ({unit.path}:{unit.text.line(found.start)})"

"""Kernel closures: a kernel, the device functions that it reaches, its launches; and how its warp code is read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch

Key = tuple[str, int]  # a function: its file and where it starts


class Mode(str, Enum):
    """How the warp code of a closure is carried over; a closure has one mode, never two."""

    SUBWARP = "subwarp"  # 32-lane logical warps on the wave
    NATIVE = "native"  # the wave's own width


@dataclass(frozen=True, slots=True)
class Closure:
    """One kernel with what it reaches. `crosses`: some code in it exchanges values between lanes.

    `blocked` says why nothing in it may be rewritten; empty where it may. `reason` says why it is no native one though
    that was asked for. `placed` are the functions that it reaches which ask for the
    block's number, wait for other blocks, or meet a barrier in another file.
    """

    kernel: str
    path: str
    start: int
    functions: tuple[Key, ...]
    launches: tuple[Launch, ...]
    crosses: bool
    mode: Mode
    blocked: str = ""
    reason: str = ""
    placed: tuple[Key, ...] = ()


def reach(functions: Iterable[Function], visible: Mapping[str, frozenset[str]]) -> dict[Key, tuple[Function, ...]]:
    """For each function those that it reaches by calls, itself first; `visible`: the files that a file includes."""
    listed = list(functions)
    by_name: dict[str, list[Function]] = {}
    for function in listed:
        if function.name:
            by_name.setdefault(function.name, []).append(function)
    direct: dict[Key, list[Function]] = {}
    for function in listed:
        callees: list[Function] = []
        for name in sorted(function.calls & by_name.keys()):
            same = [f for f in by_name[name] if f.path == function.path]
            seen = visible.get(function.path, frozenset())
            callees += same or [f for f in by_name[name] if f.path in seen]
        direct[function.path, function.start] = callees
    out: dict[Key, tuple[Function, ...]] = {}
    for function in listed:
        found: dict[Key, Function] = {}
        todo = [function]
        while todo:
            now = todo.pop()
            key = (now.path, now.start)
            if key not in found:
                found[key] = now
                todo += direct[key]
        out[function.path, function.start] = tuple(found.values())
    return out

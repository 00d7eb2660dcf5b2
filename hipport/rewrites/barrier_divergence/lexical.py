"""Barriers that some threads miss, as far as text tells: for functions that clang could not read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.rewrites.barrier_divergence.parts import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hipport.frontend.barriers import Barrier
    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit

_THREAD = re.compile(rb"\bthreadIdx\b|\bthread_rank\s*\(|\blane_?[iI]d\b|\btid\b")
_SET = re.compile(rb"(?<![\w.>])([A-Za-z_]\w*)\s*(?:=(?!=)|[-+*/]=)\s*([^;]*);")
_ROUNDED = re.compile(rb"\(*\s*\b\w+\s*/\s*((?!\w*(?:[wW]arp|WARP|wave|lane))[A-Za-z_]\w*)\s*\)*\s*\*\s*\1\b")
_READ = re.compile(rb"\[[^\[\]]*\]|\b__shfl\w*\s*\([^()]*\)|\b__syncthreads\w*\s*\([^()]*\)")
_BRANCH = re.compile(rb"(?<!\w)(if|for|while)\s*(?:constexpr\s*)?\(")
_ONE = re.compile(rb"\b__shared__\s+[\w:\s]+?\b(\w+)\s*;")
_LEAVES = re.compile(rb"\s*(?:\{\s*)?(return|continue|break)\s*;")


def missed(unit: Unit, function: Function, met: Iterable[Barrier]) -> list[tuple[Part, Barrier]]:
    """What threads take apart in a function, each with the first barrier that some of them miss by it."""
    found: list[tuple[Part, Barrier]] = []
    said: set[int] = set()
    for part in _parts(unit, function):
        first = next((b for b in met if part.misses(b.start)), None)
        if first is not None and first.start not in said and unit.live(part.start):
            said.add(first.start)
            found.append((part, first))
    return found


def _parts(unit: Unit, function: Function) -> Iterator[Part]:
    text = unit.text
    differing = _differing(text.code[function.body : function.end])
    for match in _BRANCH.finditer(text.code, function.body, function.end):
        close = text.close(match.end() - 1)
        if close < 0:
            continue
        condition = text.code[match.end() : close]
        if match.group(1) == b"for":
            clauses = condition.split(b";")
            condition = clauses[1] if len(clauses) == 3 else b""
        condition = _ROUNDED.sub(b"", _READ.sub(b"", condition))
        if b"__syncthreads" in text.code[match.end() : close] or not _differs(condition, differing):
            continue
        end = _end(unit, close + 1, function.end)
        leaves = _LEAVES.match(text.code, close + 1)
        if match.group(1) == b"if" and leaves:
            yield from _leaving(unit, function, match.start(), leaves)
        else:
            kind = "branch" if match.group(1) == b"if" else "loop"
            yield Part(kind, match.start() if kind == "loop" else close, end, end)


def _leaving(unit: Unit, function: Function, start: int, leaves: re.Match[bytes]) -> Iterator[Part]:
    """An early `return`, or what leaves a loop or a turn of it."""
    kind = leaves.group(1).decode()
    if kind == "return":
        yield Part(kind, start, leaves.end(), function.end)
        return
    loop = _loop_around(unit, function, start)
    if loop is not None and (kind == "continue" or b"switch" not in unit.text.code[loop[0] : start]):
        yield Part(kind, loop[0] if kind == "break" else start, leaves.end(), loop[1])


def _loop_around(unit: Unit, function: Function, at: int) -> tuple[int, int] | None:
    """Where the innermost loop around an offset starts and ends."""
    found = None
    for match in _BRANCH.finditer(unit.text.code, function.body, at):
        close = unit.text.close(match.end() - 1)
        end = _end(unit, close + 1, function.end) if match.group(1) != b"if" and close >= 0 else -1
        if end > at:
            found = (match.start(), end)
    return found


def _end(unit: Unit, after: int, last: int) -> int:
    """Where the statement after a condition ends."""
    opening = re.compile(rb"\s*\{").match(unit.text.code, after)
    if opening:
        close = unit.text.close(opening.end() - 1)
        return close if close > 0 else last
    stop = unit.text.code.find(b";", after, last)
    return stop if stop >= 0 else last


def _differs(expression: bytes, differing: set[bytes]) -> bool:
    if _THREAD.search(expression):
        return True
    return any(name in differing for name in re.findall(rb"(?<![\w.>])[A-Za-z_]\w*", expression))


def _differing(body: bytes) -> set[bytes]:
    """The variables whose value is made of a thread's number; what is read from memory is none."""
    found: set[bytes] = set()
    same = set(_ONE.findall(body))  # one variable in LDS is the same for all threads
    pairs = [(m.group(1), _READ.sub(b"", m.group(2))) for m in _SET.finditer(body) if m.group(1) not in same]
    for _ in range(4):
        more = {name for name, value in pairs if name not in found and _differs(value, found)}
        if not more:
            break
        found |= more
    return found

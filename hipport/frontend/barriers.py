"""Where all threads of a block meet: barriers, CUB's block primitives, and functions of the file that hold one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hipport.frontend.functions import Function
    from hipport.frontend.text import CodeText


@dataclass(frozen=True, slots=True)
class Barrier:
    """One place, bytes `start` to `end`, that the whole block must reach. `through` is what holds the barrier."""

    start: int
    end: int
    through: str


_DIRECT = re.compile(rb"(?<![\w.])(__syncthreads(?:_count|_and|_or)?)\s*\(")
_BLOCK_GROUP = re.compile(
    rb"\b(?:thread_block|grid_group)\s+(\w+)\s*="
    rb"|\bauto\s+(\w+)\s*=\s*(?:\w+\s*::\s*)*this_(?:thread_block|grid)\s*\(\s*\)\s*;"
    rb"|\b(?:thread_block|grid_group)\s*&?\s*(\w+)\s*[,)]"
)
_PRIMITIVE = rb"(?:hip)?cub\s*::\s*Block(?:Reduce|Scan|RadixSort|MergeSort|Exchange|Histogram|Shuffle|Discontinuity)\b"
_GROUP_SYNC = re.compile(
    rb"(?<![\w.])((?:\w+\s*::\s*)*this_(?:thread_block|grid)\s*\(\s*\)\s*\.\s*sync"
    rb"|(?:\w+\s*::\s*)+sync(?=\s*\(\s*(?:\w+\s*::\s*)*this_(?:thread_block|grid)\b))\s*\("
)
_LAMBDA = re.compile(rb"\bauto\s+(\w+)\s*=\s*\[[^\[\]]*\]\s*(?:\([^()]*\))?\s*(?:mutable\s*)?(?:->\s*[\w:]+\s*)?\{")
_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^()\n]*\))?(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_ASM = re.compile(rb"(?<!\w)(?:asm|__asm__)\s*(?:__?volatile(?:__)?|volatile)?\s*\(")
_ASM_BARRIER = re.compile(rb"\bbar(?:rier)?(?:\.cta)?\.sync(?:\.aligned)?\s+0\s*;")
_ALIAS = re.compile(
    rb"\busing\s+(\w+)\s*=\s*(?:typename\s+)?" + _PRIMITIVE + rb"|\btypedef\s+" + _PRIMITIVE + rb"[^;]*?(\w+)\s*;"
)
_USED = re.compile(rb"(" + _PRIMITIVE + rb")\s*<[^;{}]*?>\s*\([^;{}]*?\)\s*\.\s*\w+\s*\(")
_KNOWN_HELPER = re.compile(rb"(?<![\w.])((?:\w+::)*[bB]lock_?(?:[aA]ll_?)?[rR]educe\w*)\s*(?:<[^;{}()]*>)?\s*\(")


class Barriers:
    """The barriers of one file's device functions."""

    def __init__(self, text: CodeText, functions: Iterable[Function]) -> None:
        self._text = text
        self._functions = tuple(functions)
        self._aliases = [m.group(1) or m.group(2) for m in _ALIAS.finditer(text.code)]
        self._groups = sorted({g for m in _BLOCK_GROUP.finditer(text.code) for g in m.groups() if g})
        self._defines = [(m.start(), m.end()) for m in _DEFINE.finditer(text.code)]
        self._direct = self._patterns()
        self._direct += self._named(self._lambdas(), rb"\s*\(")
        self._direct += self._named(self._macros(), rb"(?!\w)")
        self._holding = self._closed()

    def _closed(self) -> frozenset[str]:
        """The names of the device functions that reach a barrier."""
        holding = {f.name for f in self._functions if f.name and not f.kernel and self._own(f)}
        changed = True
        while changed:
            more = {f.name for f in self._functions if f.name and not f.kernel and f.calls & holding} - holding
            holding |= more
            changed = bool(more)
        return frozenset(holding)

    def _patterns(self) -> list[re.Pattern[bytes]]:
        """What a barrier looks like in this file; the first group is what it goes by."""
        found = [_DIRECT, _USED, _GROUP_SYNC]
        if self._groups:
            found.append(re.compile(rb"(?<![\w.])((?:" + b"|".join(self._groups) + rb")\s*\.\s*sync)\s*\("))
            given = rb"((?:\w+\s*::\s*)+sync)\s*\(\s*(?:" + b"|".join(self._groups) + rb")\s*\)"
            found.append(re.compile(rb"(?<![\w.])" + given))
        if self._aliases:
            names = b"|".join(re.escape(alias) for alias in self._aliases)
            used = rb")\s*(?:<[^;{}]*?>)?\s*\([^;{}]*?\)\s*\.\s*\w+\s*\("
            found.append(re.compile(rb"(?<![\w.])(" + names + used))
        return found

    def _named(self, names: set[bytes], after: bytes) -> list[re.Pattern[bytes]]:
        spelled = b"|".join(re.escape(name) for name in sorted(names))
        return [re.compile(rb"(?<![\w.>])(" + spelled + rb")" + after)] if names else []

    def _waits(self, start: int, end: int) -> bool:
        """Whether a piece of code holds a barrier of its own."""
        return any(pattern.search(self._text.code, start, end) for pattern in self._direct)

    def _lambdas(self) -> set[bytes]:
        """The lambdas that hold a barrier."""
        found = set()
        for function in self._functions:
            for match in _LAMBDA.finditer(self._text.code, function.body, function.end):
                if self._waits(match.end(), self._text.close(match.end() - 1)):
                    found.add(match[1])
        return found

    def _macros(self) -> set[bytes]:
        """The macros of the file that hold a barrier."""
        made = [(m[1], m.end(1), m.end()) for m in _DEFINE.finditer(self._text.code)]
        found = {name for name, start, end in made if self._waits(start, end)}
        while more := {
            name
            for name, start, end in made
            if name not in found and found & set(re.findall(rb"\w+", self._text.code[start:end]))
        }:
            found |= more
        return found

    def _asm(self, function: Function) -> list[Barrier]:
        """PTX that waits for the whole block."""
        found = []
        for match in _ASM.finditer(self._text.code, function.body, function.end):
            close = self._text.close(match.end() - 1)
            if _ASM_BARRIER.search(self._text.data, match.end(), max(close, match.end())):
                found.append(Barrier(match.start(), close + 1, "bar.sync"))
        return found

    def _at(self, pattern: re.Pattern[bytes], function: Function) -> list[Barrier]:
        found = pattern.finditer(self._text.code, function.body, function.end)
        return [
            Barrier(m.start(), m.end(), m.group(1).decode("utf-8", "replace"))
            for m in found
            if not any(start <= m.start() < end for start, end in self._defines)
        ]

    def _own(self, function: Function) -> list[Barrier]:
        return [barrier for pattern in self._direct for barrier in self._at(pattern, function)] + self._asm(function)

    def of(self, function: Function) -> tuple[Barrier, ...]:
        """What a function must reach with all threads of its block, in the order of the text."""
        found = [*self._own(function), *self._at(_KNOWN_HELPER, function)]
        called = sorted(self._holding & function.calls)
        if called:
            names = "|".join(called).encode()
            found += self._at(re.compile(rb"(?<![\w.])(" + names + rb")\s*(?:<[^;{}()]*>)?\s*\("), function)
        unique = {b.start: b for b in sorted(found, key=lambda b: (b.start, -b.end))}
        return tuple(unique[start] for start in sorted(unique))

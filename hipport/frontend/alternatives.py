"""What of a kernel's LDS is there at one time: one side of each `#if`, and no branch that a template may discard."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from hipport.frontend import sides
from hipport.frontend.functions import called

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hipport.frontend.functions import Function
    from hipport.frontend.shared import SharedArray
    from hipport.frontend.text import CodeText

_CONSTEXPR = re.compile(rb"(?<!\w)if\s+constexpr\s*\(")
_ELSE = re.compile(rb"\s*else(?!\w)\s*")
_IF = re.compile(rb"if(?!\w)\s*(?:constexpr\s*)?\(")


def discardable(text: CodeText, function: Function) -> list[tuple[int, int]]:
    """The branches of `if constexpr` in a function, bytes from their condition to the end of the last of them."""
    found: list[tuple[int, int]] = []
    for start, opening in _conditions(text):
        if function.body <= start < function.end and (not found or start >= found[-1][1]):
            found.append((opening + 1, _end(text, opening)))
    return found


@functools.lru_cache(maxsize=256)
def _conditions(text: CodeText) -> tuple[tuple[int, int], ...]:
    """Where each `if constexpr` of a file starts, and its `(`."""
    if b"constexpr" not in text.code:
        return ()
    return tuple((match.start(), match.end() - 1) for match in _CONSTEXPR.finditer(text.code))


def _end(text: CodeText, opening: int) -> int:
    """Where an `if` ends, its `else` branches too, whose condition opens at `opening`."""
    at = text.close(opening) + 1
    if at <= 0:
        return opening + 1
    brace = re.compile(rb"\s*\{").match(text.code, at)
    end = text.close(brace.end() - 1) + 1 if brace else text.code.find(b";", at) + 1
    other = _ELSE.match(text.code, end) if end > 0 else None
    if other is None:
        return max(end, opening + 1)
    further = _IF.match(text.code, other.end())
    if further:
        return _end(text, further.end() - 1)
    last = (
        text.close(other.end())
        if text.code[other.end() : other.end() + 1] == b"{"
        else text.code.find(b";", other.end())
    )
    return max(last + 1, end)


def surely_reached(text: CodeText, functions: Sequence[Function], kernel: Function) -> list[Function]:
    """The functions of a file that a kernel calls whatever branches a template discards, itself first."""
    if not _conditions(text):
        return list(functions)
    found = [kernel]
    for function in found:
        names = _called(text, function)
        found += [f for f in functions if f.name in names and f not in found]
    return found


def _called(text: CodeText, function: Function) -> frozenset[str]:
    """The names that a function calls outside of what may be discarded."""
    names, at = frozenset[str](), function.body
    for start, end in discardable(text, function):
        names |= called(text.code, at, start)
        at = end
    return names | called(text.code, at, function.end)


def together(text: CodeText, arrays: Iterable[SharedArray]) -> list[SharedArray]:
    """Of arrays on the sides of conditionals those of the sides with most bytes."""
    arrays = list(arrays)
    groups = sides.conditionals(text) if len(arrays) > 1 and b"#" in text.code else ()
    if not groups:
        return arrays
    return _most([(sides.enclosing(groups, array.start), array) for array in arrays], 0)


def _most(placed: list[tuple[list[tuple[sides.Group, int]], SharedArray]], depth: int) -> list[SharedArray]:
    out = [array for chain, array in placed if len(chain) == depth]
    deeper = [(chain, array) for chain, array in placed if len(chain) > depth]
    for group in dict.fromkeys(chain[depth][0] for chain, _ in deeper):
        here = [(chain, array) for chain, array in deeper if chain[depth][0] == group]
        taken = [
            _most([one for one in here if one[0][depth][1] == side], depth + 1)
            for side in dict.fromkeys(chain[depth][1] for chain, _ in here)
        ]
        out += max(taken, key=lambda some: sum(array.size or 0 for array in some))
    return out

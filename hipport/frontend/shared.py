"""`__shared__` arrays of a device function as text shows them: names, element sizes, counts, lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hipport.frontend.sizes import size_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.frontend.functions import Function
    from hipport.frontend.macros import Macros
    from hipport.frontend.text import CodeText


@dataclass(frozen=True, slots=True)
class SharedArray:
    """One `__shared__` variable, bytes `start` to `end` of its file.

    `size` is in bytes, None where its type or a dimension is not constant; `dynamic` is true for `extern ... [];`.
    """

    name: str
    start: int
    end: int
    size: int | None
    dynamic: bool


_SHARED = re.compile(rb"(?<!\w)__shared__(?!\w)([^;{}()=]*(?:\([^;{}()]*\)[^;{}()=]*)*)[;=({]")
_QUALIFIER = re.compile(
    r"\b(?:extern|static|volatile|const|constexpr|typename|struct)\b"
    r"|(?:__align__|alignas|__attribute__)\s*(?:\([^()]*\)|\(\([^()]*(?:\([^()]*\))?[^()]*\)\))"
)
_DECLARATOR = re.compile(r"(?P<type>.*?[\s>*&])??(?P<name>[A-Za-z_]\w*)\s*(?P<dims>(?:\[[^\[\]]*\]\s*)*)\Z", re.DOTALL)
_EXTERN = re.compile(rb"\bextern\b[^;{}]*\Z")


def find(
    text: CodeText, macros: Macros, function: Function, bound: Mapping[str, str] | None = None
) -> Iterator[SharedArray]:
    """The shared variables that a function declares, in order.

    A template's parameter is not constant, even where a constant of the file has its name, but for those that `bound`
    gives a value or a type (as text).
    """
    given = bound or {}
    hidden = frozenset(parameters(text, function)) - given.keys()
    if given:
        macros = replace(macros, objects={**macros.objects, **given})
    for match in _SHARED.finditer(text.code, function.body, function.end):
        declared = _QUALIFIER.sub(" ", match.group(1).decode("utf-8", "replace")).strip()
        outside = _EXTERN.search(text.code, max(0, match.start() - 80), match.start()) is not None
        outside = outside or re.search(rb"\bextern\b", match.group(1)) is not None
        kind = ""
        for part in declared.split(","):
            found = _DECLARATOR.match(part.strip())
            if found is None:
                continue
            kind = (found["type"] or "").strip() or kind
            count = _count(macros, re.findall(r"\[([^\[\]]*)\]", found["dims"]), hidden)
            element = None if kind.split("::")[-1] in hidden else size_of(given.get(kind, kind))
            size = None if count is None or element is None else count * element
            yield SharedArray(found["name"], match.start(), match.end() - 1, 0 if outside else size, outside)


def parameters(text: CodeText, function: Function) -> tuple[str, ...]:
    """The names of the template parameters right above a function, in order."""
    before = text.code[max(0, function.start - 600) : function.start]
    last = before.rfind(b"template")
    if last < 0 or re.search(rb"[;{}]", before[last:]):
        return ()
    found = re.findall(rb"([A-Za-z_]\w*)\s*(?:=[^,<>]*)?(?=[,>])", before[last:])
    return tuple(name.decode("utf-8", "replace") for name in found)


def _count(macros: Macros, dimensions: list[str], hidden: frozenset[str]) -> int | None:
    count = 1
    for dimension in dimensions:
        known = not hidden & set(re.findall(r"[A-Za-z_]\w*", dimension))
        value = macros.value(dimension) if known and dimension.strip() else None
        if value is None or value < 0:
            return None
        count *= value
    return count

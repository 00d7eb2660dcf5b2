"""`__shared__` arrays of a device function as text shows them: names, element sizes, counts, lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hipport.frontend.records import named_parameters, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.frontend.functions import Function
    from hipport.frontend.macros import Macros
    from hipport.frontend.text import CodeText


@dataclass(frozen=True, slots=True)
class SharedArray:
    """One `__shared__` variable, bytes `start` to `end` of its file, its name at `at`.

    `size` is in bytes, None where its type or a dimension is not constant; `dynamic` is true for `extern ... [];`.
    """

    name: str
    start: int
    end: int
    size: int | None
    dynamic: bool
    at: int = -1


_SHARED = re.compile(rb"(?<!\w)__shared__(?!\w)([^;{}()=]*(?:\([^;{}()]*\)[^;{}()=]*)*)[;=({]")
_QUALIFIER = re.compile(
    r"\b(?:extern|static|volatile|const|constexpr|typename|struct)\b"
    r"|(?:__align__|alignas|__attribute__)\s*(?:\([^()]*\)|\(\([^()]*(?:\([^()]*\))?[^()]*\)\))"
)
_DECLARATOR = re.compile(
    r"(?P<type>.*?[\s>])??(?P<pointer>[\s*&]*)(?P<name>[A-Za-z_]\w*)\s*(?P<dims>(?:\[[^\[\]]*\]\s*)*)\Z", re.DOTALL
)
_UNNAMED = re.compile(r"\b(?:struct|union)\s*(?:[A-Za-z_]\w*\s*)?\Z")
_EXTERN = re.compile(rb"\bextern\b[^;{}]*\Z")


def find(
    text: CodeText, macros: Macros, function: Function, bound: Mapping[str, str] | None = None
) -> Iterator[SharedArray]:
    """The shared variables that a function declares, in order.

    A template's parameter is not constant, even where a constant of the file has its name, but for those that `bound`
    gives a value or a type (as text).
    """
    given = bound or {}
    hidden = frozenset(name for name, _ in parameters(text, function)) - given.keys()
    if given:
        macros = replace(macros, objects={**macros.objects, **given})
    for match in _SHARED.finditer(text.code, function.body, function.end):
        declared = match.group(1).decode("utf-8", "replace")
        outside = _EXTERN.search(text.code, max(0, match.start() - 80), match.start()) is not None
        outside = outside or re.search(r"\bextern\b", declared) is not None
        if text.code[match.end() - 1 : match.end()] == b"{" and _UNNAMED.search(declared):
            yield from _unnamed(text, match)
            continue
        kind = ""
        for part in pieces(_QUALIFIER.sub(" ", declared)):
            found = _DECLARATOR.match(part.strip())
            if found is None:
                continue
            kind = (found["type"] or "").strip() or kind
            pointed = f"{kind}*" if found["pointer"].strip() else kind
            size = _size(macros, pointed, re.findall(r"\[([^\[\]]*)\]", found["dims"]), hidden)
            at = _place(text, found["name"], match.span(1))
            yield SharedArray(found["name"], match.start(), match.end() - 1, 0 if outside else size, outside, at)


def _unnamed(text: CodeText, match: re.Match[bytes]) -> Iterator[SharedArray]:
    """The variables of a type that is defined where they are declared; their size is for clang to tell."""
    close = text.close(match.end() - 1)
    end = text.code.find(b";", close) if close > 0 else -1
    for part in pieces(text.word(close + 1, end)) if end > 0 else ():
        found = _DECLARATOR.match(part.strip())
        if found is not None:
            at = _place(text, found["name"], (close + 1, end + 1))
            yield SharedArray(found["name"], match.start(), end, None, dynamic=False, at=at)


def _place(text: CodeText, name: str, within: tuple[int, int]) -> int:
    """Where a declared name stands."""
    named = re.compile(rb"(?<!\w)" + name.encode() + rb"(?!\w)(?=\s*[\[,;=({])")
    places = [m.start() for m in named.finditer(text.code, within[0], within[1] + 1)]
    return places[-1] if places else -1


def _size(macros: Macros, kind: str, dimensions: list[str], hidden: frozenset[str]) -> int | None:
    """Bytes of an array; None where its type or a dimension is not constant."""
    count = _count(macros, dimensions, hidden)
    if count is None or not kind or hidden & set(re.findall(r"[A-Za-z_]\w*", kind)):
        return None
    element = macros.size(kind)
    return None if element is None else count * element


def parameters(text: CodeText, function: Function) -> tuple[tuple[str, str], ...]:
    """The names of the template parameters right above a function, in order, each with its default."""
    before = text.code[max(0, function.start - 600) : function.start]
    last = before.rfind(b"template")
    if last < 0 or re.search(rb"[;{}]", before[last:]):
        return ()
    opening = before.find(b"<", last)
    listed = before[opening + 1 : before.rfind(b">")].decode("utf-8", "replace") if opening >= 0 else ""
    return named_parameters(listed)


def _count(macros: Macros, dimensions: list[str], hidden: frozenset[str]) -> int | None:
    count = 1
    for dimension in dimensions:
        known = not hidden & set(re.findall(r"[A-Za-z_]\w*", dimension))
        value = macros.value(dimension) if known and dimension.strip() else None
        if value is None or value < 0:
            return None
        count *= value
    return count

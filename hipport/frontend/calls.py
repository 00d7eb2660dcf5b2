"""Call sites by name, in code, macro bodies and inactive branches alike, with exact spans of name and arguments."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.text import CodeText

_DEFINING = re.compile(rb"#[ \t]*(?:define|undef|ifdef|ifndef)[ \t]+$|defined[ \t]*\(?[ \t]*$")
_BEFORE = re.compile(rb"(?:([A-Za-z_]\w*)|([>&*]))\s*\Z")
_SCOPE = re.compile(rb"(\w+|>)\s*::\s*\Z")
_PARAMETER = re.compile(
    rb"(?:const\s+)?(?:unsigned\s+)?[\w:<>]+(?:[\s*&]+(?:const\s+)?\w+(?:\s*=.*)?|\s*[*&]+)\Z", re.DOTALL
)
_NO_TYPE = frozenset(
    {b"return", b"else", b"do", b"case", b"throw", b"co_return", b"not", b"and", b"or", b"if", b"while"}
)


@dataclass(frozen=True, slots=True)
class CallSite:
    """`name(arguments)` at bytes `start` to `end`, past its `)`; `open` is its `(`; arguments are byte ranges."""

    name: str
    start: int
    open: int
    end: int
    arguments: tuple[tuple[int, int], ...]

    @property
    def close(self) -> int:
        """Where the closing bracket is."""
        return self.end - 1


def _is_declaration(text: CodeText, start: int, arguments: tuple[tuple[int, int], ...]) -> bool:
    """Whether a name is declared there rather than called: a type stands before it."""
    found = _BEFORE.search(text.code, max(0, start - 80), start)
    if found is None:
        return False
    if found.group(1):
        return found.group(1) not in _NO_TYPE
    return bool(arguments) and all(_PARAMETER.match(text.code[a:b]) for a, b in arguments)


def _in_scope(before: bytes) -> bool:
    """Whether a name is qualified by a namespace or a class: `a::f`, `a<b>::f`; `return ::f` is global."""
    scope = _SCOPE.search(before)
    return scope is not None and scope.group(1) not in _NO_TYPE


@functools.lru_cache(maxsize=1024)
def declared(text: CodeText, names: re.Pattern[bytes]) -> frozenset[str]:
    """The names that the text declares as functions of its own."""
    return frozenset(site.name for site, declares in _scan(text, names) if declares)


def find(text: CodeText, names: re.Pattern[bytes]) -> Iterator[CallSite]:
    """The calls of the names that `names` matches (the whole match is the name), in order.

    A definition of the name (macro or function), a member and a name of another namespace are no calls.
    """
    return (site for site, declares in _scan(text, names) if not declares)


def _scan(text: CodeText, names: re.Pattern[bytes]) -> Iterator[tuple[CallSite, bool]]:
    code = text.code
    for match in names.finditer(code):
        start, end = match.span()
        after = end
        while after < len(code) and code[after] in b" \t\r\n\\":
            after += 1
        if after >= len(code) or code[after] != 0x28:
            continue
        before = code[max(0, start - 40) : start]
        if before.endswith((b".", b"->")) or _in_scope(before):
            continue
        if _DEFINING.search(before):
            continue
        close = text.close(after)
        if close >= 0:
            arguments = text.arguments(after, close)
            site = CallSite(match.group().decode(), start, after, close + 1, arguments)
            yield site, _is_declaration(text, start, arguments)

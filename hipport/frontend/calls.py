"""Call sites by name, in code, macro bodies and inactive branches alike, with exact spans of name and arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.text import CodeText

_DEFINING = re.compile(rb"#[ \t]*(?:define|undef|ifdef|ifndef)[ \t]+$|defined[ \t]*\(?[ \t]*$")
_DECLARING = re.compile(rb"(?:\b(?:void|int|unsigned|float|double|bool|auto|T|uint32_t|size_t|long|half)\b|[&*])\s*$")


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


def _is_declaration(text: CodeText, start: int, close: int) -> bool:
    """Whether a name is declared there rather than called: a type before it and a body or parameter types in it."""
    head = text.code[max(0, start - 64) : start]
    if not _DECLARING.search(head):
        return False
    after = text.code[close + 1 : close + 40].lstrip()
    return after.startswith(b"{")


def find(text: CodeText, names: re.Pattern[bytes]) -> Iterator[CallSite]:
    """The calls of the names that `names` matches (the whole match is the name), in order.

    A definition of the name (macro or function), a member and a name of another namespace are no calls.
    """
    code = text.code
    for match in names.finditer(code):
        start, end = match.span()
        after = end
        while after < len(code) and code[after] in b" \t\r\n\\":
            after += 1
        if after >= len(code) or code[after] != 0x28:
            continue
        before = code[max(0, start - 40) : start]
        if before.endswith((b".", b"->")) or (before.endswith(b"::") and before[:-2].strip()[-1:].isalnum()):
            continue
        if _DEFINING.search(before):
            continue
        close = text.close(after)
        if close < 0 or _is_declaration(text, start, close):
            continue
        yield CallSite(match.group().decode(), start, after, close + 1, text.arguments(after, close))

"""A file as the finders see it: its code, words, directives, and the regions that HIP never compiles."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from hipport.model import Edit, Finding, Purpose, Safety, Span, Status
from hipport.renames.conditionals import Conditionals, read_conditionals
from hipport.source import lexer

if TYPE_CHECKING:
    from hipport.model import SourceFile

_BLANKS = b" \t\r\n\f\v"


class Reading(NamedTuple):
    """One lexed file. `code` has one closing NUL more than the data: looking one byte around is always legal."""

    source: SourceFile
    code: bytes
    words: set[bytes]
    strings: tuple[tuple[int, int], ...]
    conditionals: Conditionals
    pastes: bool = False  # whether `##` stands anywhere

    def is_dead(self, position: int) -> bool:
        """Whether HIP never compiles this place, because the file has a branch of its own for HIP."""
        starts = self.conditionals.dead_starts
        if not starts:
            return False
        index = bisect_right(starts, position) - 1
        return index >= 0 and position < self.conditionals.dead_ends[index]

    def before(self, position: int) -> bytes:
        """The code before `position` without trailing blanks: 64 bytes of it, more only where those are blank."""
        near = self.code[position - 64 if position > 64 else 0 : position].rstrip(_BLANKS)
        return near if near or position <= 64 else self.code[:position].rstrip(_BLANKS)[-64:]

    def skip_blanks(self, position: int) -> int:
        """The next place at or after `position` that is no blank."""
        code = self.code
        while code[position] in _BLANKS:
            rest = code[position : position + 64]
            position += len(rest) - len(rest.lstrip(_BLANKS))
        return position

    def line_start(self, position: int) -> int:
        """Where the physical line of `position` starts."""
        return self.source.data.rfind(b"\n", 0, position) + 1

    def finding(
        self,
        rule: str,
        start: int,
        end: int,
        message: str,
        safety: Safety,
        status: Status,
        family: str,
        *,
        edits: tuple[tuple[int, int, bytes], ...] = (),
        next_step: str = "",
    ) -> Finding:
        """A finding about bytes `start` to `end`, with edits given as (start, end, text)."""
        path = self.source.path
        made = tuple(Edit(Span(path, first, last), text) for first, last, text in edits)
        span = Span(path, start, end)
        return Finding(
            rule, span, message, safety, status, family, purpose=Purpose.CORRECTNESS, edits=made, next_step=next_step
        )


def read(source: SourceFile) -> Reading:
    """Lex a file and read its preprocessor conditionals."""
    lexed = lexer.lex(source.data, jinja=lexer.is_jinja(source.path))
    words = lexed.words()
    conditionals = read_conditionals(lexed.code, words, source.data)
    return Reading(source, lexed.code + b"\0", words, lexed.strings, conditionals, b"##" in lexed.code)

"""Words of a command or variable, with their places; edits that replace or remove them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hipport.model import Edit, Finding, Safety, Span, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hipport.buildfiles.flags import Change

_GAP = re.compile(r"(?:[ \t\r\n]|\\(?=[\r\n]))+")
_PLAIN = re.compile(r"[^ \t\r\n\\\"'$]+")
# what may go with a removed word: a quote, or a word that is none of these, is another's
_BETWEEN = re.compile(r"(?:[ \t\r\n;]|\\(?=[\r\n]))+")


class Word(NamedTuple):
    """`text` as written, at `start` to `end` of its file. Texts are Latin-1 views, so places are bytes."""

    text: str
    start: int
    end: int


def split_words(text: str, start: int, end: int, *, comments: bool = False) -> Iterator[Word]:
    r"""The words of `text[start:end]`: blanks and `\`-newlines part them, not inside quotes or `$(...)`."""
    at = start
    while (at := _gap_end(text, at, end)) < end:
        if comments and text[at] == "#":
            return
        stop = _word_end(text, at, end)
        yield Word(text[at:stop], at, stop)
        at = stop


def _gap_end(text: str, at: int, end: int) -> int:
    match = _GAP.match(text, at, end)
    return match.end() if match else at


def _word_end(text: str, at: int, end: int) -> int:
    plain = _PLAIN.match(text, at, end)
    if plain:
        at = plain.end()
        if at == end or text[at] in " \t\r\n":
            return at
    closers: list[str] = []
    while at < end:
        char = text[at]
        if char == "\\" and at + 1 < end and text[at + 1] not in "\r\n":
            at += 2
            continue
        if closers and char == closers[-1]:
            closers.pop()
        elif (not closers or closers[-1] not in "\"'") and char in "\"'":
            closers.append(char)
        elif char == "$" and text[at + 1 : at + 2] in {"(", "{"} and (not closers or closers[-1] != "'"):
            closers.append(")" if text[at + 1] == "(" else "}")
            at += 1
        elif closers and closers[-1] in ")}" and char in "({":
            closers.append(")" if char == "(" else "}")
        elif not closers and (char in " \t\r\n" or (char == "\\" and text[at + 1 : at + 2] in {"\n", "\r"})):
            return at
        at += 1
    return end


def word_edits(text: str, path: str, words: Sequence[Word], changes: Sequence[Change]) -> Iterator[tuple[Change, Edit]]:
    """One edit a change; a removed word takes the blanks before it along, or those after it at the start of a line."""
    cursor = 0
    for change in changes:
        first, last = words[change.first], words[change.last - 1]
        start, end = first.start, last.end
        if not change.words:
            before = words[change.first - 1].end if change.first else start
            after = words[change.last].start if change.last < len(words) else end
            follows = _BETWEEN.fullmatch(text, before, start) is not None
            leads = _BETWEEN.fullmatch(text, end, after) is not None
            if before >= cursor and follows and ("\n" not in text[before:start] or not leads):
                start = before
            elif leads:
                end = after
        cursor = end
        yield change, Edit(Span(path, start, end), " ".join(change.words).encode("latin-1"))


def finding_of(change: Change, edit: Edit, rule: str) -> Finding:
    """The finding that says what becomes of a command's words."""
    status = {Safety.SAFE: Status.RENAMED, Safety.REVIEW: Status.REVIEW, Safety.MANUAL: Status.MANUAL}[change.safety]
    edits = () if change.safety is Safety.MANUAL else (edit,)
    return Finding(
        rule=rule,
        span=edit.span,
        message=change.message,
        safety=change.safety,
        status=status,
        family="build",
        edits=edits,
        next_step=change.next_step,
    )

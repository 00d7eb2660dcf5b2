"""Preprocessed C++ as tokens, the system's headers left out, with brackets matched."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKER = re.compile(r'^# \d+ "((?:[^"\\]|\\.)*)"([ \d]*)$', re.MULTILINE)
_TOKEN = re.compile(
    r"""R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"
      | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+'
      | ^\#[^\n]*\n
      | [A-Za-z_$][\w$]*
      | \.?\d(?:[eEpP][+-]|'?[\w.])*
      | <<<|>>>|::|->|\S""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_SYSTEM = "3"  # the flag of a line marker whose text is a system header's
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens by number: texts, places in `text`, each bracket's partner, the `{` around each token (-1: none)."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    partner: dict[int, int]
    around: tuple[int, ...]

    def end(self, at: int) -> int:
        """Where a token ends in the text."""
        return self.starts[at] + len(self.words[at])

    def between(self, first: int, last: int) -> str:
        """The text from one token to another, line markers left out."""
        cut = self.text[self.starts[first] : self.end(last)]
        return re.sub(r"^#[^\n]*\n", "", cut, flags=re.MULTILINE).strip()


def _own_parts(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of the text that are no system header's.

    A system header's macro brings its flag into the file that uses it: what counts is how a file was first entered.
    """
    start, own = 0, True
    system: dict[str, bool] = {}
    for marker in _MARKER.finditer(text):
        if own and marker.start() > start:
            yield start, marker.start()
        flagged = _SYSTEM in marker[2].split() or marker[1].startswith("<")
        own = not system.setdefault(marker[1], flagged)
        start = marker.end() + 1
    if own and start < len(text):
        yield start, len(text)


def tokens(text: str) -> Tokens:
    """Read preprocessed text."""
    words: list[str] = []
    starts: list[int] = []
    for low, high in _own_parts(text):
        for match in _TOKEN.finditer(text, low, high):
            word = match[0]
            if word[0] != "#" or word == "#":
                words.append(word)
                starts.append(match.start())
    partner: dict[int, int] = {}
    around: list[int] = []
    braces: list[int] = []
    opened: list[int] = []
    for at, word in enumerate(words):
        around.append(braces[-1] if braces else -1)
        if word in _CLOSING:
            opened.append(at)
            if word == "{":
                braces.append(at)
        elif word in {")", "]", "}"} and opened:
            begin = opened.pop()
            partner[begin], partner[at] = at, begin
            if word == "}" and braces and braces[-1] == begin:
                braces.pop()
                around[-1] = braces[-1] if braces else -1
    return Tokens(text, tuple(words), tuple(starts), partner, tuple(around))

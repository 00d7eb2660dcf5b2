"""A Makefile's logical lines: assignments, rules, recipes and directives, with the places of their parts."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from hipport.buildfiles.words import Word, split_words

if TYPE_CHECKING:
    from collections.abc import Iterator


class LineKind(Enum):
    """What a logical line is."""

    BLANK = "blank"
    ASSIGN = "assign"
    RULE = "rule"
    RECIPE = "recipe"
    DIRECTIVE = "directive"
    OTHER = "other"


class Line(NamedTuple):
    """A logical line at `start` to `end` (without its newline).

    For an assignment `name`, `operator` and the value from `body`, whose `words` end at a comment; for a rule the words
    of its prerequisites and the recipe after `;` from `body` (or `end`); for a recipe line its text from `body`.
    `commands` are those of a recipe, each as its words.
    """

    kind: LineKind
    start: int
    end: int
    body: int
    name: str = ""
    operator: str = ""
    name_start: int = 0
    prerequisites: tuple[Word, ...] = ()
    words: tuple[Word, ...] = ()
    commands: tuple[tuple[Word, ...], ...] = ()


_DIRECTIVE = re.compile(
    r"[ ]*(?:ifeq|ifneq|ifdef|ifndef|else|endif|-?include|sinclude|export|unexport|vpath|undefine|load)\b"
)
_ASSIGN = re.compile(
    r"[ \t]*(?:(?:export|override|private)[ \t]+)*([^\s:=#?+!$]+|\$\([^)]*\))[ \t]*(\?=|:{0,3}=|\+=|!=)[ \t]*"
)
_TARGET_ASSIGN = re.compile(
    r"[^\n#=\t][^\n#=]*?::?[ \t]*(?:(?:export|override|private)[ \t]+)*([\w.-]+)[ \t]*(\?=|:{0,3}=|\+=)[ \t]*"
)
_STRUCTURE = re.compile(r"[(){}:#]")
_LOGICAL = re.compile(r"[^\n\\]*(?:\\[\s\S][^\n\\]*)*")


def lines(text: str) -> Iterator[Line]:
    """The logical lines of a Makefile, in order; the lines of a `define` are one OTHER line each."""
    at, in_define = 0, False
    rule: Line | None = None
    while at < len(text):
        match = _LOGICAL.match(text, at)
        end = match.end() if match else at
        raw = text[at:end]
        stripped = raw.strip()
        if in_define:
            in_define = not stripped.startswith("endef")
            yield Line(LineKind.OTHER, at, end, at)
        elif stripped.startswith(("define ", "override define ")):
            in_define = True
            yield Line(LineKind.OTHER, at, end, at)
        else:
            line = _line(text, at, end, rule)
            if line.kind is LineKind.RULE:
                rule = line
            elif line.kind is LineKind.ASSIGN and not raw.startswith("\t"):
                rule = None
            yield line
        at = end + 1


def _line(text: str, at: int, end: int, rule: Line | None) -> Line:
    raw = text[at:end]
    if raw.startswith("\t") and rule is not None:
        spoken = tuple(_commands(text, at + 1, end))
        return Line(LineKind.RECIPE, at, end, at + 1, prerequisites=rule.prerequisites, commands=spoken)
    if not raw.strip() or raw.lstrip().startswith("#"):
        return Line(LineKind.BLANK, at, end, at)
    assign = _ASSIGN.match(text, at, end)
    if assign and not (_DIRECTIVE.match(raw) and not re.match(r"[ ]*(?:export|override)\b", raw)):
        return _assignment(text, at, end, assign)
    if _DIRECTIVE.match(raw):
        return Line(LineKind.DIRECTIVE, at, end, at)
    target = _TARGET_ASSIGN.match(text, at, end)
    if target:
        return _assignment(text, at, end, target)
    colon = _colon(text, at, end)
    if colon < 0:
        return Line(LineKind.OTHER, at, end, at)
    semicolon = text.find(";", colon, end)
    body = semicolon + 1 if semicolon >= 0 else end
    words = tuple(split_words(text, colon + 1, semicolon if semicolon >= 0 else end, comments=True))
    spoken = tuple(_commands(text, body, end)) if body < end else ()
    return Line(LineKind.RULE, at, end, body, prerequisites=words, commands=spoken)


def _assignment(text: str, at: int, end: int, match: re.Match[str]) -> Line:
    words = tuple(split_words(text, match.end(), end, comments=True))
    return Line(LineKind.ASSIGN, at, end, match.end(), match[1], match[2], match.start(1), words=words)


def _colon(text: str, at: int, end: int) -> int:
    """The place after the rule's last leading colon, outside `$(...)`, or -1."""
    depth = 0
    for match in _STRUCTURE.finditer(text, at, end):
        index, char = match.start(), match[0]
        depth += (char in "({") - (char in ")}")
        if char == "#" and depth == 0:
            return -1
        if char == ":" and depth == 0:
            return index + (text[index + 1 : index + 2] == ":")
    return -1


def _commands(text: str, start: int, end: int) -> Iterator[tuple[Word, ...]]:
    """The shell commands of a recipe line, each as its words; make's `@`, `-` and `+` are not part of them."""
    while start < end and text[start] in "@-+ \t":
        start += 1
    current: list[Word] = []
    for word in split_words(text, start, end):
        if word.text in {"&&", "||", "|", ";", "&", "then", "do", "else", "{", "}", "(", ")"}:
            yield tuple(current)
            current = []
            continue
        if word.text.endswith(";") and not word.text.endswith("\\;"):
            current.append(Word(word.text[:-1], word.start, word.end - 1))
            yield tuple(w for w in current if w.text)
            current = []
            continue
        current.append(word)
    yield tuple(current)

"""CMake's language: commands with their arguments and places (cmake-language(7)); comments and blanks stay outside."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class ArgKind(Enum):
    """How an argument is written; parentheses inside of an argument list are arguments too."""

    UNQUOTED = "unquoted"
    QUOTED = "quoted"
    BRACKET = "bracket"
    PAREN = "paren"


@dataclass(frozen=True, slots=True)
class Arg:
    """One argument: `text` as written at `start` to `end`, `value` without its quotes or brackets (escapes kept)."""

    kind: ArgKind
    text: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Command:
    """`name(args)`: `name` in lower case, at `start` to `end`; `name_end` is where the name ends."""

    name: str
    start: int
    name_end: int
    end: int
    args: tuple[Arg, ...]

    def values(self) -> list[str]:
        """The arguments' values."""
        return [arg.value for arg in self.args]


class CMakeSyntaxError(Exception):
    """Text that CMake does not read either.

    Args:
        what: what is wrong.
        at: where, in bytes.
    """

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.at = at


_BLANK = re.compile(r"\s+")
_NAME = re.compile(r"[A-Za-z_]\w*")
_BRACKET = re.compile(r"\[(=*)\[")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
# legacy unquoted arguments may hold quoted parts and make's $(...)
_UNQUOTED = re.compile(r'(?:\$\([^\s()#"]*\)|[^\s()#"\\]|\\.|(?<=[^\s()#])"(?:[^"\\]|\\.)*")+', re.DOTALL)


def _comment_end(text: str, at: int) -> int:
    """The end of the comment at `at`."""
    match = _BRACKET.match(text, at + 1)
    if match:
        end = text.find(f"]{match[1]}]", match.end())
        if end < 0:
            raise CMakeSyntaxError("a bracket comment is not closed", at)
        return end + len(match[1]) + 2
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def commands(text: str) -> Iterator[Command]:
    """The commands of a file, in order.

    Raises:
        CMakeSyntaxError: the text is no CMake.
    """
    at = 3 if text.startswith("\xef\xbb\xbf") else 0
    while at < len(text):
        if match := _BLANK.match(text, at):
            at = match.end()
        elif text[at] == "#":
            at = _comment_end(text, at)
        elif match := _BRACKET.match(text, at):
            raise CMakeSyntaxError("a bracket argument outside of a command", at)
        elif match := _NAME.match(text, at):
            command = _command(text, at, match.end())
            yield command
            at = command.end
        else:
            raise CMakeSyntaxError(f"`{text[at]}` where a command is expected", at)


def _command(text: str, start: int, name_end: int) -> Command:
    at = name_end
    while at < len(text) and text[at] in " \t":
        at += 1
    if text[at : at + 1] != "(":
        raise CMakeSyntaxError(f"`{text[start:name_end]}` without an argument list", start)
    args: list[Arg] = []
    depth, at = 1, at + 1
    while depth:
        if at >= len(text):
            raise CMakeSyntaxError(f"the argument list of `{text[start:name_end]}` is not closed", start)
        if match := _BLANK.match(text, at):
            at = match.end()
        elif text[at] == "#":
            at = _comment_end(text, at)
        else:
            arg = _argument(text, at)
            depth += (arg.text == "(") - (arg.text == ")") if arg.kind is ArgKind.PAREN else 0
            if depth:
                args.append(arg)
            at = arg.end
    return Command(text[start:name_end].lower(), start, name_end, at, tuple(args))


def _argument(text: str, at: int) -> Arg:
    if text[at] in "()":
        return Arg(ArgKind.PAREN, text[at], text[at], at, at + 1)
    if match := _BRACKET.match(text, at):
        close = f"]{match[1]}]"
        end = text.find(close, match.end())
        if end < 0:
            raise CMakeSyntaxError("a bracket argument is not closed", at)
        stop = end + len(close)
        return Arg(ArgKind.BRACKET, text[at:stop], text[match.end() : end], at, stop)
    if text[at] == '"':
        match = _QUOTED.match(text, at)
        if not match:
            raise CMakeSyntaxError("a quoted argument is not closed", at)
        return Arg(ArgKind.QUOTED, match[0], match[0][1:-1], at, match.end())
    match = _UNQUOTED.match(text, at)
    if not match:
        raise CMakeSyntaxError(f"`{text[at]}` in an argument list", at)
    return Arg(ArgKind.UNQUOTED, match[0], match[0], at, match.end())


@dataclass(frozen=True, slots=True)
class Genex:
    """What generator expressions hold: `inside` the spans of all contents, `cuda` those for CUDA alone."""

    masked: str
    inside: tuple[tuple[int, int], ...]
    cuda: tuple[tuple[int, int], ...]


def masked_genex(text: str, start: int, end: int) -> Genex:
    """`text[start:end]` with the frames of generator expressions blanked, and the spans of their contents.

    Of `$<$<COMPILE_LANGUAGE:CUDA>:-a -b>` the words `-a -b` stay, at their places.
    """
    out = list(text[start:end])
    contents: list[tuple[int, int, bool]] = []
    at = start
    while at < end:
        if text.startswith("$<", at):
            at = _genex(text, (at, end), start, out, contents)
        else:
            at += 1
    inside = tuple((a, b) for a, b, _ in contents)
    return Genex("".join(out), inside, tuple((a, b) for a, b, cuda in contents if cuda))


def _genex(text: str, span: tuple[int, int], base: int, out: list[str], contents: list[tuple[int, int, bool]]) -> int:
    """Blank one expression's frame; returns where reading goes on (its content, or its end)."""
    at, end = span
    depth, index, colon, close = 0, at, -1, -1
    while index < end:
        if text.startswith("$<", index):
            depth += 1
            index += 2
            continue
        if text[index] == ">" and depth:
            depth -= 1
            if depth == 0:
                close = index
                break
        elif text[index] == ":" and depth == 1 and colon < 0:
            colon = index
        index += 1
    if colon < 0 or close < 0:
        return (close if close >= 0 else at) + 1
    for spot in (*range(at, colon + 1), close):
        out[spot - base] = " "
    head = text[at:colon]
    asks = re.search(r"(?:LANGUAGE|LANG_AND_ID):[A-Z,]*CUDA|CUDA_COMPILER_ID", head) is not None
    contents.append((colon + 1, close, asks and "$<NOT:" not in head))
    return colon + 1

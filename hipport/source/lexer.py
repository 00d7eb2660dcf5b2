"""Bytes -> code: one compiled scan that blanks what is no code, offsets kept. No clang, no encodings.

Every later step searches `Lexed.code` with plain finds and regular expressions: whatever it hits is code, at the
same offset in the file. Comments become spaces, literals and `<headers>` keep their quotes alone, spliced lines are
joined by spaces and Jinja placeholders become letters, so that `{{ name }}_kernel` stays one word.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

_COMMENT = rb"//[^\\\n]*(?:\\(?:[ \t]*\r?\n|[\s\S]|\Z)[^\\\n]*)*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|/\*[\s\S]*\Z"
_RAW = rb'"(?:(?<=\bR")|(?<=\b[LuU]R")|(?<=\bu8R"))(?P<mark>[^()\\\s"]{0,16})\([\s\S]*?\)(?P=mark)"'
_STRING = rb'"[^"\\\n]*(?:\\(?:\r\n|[\s\S]|\Z)[^"\\\n]*)*"?'
# 1'000'000: a quote between digits is no literal, but u8'a' and case'a' are
_SEPARATOR = rb"'(?<=[0-9A-Fa-f]')(?<!\bu8')(?<!\bcase')(?<!\belse')[0-9A-Fa-f]"
_CHARACTER = rb"'[^'\\\n]*(?:\\(?:\r\n|[\s\S]|\Z)[^'\\\n]*)*'?"
_HEADER = rb"\#[ \t]*(?:include|include_next|import)[ \t]*<[^>\n]*>"
_NOT_CODE = re.compile(b"|".join((_COMMENT, _RAW, _STRING, _SEPARATOR, _CHARACTER, _HEADER)))
_JINJA = rb"\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{\#[\s\S]*?\#\}"
_JINJA_STRING = rb'"(?:\{\{[\s\S]*?\}\}|[^"\\\n]|\\[\s\S])*"?'
_JINJA_NAMES = (".j2", ".jinja", ".jinja2")
_BOM = b"\xef\xbb\xbf"

# A byte of an identifier: ASCII letters, digits, `_`, `$`, and every byte of a UTF-8 or Latin-1 letter.
WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$") | frozenset(range(128, 256))
_TO_WORDS = bytes(c if c in WORD_BYTES else 32 for c in range(256))
IDENTIFIER = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")


class Lexed(NamedTuple):
    """A file with all that is no code blanked; `code` has the length of the data, one logical line a line.

    `strings` are the half-open byte ranges of string literals, quotes included.
    """

    code: bytes
    strings: tuple[tuple[int, int], ...]

    def words(self) -> set[bytes]:
        """Every identifier, keyword and number in code."""
        return set(self.code.translate(_TO_WORDS).split())


def is_jinja(path: str) -> bool:
    """Whether the file is a Jinja template, by its name."""
    return path.endswith(_JINJA_NAMES)


def lex(data: bytes, *, jinja: bool = False) -> Lexed:
    """Blank comments and literals of a C, C++, CUDA or HIP file in any ASCII-compatible encoding."""
    if b"\r" in data and b"\n" not in data:  # lines that end in CR alone
        data = data.replace(b"\r", b"\n")
    pieces: list[bytes] = []
    strings: list[tuple[int, int]] = []
    last = 0
    if data.startswith(_BOM):
        pieces.append(b"   ")
        last = 3
    for match in (_not_code_jinja() if jinja else _NOT_CODE).finditer(data, last):
        start, end = match.span()
        pieces.append(data[last:start])
        first = data[start]
        if first == 34:  # "
            strings.append((start, end))
            pieces.append(b'"' + b" " * (end - start - 2) + b'"' if end - start > 1 else b'"')
        elif first == 47:  # /
            pieces.append(b" " * (end - start))
        elif first == 39:  # '
            pieces.append(_blank_character(data[start:end]))
        elif first == 35:  # #include <...>
            opening = data.index(b"<", start) + 1
            pieces.append(data[start:opening] + b" " * (end - opening - 1) + b">")
        else:
            pieces.append(_blank_jinja(data[start:end]))
        last = end
    pieces.append(data[last:])
    code = b"".join(pieces)
    if b"%:" in code:  # the digraph of `#`
        code = code.replace(b"%:", b"# ")
    if b"\\" in code:
        code = code.replace(b"\\\r\n", b"   ").replace(b"\\\n", b"  ")
    return Lexed(code, tuple(strings))


@cache
def _not_code_jinja() -> re.Pattern[bytes]:
    return re.compile(b"|".join((_JINJA, _COMMENT, _RAW, _JINJA_STRING, _SEPARATOR, _CHARACTER, _HEADER)))


def _blank_character(text: bytes) -> bytes:
    if len(text) < 2:
        return text
    if text[-1] != 39:  # a digit separator, or an apostrophe in prose
        return b"_" + text[1:] if len(text) == 2 else b" " * len(text)
    return b"'" + b" " * (len(text) - 2) + b"'"


def _blank_jinja(text: bytes) -> bytes:
    if text.startswith(b"{{"):
        return b"_" * len(text)
    return re.sub(rb"[^\n]", b" ", text)

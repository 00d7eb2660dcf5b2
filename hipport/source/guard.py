"""What a result must hold before it is written: nothing but the edits changed, and it still reads as its language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.source.lexer import is_jinja, lex

if TYPE_CHECKING:
    from hipport.source.edits import Placed

# What an edit may change without changing how the bytes around it are read.
_PLAIN = re.compile(rb"[^()\[\]{}\"'\\*]*\Z")
_QUOTE = ord('"')
_BRACKETS = b"()[]{}\"'"
_OTHERS = bytes(byte for byte in range(256) if byte not in _BRACKETS)
# comments, bracket arguments, strings and escapes of CMake, which are passed over; then what must have a partner
_CMAKE = re.compile(rb'#\[(=*)\[.*?\]\1\]|#[^\n]*|\[(=*)\[.*?\]\2\]|"(?:[^"\\]|\\.)*"|\\.|["()]', re.DOTALL)
_PAIRS = (b"()", b"[]", b"{}", b'""', b"''")


def untouched(data: bytes, result: bytes, placed: tuple[Placed, ...]) -> bool:
    """Whether the bytes outside of the edits are those of the input."""
    at = out = 0
    for edit in placed:
        if data[at : edit.start] != result[out : edit.out_start]:
            return False
        at, out = edit.end, edit.out_end
    return data[at:] == result[out:]


def is_plain(data: bytes, result: bytes, placed: tuple[Placed, ...]) -> bool:
    """Whether no edit removes or brings a bracket, a quote, a comment or a spliced line."""
    return all(
        _PLAIN.match(data, edit.start, edit.end)
        and _PLAIN.match(result, edit.out_start, edit.out_end)
        and b"//" not in result[edit.out_start : edit.out_end]
        and b"//" not in data[edit.start : edit.end]
        for edit in placed
    )


def lexical_faults(data: bytes, *, jinja: bool = False) -> int:
    """How many brackets and quotes of C-like code have no partner."""
    lexed = lex(data, jinja=jinja)
    unclosed = sum(end - start < 2 or data[end - 1] != _QUOTE for start, end in lexed.strings)
    rest = lexed.code.translate(None, _OTHERS)
    size = -1
    while size != len(rest):
        size = len(rest)
        for pair in _PAIRS:
            rest = rest.replace(pair, b"")
    return size + unclosed


def python_fault(data: bytes) -> str:
    """The syntax error of Python source, or nothing."""
    import ast

    try:
        ast.parse(data)
    except (SyntaxError, ValueError, RecursionError) as error:
        return str(error) or type(error).__name__
    return ""


def cmake_fault(data: bytes) -> str:
    """The quote or parenthesis of a CMake file that has no partner, or nothing."""
    depth = 0
    for match in _CMAKE.finditer(data):
        if match[0] == b'"':
            return "a quote without a partner"
        depth += (match[0] == b"(") - (match[0] == b")")
        if depth < 0:
            break
    return "a parenthesis without a partner" if depth else ""


def new_fault(path: str, data: bytes, result: bytes, placed: tuple[Placed, ...], *, code: bool) -> str:
    """What does not read in `result` though it did in `data`; empty if nothing."""
    if code:
        if is_plain(data, result, placed):
            return ""
        jinja = is_jinja(path)
        before, after = lexical_faults(data, jinja=jinja), lexical_faults(result, jinja=jinja)
        return f"{after} brackets or quotes without a partner where the input has {before}" if after > before else ""
    if path.endswith(".py"):
        fault = python_fault(result)
        return fault if fault and not python_fault(data) else ""
    if path.endswith((".cmake", "CMakeLists.txt")):
        fault = cmake_fault(result)
        return fault if fault and not cmake_fault(data) else ""
    return ""

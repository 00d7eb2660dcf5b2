"""What a result must hold before it is written: nothing but the edits changed, and it still reads as its language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.source.edits import Placed

_RAW = rb'\b(?:u8|[uUL])?R"(?P<tag>[^()\\\s"]{0,16})\(.*?\)(?P=tag)"'
_OPAQUE = re.compile(
    rb"//(?:[^\n\\]|\\.)*|/\*.*?\*/|/\*|" + _RAW + rb'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[(){}\[\]]|["\']',
    re.DOTALL,
)
_NUMBER = re.compile(rb"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])")
_PAIRS = {b")": b"(", b"]": b"[", b"}": b"{"}


def untouched(data: bytes, result: bytes, placed: tuple[Placed, ...]) -> bool:
    """Whether the bytes outside of the edits are those of the input."""
    at = out = 0
    for edit in placed:
        if data[at : edit.start] != result[out : edit.out_start]:
            return False
        at, out = edit.end, edit.out_end
    return data[at:] == result[out:]


def lexical_faults(data: bytes) -> int:
    """How many brackets, comments and literals of C-like code are not closed or not opened."""
    faults = 0
    stack: list[bytes] = []
    for match in _OPAQUE.finditer(_NUMBER.sub(b"", data)):
        token = match.group()
        if token == b"/*":  # what follows is comment
            faults += 1
            break
        if len(token) > 1:
            continue
        if token in b"([{":
            stack.append(token)
        elif stack and stack[-1] == _PAIRS.get(token):
            stack.pop()
        else:  # a bracket that closes nothing, or a quote
            faults += 1
    return faults + len(stack)


def python_fault(data: bytes) -> str:
    """The syntax error of Python source, or nothing."""
    import ast

    try:
        ast.parse(data)
    except (SyntaxError, ValueError, RecursionError) as error:
        return str(error) or type(error).__name__
    return ""


def new_fault(path: str, data: bytes, result: bytes, *, code: bool) -> str:
    """What does not read in `result` though it did in `data`; empty if nothing."""
    if code:
        before, after = lexical_faults(data), lexical_faults(result)
        return f"{after} unclosed brackets or literals where the input has {before}" if after > before else ""
    if path.endswith(".py"):
        fault = python_fault(result)
        return fault if fault and not python_fault(data) else ""
    return ""

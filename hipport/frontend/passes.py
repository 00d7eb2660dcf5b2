"""Whether HIP's compiler sees a place at all: tests of `__CUDA_ARCH__`, as a port answers them, in both of its passes.

`__CUDA_ARCH__` is not defined for HIP. A port turns tests for what AMD has too (below sm_70) into tests for device
code; later generations stay at 0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.text import CodeText

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
_TOKEN = re.compile(r"defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)|([A-Za-z_]\w*)|(\d+)|(&&|\|\||[<>=!]=|[!()<>])|(\S)")
_COMPARE = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
_ARCH = "__CUDA_ARCH__"
_AMD_HAS_BEFORE = 700  # sm_70: what came before AMD has under the same names


class _Question:
    """A condition in one pass: true, false, or None where it depends on something else."""

    def __init__(self, text: str, *, device: bool) -> None:
        self.tokens = [m.groups() for m in _TOKEN.finditer(text)]
        self.device = device
        self.at = 0

    def sign(self) -> str:
        return (self.tokens[self.at][4] or "") if self.at < len(self.tokens) else ""

    def either(self) -> bool | None:
        value = self.both()
        while self.sign() == "||":
            self.at += 1
            value = _any(value, self.both())
        return value

    def both(self) -> bool | None:
        value = self.one()
        while self.sign() == "&&":
            self.at += 1
            value = _not(_any(_not(value), _not(self.one())))
        return value

    def one(self) -> bool | None:
        if self.sign() == "!":
            self.at += 1
            return _not(self.one())
        if self.sign() == "(":
            self.at += 1
            value = self.either()
            self.at += 1
            return value if self.sign() in ("", "&&", "||", ")") else self.skipped()
        return self.leaf()

    def leaf(self) -> bool | None:
        if self.at >= len(self.tokens):
            return None
        called, bare, word, number, _, _ = self.tokens[self.at]
        self.at += 1
        if called or bare:
            return self.device if (called or bare) == _ARCH else None
        if word == _ARCH:
            return self.arch()
        if number and self.sign() in ("", "&&", "||", ")"):
            return int(number) != 0
        return self.skipped()

    def arch(self) -> bool | None:
        compare = _COMPARE.get(self.sign())
        if compare is None:
            return self.device if self.sign() in ("", "&&", "||", ")") else self.skipped()
        number = self.tokens[self.at + 1][3] if self.at + 1 < len(self.tokens) else None
        if number is None:
            return self.skipped()
        self.at += 2
        known = self.device and int(number) < _AMD_HAS_BEFORE
        return bool(compare(_AMD_HAS_BEFORE - 1 if known else 0, int(number)))

    def skipped(self) -> bool | None:
        """Go past what is not understood, up to the next part of the condition: None."""
        depth = 0
        while self.at < len(self.tokens) and (depth or self.sign() not in ("&&", "||", ")")):
            depth += {"(": 1, ")": -1}.get(self.sign(), 0)
            self.at += 1
        return None


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _any(a: bool | None, b: bool | None) -> bool | None:
    if a or b:
        return True
    return None if a is None or b is None else False


def compiled(text: CodeText, offset: int) -> bool:
    """Whether the host pass or the device pass of a port may compile the code at an offset."""
    return any(_open(text.code, offset, device=device) for device in (False, True))


def _open(code: bytes, offset: int, *, device: bool) -> bool:
    stack: list[list[bool | None]] = []  # for each conditional: this branch, and whether an earlier one was taken
    for match in _DIRECTIVE.finditer(code, 0, offset):
        word = match.group(1)
        if word == b"endif":
            if stack:
                stack.pop()
            continue
        rest = match.group(2).replace(b"\\\r\n", b" ").replace(b"\\\n", b" ").decode("utf-8", "replace")
        asked = {b"ifdef": f"defined({rest.strip()})", b"ifndef": f"!defined({rest.strip()})", b"else": "1"}
        value = _Question(asked.get(word, rest), device=device).either()
        if word.startswith(b"if"):
            stack.append([value, value])
        elif stack:
            before = stack[-1][1]
            stack[-1] = [_not(_any(before, _not(value))), _any(before, value)]
    return all(value is not False for value, _ in stack)

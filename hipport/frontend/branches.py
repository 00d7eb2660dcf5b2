"""Which parts of a file the preprocessor gives to AMD, to NVIDIA, to both or to nobody."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.text import CodeText


class Side(str, Enum):
    """For whom a region is compiled."""

    BOTH = "both"
    AMD = "amd"  # only where the author asked for AMD: native code already
    CUDA = "cuda"  # the other side of such a condition: dead on AMD
    DEAD = "dead"  # `#if 0`


DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
AMD_MACRO = re.compile(
    r"USE_ROCM|USE_HIP|\w*(?:HIPCC|HIP_PLATFORM)\w*|__HIP__|__HIP_DEVICE_COMPILE__|__HIP_ARCH\w*|__AMDGCN\w*"
    r"|__AMDGPU__|__GFX\w+__|__gfx\w+__|TORCH_HIP_VERSION|HIP_VERSION\w*|HIP_ENABLED|ROCM_VERSION|__AMD__|ENABLE_ROCM"
    r"|USE_AMD|ENABLE_HIP|BUILD_HIP|WITH_HIP|WITH_ROCM|\w*_(?:HIP|ROCM)_?(?:BACKEND|BUILD|ENABLED)?|CUDA_HIP"
)
_NVIDIA_MACRO = re.compile(r"__HIP_PLATFORM_(?:NVIDIA|NVCC)__|USE_CUDA_NOT_HIP")
_WORD = re.compile(r"defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)|(\w+)|(&&|\|\||[!()]|[<>=]=|!=|[-+*/%<>&|^?:,~])")

# the two worlds: (on AMD, on CUDA), None where neither decides
_Pair = tuple["bool | None", "bool | None"]
_UNKNOWN: _Pair = (None, None)


@dataclass(frozen=True, slots=True)
class Branches:
    """The regions of one file, in order: region i covers bytes `starts[i]` up to `starts[i + 1]`."""

    starts: tuple[int, ...]
    sides: tuple[Side, ...]

    def at(self, offset: int) -> Side:
        """For whom the byte at `offset` is compiled."""
        return self.sides[bisect_right(self.starts, offset) - 1]


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _and(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _defined(name: str) -> _Pair:
    if _NVIDIA_MACRO.fullmatch(name):
        return False, None
    return (True, False) if AMD_MACRO.fullmatch(name) else _UNKNOWN


class _Condition:
    """A recursive descent over the parts of a condition that decide between AMD and CUDA."""

    def __init__(self, text: str) -> None:
        self.tokens = [m.groups() for m in _WORD.finditer(text)]
        self.at = 0

    def peek(self) -> str:
        return (self.tokens[self.at][3] or "") if self.at < len(self.tokens) else ""

    def either(self) -> _Pair:
        value = self.both()
        while self.peek() == "||":
            self.at += 1
            other = self.both()
            value = (
                _not(_and(_not(value[0]), _not(other[0]))),
                _not(_and(_not(value[1]), _not(other[1]))),
            )
        return value

    def both(self) -> _Pair:
        value = self.one()
        while self.peek() == "&&":
            self.at += 1
            other = self.one()
            value = (_and(value[0], other[0]), _and(value[1], other[1]))
        return value

    def one(self) -> _Pair:
        if self.at >= len(self.tokens):
            return _UNKNOWN
        if self.peek() == "!":
            self.at += 1
            value = self.one()
            return _not(value[0]), _not(value[1])
        if self.peek() == "(":
            self.at += 1
            value = self.either()
            self.at += 1
        else:
            value = self.leaf()
        return self.compared(value)

    def leaf(self) -> _Pair:
        called, bare, word, _ = self.tokens[self.at]
        self.at += 1
        name = called or bare
        if name:
            return _defined(name)
        if word and word.rstrip("uUlL").isdigit():
            value = int(word.rstrip("uUlL")) != 0
            return value, value
        return _defined(word or "")

    def compared(self, value: _Pair) -> _Pair:
        """Skip an arithmetic tail; `HIP_VERSION >= x` is unknown on AMD and false on CUDA."""
        tail = False
        while self.peek() not in ("", "&&", "||", ")", "!") or (
            tail and self.at < len(self.tokens) and not self.peek()
        ):
            tail = True
            self.at += 1
        if not tail:
            return value
        return (None, False) if value == (True, False) else _UNKNOWN


def decide(condition: str) -> _Pair:
    """Whether a condition holds (on AMD, on CUDA); None where it decides between them in no way."""
    return _Condition(condition).either()


@dataclass(slots=True)
class _Level:
    outer: _Pair
    taken: _Pair = (False, False)
    decided: bool = False


def _side(pair: _Pair) -> Side:
    if pair[0] is False:
        return Side.DEAD if pair[1] is False else Side.CUDA
    return Side.AMD if pair[1] is False else Side.BOTH


def read(text: CodeText) -> Branches:
    """The regions of a file by its conditionals."""
    starts, sides = [0], [Side.BOTH]
    stack: list[_Level] = []
    now: _Pair = _UNKNOWN
    for match in DIRECTIVE.finditer(text.code):
        word = match.group(1)
        rest = match.group(2).replace(b"\\\n", b" ").replace(b"\\\r\n", b" ").decode("utf-8", "replace").strip()
        if word in (b"if", b"ifdef", b"ifndef"):
            stack.append(_Level(now))
            condition = decide(rest) if word == b"if" else _defined(rest.split()[0] if rest else "")
            if word == b"ifndef":
                condition = (_not(condition[0]), _not(condition[1]))
        elif not stack:
            continue
        elif word == b"elif":
            condition = decide(rest)
        else:
            condition = (True, True)
        if word == b"endif":
            now = stack.pop().outer
        else:
            level = stack[-1]
            free = (_not(level.taken[0]), _not(level.taken[1]))
            now = tuple(_and(_and(o, f), c) for o, f, c in zip(level.outer, free, condition, strict=True))  # type: ignore[assignment]
            level.taken = tuple(_not(_and(_not(t), _not(c))) for t, c in zip(level.taken, condition, strict=True))  # type: ignore[assignment]
        starts.append(match.start())
        sides.append(_side(now))
    return Branches(tuple(starts), tuple(sides))

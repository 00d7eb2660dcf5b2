"""Which parts of a file the preprocessor leaves out for one GPU, as far as the file decides it."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from hipport.frontend.branches import DIRECTIVE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.text import CodeText
    from hipport.targets import Target

_TOKEN = re.compile(r"defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)|(&&|\|\||[!()])|(\w+|\S)")
_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_ONE = re.compile(r"__(gfx[0-9a-f]+)__")
_FAMILY = re.compile(r"__GFX(\d+)__")
_AMD = frozenset({"__HIP_DEVICE_COMPILE__", "__AMDGCN__", "__AMDGPU__", "__HIPCC__", "__HIP__", "__HIP_PLATFORM_AMD__"})
_CUDA = frozenset({"__CUDA_ARCH__", "__NVCC__", "__HIP_PLATFORM_NVIDIA__"})
_DEPTH = 4


class _Part(NamedTuple):
    """Bytes `start` to the next part; `held` is whether they are compiled, `asked` what the conditions around say."""

    start: int
    held: bool | None
    asked: bytes


def _and(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _not(a: bool | None) -> bool | None:
    return None if a is None else not a


class Conditions:
    """The conditionals of one file for one GPU; None stands for what the file does not decide."""

    def __init__(self, text: CodeText, target: Target) -> None:
        self._text, self._name = text, target.name
        self._defined: dict[str, list[int]] = {}
        for match in _DEFINE.finditer(text.code):
            self._defined.setdefault(match.group(1).decode("utf-8", "replace"), []).append(match.start())
        self._known: dict[str, bool | None] = {}
        self._parts = self._read(0)
        self._parts = self._read(_DEPTH)
        self._starts = [part.start for part in self._parts]

    def never(self, offset: int) -> bool:
        """Whether the byte at an offset is not compiled for the GPU, for sure."""
        return self._parts[bisect_right(self._starts, offset) - 1].held is False

    def kept(self, start: int, end: int) -> bytes:
        """What may be compiled between two offsets, without directives."""
        found = bytearray()
        for first, last, part in self._between(start, end):
            found += b"" if part.held is False else self._text.code[first:last]
        return re.sub(rb"(?m)^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*", b"", bytes(found))

    def asking(self, start: int, end: int, wanted: re.Pattern[bytes]) -> Iterator[tuple[int, int]]:
        """The parts between two offsets that are left out for sure by a condition which asks for something."""
        for first, last, part in self._between(start, end):
            if part.held is False and any(self._means(word, wanted) for word in re.findall(rb"\w+", part.asked)):
                yield first, last

    def _means(self, word: bytes, wanted: re.Pattern[bytes]) -> bool:
        """Whether a word of a condition, or the condition under which it is defined, asks for something."""
        if wanted.fullmatch(word):
            return True
        places = self._defined.get(word.decode("utf-8", "replace"), [])
        around = [self._parts[bisect_right(self._starts, at) - 1].asked for at in places]
        return any(wanted.search(asked) for asked in around)

    def _between(self, start: int, end: int) -> Iterator[tuple[int, int, _Part]]:
        at = bisect_right(self._starts, start) - 1
        while at < len(self._parts) and self._parts[at].start < end:
            last = self._parts[at + 1].start if at + 1 < len(self._parts) else end
            yield max(start, self._parts[at].start), min(end, last), self._parts[at]
            at += 1

    def _read(self, depth: int) -> list[_Part]:
        """The parts of the file; at depth 0 nothing is known of the file's own macros."""
        parts = [_Part(0, True, b"")]
        stack: list[tuple[_Part, bool | None, bytes]] = []  # around it, whether a side was taken, conditions so far
        for match in DIRECTIVE.finditer(self._text.code):
            word, rest = match.group(1), re.sub(rb"\\\r?\n", b" ", match.group(2))
            said = rest.decode("utf-8", "replace").strip()
            holds: bool | None = True
            if word in (b"if", b"elif"):
                holds = self._either(_TOKEN.findall(said), [0], depth)
            elif word in (b"ifdef", b"ifndef"):
                holds = self._macro(said.split()[0] if said else "", depth)
                holds = _not(holds) if word == b"ifndef" else holds
            if word.startswith(b"if"):
                stack.append((parts[-1], False, b""))
            if not stack:
                continue
            around, taken, before = stack[-1]
            if word == b"endif":
                stack.pop()
                parts.append(_Part(match.start(), around.held, around.asked))
                continue
            asked = before + b" " + rest
            parts.append(_Part(match.start(), _and(around.held, _and(_not(taken), holds)), around.asked + asked))
            stack[-1] = (around, _not(_and(_not(taken), _not(holds))), asked)
        return parts

    def _macro(self, name: str, depth: int) -> bool | None:
        """Whether a macro is defined."""
        if one := _ONE.fullmatch(name):
            return one.group(1) == self._name
        if family := _FAMILY.fullmatch(name):
            return self._name.removeprefix("gfx")[:-2] == family.group(1)
        if name in _AMD or name in _CUDA:
            return name in _AMD
        places = self._defined.get(name, [])
        if not places or not depth:
            return None
        if name not in self._known:
            self._known[name] = None  # a macro that is defined where it is asked for
            starts = [part.start for part in self._parts]
            held = [self._parts[bisect_right(starts, at) - 1].held for at in places]
            self._known[name] = True if True in held else None if None in held else False
        return self._known[name]

    def _either(self, tokens: list[tuple[str, ...]], at: list[int], depth: int) -> bool | None:
        value = self._both(tokens, at, depth)
        while at[0] < len(tokens) and tokens[at[0]][2] == "||":
            at[0] += 1
            value = _not(_and(_not(value), _not(self._both(tokens, at, depth))))
        return value

    def _both(self, tokens: list[tuple[str, ...]], at: list[int], depth: int) -> bool | None:
        value = self._leaf(tokens, at, depth)
        while at[0] < len(tokens) and tokens[at[0]][2] == "&&":
            at[0] += 1
            value = _and(value, self._leaf(tokens, at, depth))
        return value

    def _leaf(self, tokens: list[tuple[str, ...]], at: list[int], depth: int) -> bool | None:
        if at[0] >= len(tokens):
            return None
        called, bare, sign, word = tokens[at[0]]
        at[0] += 1
        if sign == "!":
            return _not(self._leaf(tokens, at, depth))
        value: bool | None = None
        if sign == "(":
            value = self._either(tokens, at, depth)
            at[0] += 1
        elif called or bare:
            value = self._macro(called or bare, depth)
        elif word.isdigit():
            value = word != "0"
        elif _ONE.fullmatch(word) or _FAMILY.fullmatch(word) or word in _CUDA:
            value = self._macro(word, depth)  # 1 where it is defined, else 0
        compared = False
        while at[0] < len(tokens) and tokens[at[0]][2] not in ("&&", "||", ")"):  # `HIP_VERSION >= 70000000`
            compared = True
            at[0] += 1
        return value if not compared or word in _CUDA else None

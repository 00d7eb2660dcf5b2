"""The build copy of an extension: what asks for a CUDA tensor asks for a CPU tensor there. Tokens, never text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.source.lexer import lex

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIXES = frozenset(
    [
        ".c",
        ".cc",
        ".cpp",
        ".cxx",
        ".c++",
        ".cu",
        ".cuh",
        ".h",
        ".hh",
        ".hpp",
        ".hxx",
        ".h++",
        ".hip",
        ".inl",
        ".inc",
        ".ipp",
        ".tcc",
        ".tpp",
        ".impl",
    ]
)

# `x.type().is_cuda()`: the type has no is_cpu
_TYPE_IS = rb"(?P<typed>(?:\.|->)\s*type\s*\(\s*\)\s*\.\s*is_(?:cuda|hip)\b)"
_WORD = rb"(?P<word>\b(?:is_cuda|is_hip|kCUDA|kHIP)\b)"
_SCOPED = rb"\b(?:DeviceType|DispatchKey|Backend)\s*::\s*(?P<key>(?:Autograd|Autocast)?(?:CUDA|HIP)\b)"
_IMPL = rb"\bTORCH_LIBRARY_IMPL\w*\s*\([^(),]*,\s*(?P<library>(?:Autograd|Autocast)?(?:CUDA|HIP|CPU))\s*,"
_MOVED = rb"(?:\.|->)\s*(?P<moved>cuda)\s*\("
_DEVICE = rb'\bDevice\s*\(\s*(?P<device>"[^"]*")'
_TOKENS = re.compile(b"|".join((_TYPE_IS, _WORD, _SCOPED, _IMPL, _MOVED, _DEVICE)))
_WORDS = {b"is_cuda": b"is_cpu", b"is_hip": b"is_cpu", b"kCUDA": b"kCPU", b"kHIP": b"kCPU"}
_UNUSED_KEY = (
    b"FPGA"  # a key that no tensor here has: a repository's own CPU operators are registered, and never chosen
)


def for_cpu(data: bytes, *, twice: bool = False) -> bytes:
    """The source with CUDA's device, keys and questions made the CPU's; offsets of lines stay.

    Args:
        data: the file.
        twice: the extension registers operators for the CPU too: those are put out of the way.
    """
    code = lex(data).code
    pieces, last = [], 0
    for start, end, text in _edits(code, data, twice=twice):
        pieces += [data[last:start], text]
        last = end
    return b"".join((*pieces, data[last:]))


def registers_for_cpu(data: bytes) -> bool:
    """Whether it gives an operator library the CPU's own kernels."""
    return any(match["library"] == b"CPU" for match in _TOKENS.finditer(lex(data).code) if match["library"])


def _edits(code: bytes, data: bytes, *, twice: bool) -> Iterator[tuple[int, int, bytes]]:
    for match in _TOKENS.finditer(code):
        kind = match.lastgroup or ""
        start, end = match.span(kind)
        if kind == "typed":
            yield start, end, b".is_cpu"
        elif kind == "word":
            yield start, end, _WORDS[match[kind]]
        elif kind == "moved":
            yield start, end, b"cpu"
        elif kind == "device":
            if data[start + 1 : end - 1].partition(b":")[0] in {b"cuda", b"hip"}:
                yield start, end, b'"cpu"'
        elif match[kind] == b"CPU":
            if twice:
                yield start, end, _UNUSED_KEY
        else:
            yield start, end, match[kind].replace(b"CUDA", b"CPU").replace(b"HIP", b"CPU")

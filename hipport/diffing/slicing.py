"""The device code of a source and its headers alone, so that kernels of PyTorch extensions build without PyTorch.

Functions without `__device__`, `__global__` or `constexpr`, what names PyTorch, and the headers of host libraries are
blanked; lines stay where they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.source.lexer import lex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_DEVICE = rb"__device__|__global__|\bconstexpr\b|__constant__"
_HOST_HEADER = re.compile(
    rb"\s*#\s*include\s*[<\"](torch/|ATen/|c10/|pybind11/|caffe2/|Python\.h|cublas|cusparse|cusolver|cufft|cudnn|nccl"
    rb"|hipblas|hipsparse|hipsolver|hipfft|miopen|rccl|thrust/|nvToolsExt|nvtx)"
)
_CUB_HEADER = re.compile(rb"\s*#\s*include\s*[<\"](cub|hipcub|rocprim)/")
_HOST_NAME = re.compile(
    rb"\b(torch|at|c10|pybind11|py|thrust)\s*::|\b(cub|hipcub)\s*::\s*Device|\bPyObject\b|\b(cuda|hip)(Stream|Event|Graph)_t\b|\b(cu|hip)blas\w*"
)
_CUB_NAME = re.compile(rb"\b(cub|hipcub|rocprim)\s*::")
_TYPE = re.compile(rb"\s*(?:template\s*<[^{;]*>\s*)?(?:typedef\s+)?(?:struct|class|union|enum)\b[^(;=]*\Z", re.DOTALL)
_OPEN = re.compile(rb"(?:inline\s+)?namespace\b[^{;=]*\{|extern\s*\"[^\"]*\"\s*\{")
_PAIRS = {b"(": b")", b"[": b"]", b"{": b"}"}
HEADER = "hipport_slice.h"
INCLUDES = b"#pragma once\n" + b"".join(
    b"#include <%s>\n" % name for name in (b"cfloat", b"climits", b"cmath", b"cstddef", b"cstdint", b"type_traits")
)
INCLUDES += b"".join(  # PyTorch's headers bring both
    b"#if __has_include(<hip/hip_%s.h>)\n#include <hip/hip_%s.h>\n" % (name, name)
    + b"#elif __has_include(<cuda_%s.h>)\n#include <cuda_%s.h>\n#endif\n" % (name, name)
    for name in (b"fp16", b"bf16")
)


def device_macros(files: Mapping[str, bytes]) -> frozenset[bytes]:
    """The macros that stand for `__device__` or `__global__`."""
    found = set()
    for data in files.values():
        code = lex(data).code
        found |= {
            m[1]
            for m in re.finditer(
                rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^)\n]*\))?[^\n]*(?:__device__|__global__)", code, re.MULTILINE
            )
        }
    return frozenset(found)


def device_only(data: bytes, macros: frozenset[bytes] = frozenset()) -> bytes:
    """The file with its host code blanked."""
    code = lex(data).code
    names = b"|".join([_DEVICE, *(rb"\b%s\b" % re.escape(name) for name in sorted(macros))])
    device = re.compile(names)
    out = bytearray(data)
    kept = []
    for start, end, kind in _items(code):
        text = code[start:end]
        if _keeps(data[start:end], text, kind, device):
            kept.append((start, end))
            continue
        _blank(out, start, end)
    if not any(_CUB_NAME.search(code[a:b]) for a, b in kept):
        for match in re.finditer(rb"^[^\n]*$", bytes(out), re.MULTILINE):
            if _CUB_HEADER.match(match[0]):
                _blank(out, *match.span())
    return bytes(out)


def _blank(out: bytearray, start: int, end: int) -> None:
    out[start:end] = bytes(byte if byte in b"\r\n" else 32 for byte in out[start:end])


def _keeps(raw: bytes, code: bytes, kind: str, device: re.Pattern[bytes]) -> bool:
    if kind == "directive":
        return not _HOST_HEADER.match(raw)
    if kind == "brace":
        return True
    if device.search(code):
        return kind == "function" or not _HOST_NAME.search(code)
    return kind == "other" and not _HOST_NAME.search(code)


def _items(code: bytes) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of what stands at namespace level: directive, brace, function or other."""
    at, size = 0, len(code)
    while at < size:
        if code[at : at + 1].isspace():
            at += 1
            continue
        if code[at : at + 1] == b"#":
            end = code.find(b"\n", at)
            end = size if end < 0 else end
            yield at, end, "directive"
        elif opened := _OPEN.match(code, at):
            end = opened.end()
            yield at, end, "brace"
        elif code[at : at + 1] in {b"}", b";"}:
            end = at + 1
            yield at, end, "brace"
        else:
            end, kind = _item(code, at)
            yield at, end, kind
        at = end


def _item(code: bytes, start: int) -> tuple[int, str]:
    """The end of one declaration or definition, and whether it is a function."""
    at, size = start, len(code)
    body = False
    while at < size:
        char = code[at : at + 1]
        if char == b";":
            text = code[start:at]
            called = re.search(rb"\w\s*\([^=]*\)\s*(const\b|noexcept\b|->[^;]*|\s)*\Z", text) is not None
            return at + 1, "function" if called and not body and not _TYPE.match(text) else "other"
        if char == b"#" and not code[code.rfind(b"\n", 0, at) + 1 : at].strip():
            line = code.find(b"\n", at)  # a directive inside: part of the item
            at = size if line < 0 else line
            continue
        if char == b"{":
            head = code[start:at]
            close = _closing(code, at)
            if not _TYPE.match(head) and b"=" not in re.sub(
                rb"\([^()]*\)|operator\W+|template\s*<[^{]*?>\s", b"", head
            ):
                return close, "function"
            body = True
            at = close
            continue
        if char in _PAIRS:
            at = _closing(code, at)
            continue
        if char == b"}":  # unbalanced: the end of a namespace
            return at, "other"
        at += 1
    return size, "other"


def _closing(code: bytes, at: int) -> int:
    """Just after what closes the bracket at `at`."""
    stack = []
    for match in re.finditer(rb"[()\[\]{}]", code[at:]):
        char = match[0]
        if char in _PAIRS:
            stack.append(_PAIRS[char])
        elif stack and char == stack[-1]:
            stack.pop()
        if not stack:
            return at + match.end()
    return len(code)


def sliced(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Every file with its device code alone; each begins with a header for what PyTorch's headers used to bring."""
    macros = device_macros(files)
    return {name: device_only(data, macros) for name, data in files.items()}

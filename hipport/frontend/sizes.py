"""Bytes of the types that CUDA and HIP lay out alike on the GPU."""

from __future__ import annotations

import re

# LP64: both GPUs' ABIs (CUDA C++ Programming Guide, "Built-in Vector Types"; AMDGPU data layout in clang)
_SCALARS = {
    **dict.fromkeys(("char", "bool", "int8_t", "uint8_t", "uchar", "byte", "std::byte", "int8", "uint8"), 1),
    **dict.fromkeys(("short", "int16_t", "uint16_t", "ushort", "half", "__half", "bf16", "c10::Half", "at::Half"), 2),
    **dict.fromkeys(("__nv_bfloat16", "nv_bfloat16", "__hip_bfloat16", "c10::BFloat16", "at::BFloat16"), 2),
    **dict.fromkeys(("int", "unsigned", "float", "uint", "int32_t", "uint32_t", "half2", "__half2"), 4),
    **dict.fromkeys(("__nv_bfloat162", "nv_bfloat162", "wchar_t"), 4),
    **dict.fromkeys(("long", "double", "size_t", "int64_t", "uint64_t", "ulong", "clock_t", "cuComplex"), 8),
    **dict.fromkeys(("uintptr_t", "intptr_t", "ptrdiff_t", "cuFloatComplex"), 8),
    **dict.fromkeys(("cuDoubleComplex", "__int128", "__int128_t", "__uint128_t"), 16),
    **dict.fromkeys(("__nv_fp8_e4m3", "__nv_fp8_e5m2", "__nv_fp8_storage_t"), 1),
}
_VECTOR = re.compile(r"(u?(?:char|short|int|long|longlong)|float|double)([1-4])\Z")
_STRICTEST = 16  # bytes that the widest vectors are aligned to
_OF = {"char": 1, "short": 2, "int": 4, "long": 8, "longlong": 8, "float": 4, "double": 8}


def layout_of(kind: str) -> tuple[int, int] | None:
    """Bytes and alignment of a scalar or built-in vector type as it is spelled; None for any other."""
    size = size_of(kind)
    if size is None:
        return None
    words = [word for word in kind.split() if word not in ("const", "volatile", "unsigned", "signed")]
    name = " ".join(words).removeprefix("std::")
    vector = _VECTOR.fullmatch(name)
    if vector and not kind.rstrip().endswith("*"):
        element, lanes = size // int(vector[2]), int(vector[2])
        return size, element if lanes in (1, 3) else min(element * lanes, _STRICTEST)
    return size, min(size, 8) if name not in ("cuDoubleComplex", "__int128") else 16


def size_of(kind: str) -> int | None:
    """Bytes of a scalar or built-in vector type as it is spelled; None for any other."""
    words = [word for word in kind.split() if word not in ("const", "volatile")]
    if kind.rstrip().endswith("*"):
        return 8
    signs = [word for word in words if word in ("unsigned", "signed")]
    rest = [word for word in words if word not in ("unsigned", "signed")]
    if signs and not rest:
        return 4
    name = " ".join(rest).removeprefix("std::")
    if name in ("long long", "long int", "long long int"):
        return 8
    if name == "short int":
        return 2
    vector = _VECTOR.fullmatch(name)
    if vector:
        return _OF[vector[1].removeprefix("u")] * int(vector[2])
    return _SCALARS.get(name)

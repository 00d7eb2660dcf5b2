"""Arguments in memory: numpy arrays and CPU torch tensors by address, scalars by the parameter's own type."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from hipport.device.signature import FORMATS
from hipport.errors import UsageError

_SIZES = {1: "b", 2: "h", 4: "i", 8: "q"}
_FLOATS = {2: "e", 4: "f", 8: "d"}


@dataclass(frozen=True, slots=True)
class Undefined:
    """An array argument whose contents count as never written: a kernel that reads it before writing is stopped."""

    array: Any


@dataclass(frozen=True, slots=True)
class Range:
    """Host memory of one argument. `owner` keeps it alive."""

    address: int
    size: int
    name: str
    writable: bool
    undefined: bool
    owner: Any


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kernel. `kind` is the demangled type, empty where nobody knows it."""

    position: int
    name: str
    kind: str
    offset: int
    size: int
    pointer: bool

    @property
    def shown(self) -> str:
        """For messages: parameter 2 `n` (int)."""
        name = f" `{self.name}`" if self.name else ""
        kind = f" ({self.kind})" if self.kind else f" ({self.size} bytes)"
        return f"parameter {self.position + 1}{name}{kind}"


def memory_of(value: Any, parameter: Parameter) -> Range:
    """The host memory of an array argument.

    Raises:
        UsageError: it is no array, not contiguous, or not in the CPU's memory.
    """
    undefined = isinstance(value, Undefined)
    array = value.array if isinstance(value, Undefined) else value
    name = f"argument `{parameter.name}`" if parameter.name else f"argument {parameter.position + 1}"
    if hasattr(array, "data_ptr") and hasattr(array, "is_contiguous"):
        if array.device.type != "cpu" or not array.is_contiguous():
            raise UsageError(f"{parameter.shown} needs a contiguous CPU tensor")
        return Range(array.data_ptr(), array.numel() * array.element_size(), name, True, undefined, array)
    if hasattr(array, "__array_interface__"):
        if not array.flags.c_contiguous:
            raise UsageError(f"{parameter.shown} needs a C-contiguous array", next_step="numpy.ascontiguousarray")
        address, read_only = array.__array_interface__["data"]
        return Range(address, array.nbytes, name, not read_only, undefined, array)
    raise UsageError(f"{parameter.shown} needs an array, not {type(array).__name__} {array!r}")


def scalar_bytes(value: Any, parameter: Parameter) -> bytes:
    """The bytes of a by-value argument.

    Raises:
        UsageError: the value does not fit the parameter's type or size.
    """
    if isinstance(value, (bytes, bytearray)) or getattr(value, "names", None) or type(value).__name__ == "void":
        return _exact(bytes(value), parameter)
    dtype = getattr(value, "dtype", None)
    if dtype is not None and parameter.kind not in FORMATS:
        return _exact(value.tobytes(), parameter)
    plain = value.item() if dtype is not None else value
    if parameter.kind in {"__hip_bfloat16", "__bf16"} and isinstance(plain, (int, float)):
        return bfloat16_bytes(float(plain))
    code = FORMATS.get(parameter.kind) or _code_for(plain, parameter)
    if code in "efd":
        plain = float(plain)
    elif isinstance(plain, float) and plain.is_integer():
        plain = int(plain)
    try:
        packed = struct.pack(f"<{code}", plain)
    except (struct.error, OverflowError) as error:
        raise UsageError(f"{parameter.shown} cannot hold {value!r}: {error}") from error
    return _exact(packed, parameter)


def _code_for(value: Any, parameter: Parameter) -> str:
    table = _FLOATS if isinstance(value, float) else _SIZES
    if not isinstance(value, (bool, int, float)) or parameter.size not in table:
        raise UsageError(
            f"{parameter.shown} cannot be made of {type(value).__name__} {value!r}",
            next_step="give a structure as bytes of its exact size, or as a numpy scalar",
        )
    code = table[parameter.size]
    return code.upper() if isinstance(value, int) and value >= 1 << (8 * parameter.size - 1) else code


def _exact(data: bytes, parameter: Parameter) -> bytes:
    if len(data) != parameter.size:
        raise UsageError(f"{parameter.shown} is {parameter.size} bytes; {len(data)} are given")
    return data


def bfloat16_bytes(value: float) -> bytes:
    """The nearest bfloat16, ties to even."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if value == value:  # noqa: PLR0124 - NaN keeps its bits
        bits += 0x7FFF + (bits >> 16 & 1)
    return struct.pack("<H", bits >> 16 & 0xFFFF)

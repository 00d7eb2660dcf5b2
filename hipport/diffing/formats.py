"""Number formats of outputs: bits, units in the last place and values, also of those that numpy does not know."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hipport.errors import UsageError

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Format:
    """A floating-point format: stored bits, bits of the fraction. `storage` is the numpy dtype of its bits."""

    name: str
    bits: int
    fraction: int
    storage: str

    @property
    def epsilon(self) -> float:
        """Half a unit in the last place of 1: the largest relative error of rounding to nearest."""
        return 2.0 ** -(self.fraction + 1)


FORMATS = {
    form.name: form
    for form in (
        Format("float64", 64, 52, "uint64"),
        Format("float32", 32, 23, "uint32"),
        Format("float16", 16, 10, "uint16"),
        Format("bfloat16", 16, 7, "uint16"),
        Format("float8_e4m3fn", 8, 3, "uint8"),
        Format("float8_e4m3fnuz", 8, 3, "uint8"),
        Format("float8_e5m2", 8, 2, "uint8"),
        Format("float8_e5m2fnuz", 8, 2, "uint8"),
    )
}
_WIDTHS = {"float8_e4m3fn": (4, 3, 7), "float8_e4m3fnuz": (4, 3, 8), "float8_e5m2": (5, 2, 15)}
_WIDTHS["float8_e5m2fnuz"] = (5, 2, 16)


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """An array and the name of its format; bfloat16 and fp8 are kept as their bits (uint16, uint8)."""

    dtype: str
    data: np.ndarray[Any, Any]

    @classmethod
    def of(cls, array: Any, dtype: str = "") -> Tensor:
        """Of a numpy array, or of its bits with the format's name.

        Raises:
            UsageError: the bits do not fit the format.
        """
        import numpy as np

        data = np.asarray(array)
        name = dtype or data.dtype.name
        form = FORMATS.get(name)
        if form is not None and data.dtype.name not in {name, form.storage}:
            raise UsageError(f"{name} is kept as {form.storage}, not as {data.dtype.name}")
        return cls(name, data)

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the array."""
        return tuple(self.data.shape)

    @property
    def form(self) -> Format | None:
        """The floating-point format; None for whole numbers, truth values and bytes."""
        return FORMATS.get(self.dtype)

    def bits(self) -> np.ndarray[Any, Any]:
        """The stored bits as unsigned integers, flat."""
        import numpy as np

        flat = np.ascontiguousarray(self.data).reshape(-1)
        if flat.dtype.kind in "fc":
            return flat.view(f"uint{8 * flat.dtype.itemsize}") if flat.dtype.itemsize <= 8 else flat.view("uint8")
        return flat

    def values(self) -> np.ndarray[Any, Any]:
        """The numbers as float64 (whole numbers as they are), in the array's shape."""
        import numpy as np

        if self.form is None:
            return self.data
        if self.dtype == "bfloat16":
            return np.asarray((self.data.astype(np.uint32) << 16).view(np.float32).astype(np.float64))
        if self.dtype in _WIDTHS:
            return np.asarray(_table(self.dtype)[self.data])
        return np.asarray(self.data.astype(np.float64))


@functools.cache
def _table(name: str) -> np.ndarray[Any, Any]:
    """The 256 values of an fp8 format (OCP 8-bit floating point specification 1.0; fnuz: one zero, one NaN)."""
    import numpy as np

    exponent_bits, fraction_bits, bias = _WIDTHS[name]
    code = np.arange(256)
    exponent, fraction = (code & 0x7F) >> fraction_bits, code & ((1 << fraction_bits) - 1)
    part = fraction / (1 << fraction_bits)
    value = np.where(exponent == 0, part * 2.0 ** (1 - bias), (1 + part) * 2.0 ** (exponent.astype(float) - bias))
    value = np.where(code & 0x80, -value, value)
    if name.endswith("fnuz"):
        value[0x80] = np.nan
    elif name == "float8_e4m3fn":
        value[[0x7F, 0xFF]] = np.nan
    else:
        top = exponent == (1 << exponent_bits) - 1
        value[top] = np.where(fraction[top], np.nan, np.where(code[top] & 0x80, -np.inf, np.inf))
    return value


def ulps(got: Tensor, want: Tensor) -> np.ndarray[Any, Any]:
    """Steps between neighbouring numbers of the format from `want` to `got`, flat, as float64; 0 for both zeros."""
    import numpy as np

    form = got.form
    if form is None:
        apart: np.ndarray[Any, Any] = got.data.reshape(-1).astype(np.float64) - want.data.reshape(-1)
        return np.asarray(np.abs(apart))
    sign = np.uint64(1) << np.uint64(form.bits - 1)

    def ordered(tensor: Tensor) -> np.ndarray[Any, Any]:
        bits = tensor.bits().astype(np.uint64)
        size = bits & (sign - np.uint64(1))
        return np.asarray(np.where(bits & sign, sign - size, sign + size))

    first, second = ordered(got), ordered(want)
    return np.asarray((np.maximum(first, second) - np.minimum(first, second)).astype(np.float64))

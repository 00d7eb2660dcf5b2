"""Families of numbers that a case is run on. The same seed gives the same numbers everywhere."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hipport.diffing.formats import FORMATS, Tensor

if TYPE_CHECKING:
    import numpy as np

    Flat = np.ndarray[Any, Any]

SMALL, LARGE = 1e-4, 1e4
_LIMIT = {"float16": 1e2, "bfloat16": 1e4}  # of the large family, so that squares do not overflow by themselves
_SPECIAL = (math.nan, math.inf, -math.inf, -0.0, 0.0, 1e-40, -1e-40)  # 1e-40 is denormal in float32


def fill(family: str | float, dtype: str, shape: tuple[int, ...], seed: int, low: int, high: int) -> Flat:
    """The numbers in the storage of their dtype; whole numbers are `low <= x < high` in every family."""
    import numpy as np

    random = np.random.default_rng([seed & 0xFFFFFFFF, seed >> 32])
    count = math.prod(shape)
    if not isinstance(family, str):
        return encoded(np.full(shape, family), dtype)
    if family in {"zeros", "ones"}:
        return encoded(np.full(shape, int(family == "ones")), dtype)
    if family == "range":
        return encoded(np.arange(count).reshape(shape), dtype)
    if dtype not in FORMATS:
        return encoded(_whole(family, random, shape, low, max(high, low + 1)), dtype)
    return encoded(_real(family, random, shape, dtype), dtype)


def _whole(family: str, random: np.random.Generator, shape: tuple[int, ...], low: int, high: int) -> Flat:
    import numpy as np

    if family == "constant":
        return np.full(shape, low + (high - low) // 3)
    if family == "small":
        high = min(high, low + 3)
    if family == "large":
        low = max(low, high - 3)
    values = random.integers(low, high, shape)
    if family == "sorted":
        return np.sort(values, axis=None).reshape(shape)
    if family == "special":
        flat = values.reshape(-1)
        flat[:: max(1, flat.size // 7)] = low
        flat[3 :: max(1, flat.size // 7)] = high - 1
    return values


def _real(family: str, random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Flat:
    import numpy as np

    values = random.standard_normal(shape)
    if family == "small":
        return values * SMALL
    if family == "large":
        return values * (_LIMIT.get(dtype, LARGE) if FORMATS[dtype].bits > 8 else 16.0)
    if family == "integer":
        return random.integers(-8, 9, shape).astype(np.float64)
    if family == "constant":
        return np.full(shape, 0.375)
    if family == "sorted":
        return np.sort(values, axis=None).reshape(shape)
    if family == "special":
        return _special(values)
    if family == "adversarial":
        return _adversarial(values, random)
    return values


def _special(values: Flat) -> Flat:
    """One special value in each run of 16, at another place in each: some rows have none of them."""
    flat = values.reshape(-1)
    for number, at in enumerate(range(3, flat.size, 17)):
        if (at // 64) % 3 == 1:  # most rows of 64 stay finite, or one NaN would hide everything
            flat[at] = _SPECIAL[number % len(_SPECIAL)]
    return values


def _adversarial(values: Flat, random: np.random.Generator) -> Flat:
    """For softmax: a wide range, a peak in each run of 64 that moves through the lanes, rows far below 0."""
    import numpy as np

    flat = (values * 8.0).reshape(-1)
    peaks = [0, 31, 32, 63, 33, 1, 62, 30]
    for number, start in enumerate(range(0, flat.size, 64)):
        at = start + peaks[number % len(peaks)]
        if at < flat.size:
            flat[at] = 60.0 + random.uniform(0.0, 20.0)
    shaped = flat.reshape(values.shape)
    if shaped.ndim > 1:
        shaped[1::3] -= 200.0  # exp of these is 0 in float32: a maximum that starts at 0 shows
    return np.asarray(shaped)


def encoded(values: Flat, dtype: str) -> Flat:
    """In the storage of the dtype, rounded to nearest even; fp8 saturates."""
    import numpy as np

    if dtype == "bfloat16":
        bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
        halves = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
        return np.asarray(np.where(np.isnan(values), np.uint16(0x7FC0), halves))
    if dtype.startswith("float8"):
        return _nearest(np.asarray(values, dtype=np.float64), dtype)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        return np.asarray(values).astype(np.dtype(dtype))


def _nearest(values: Flat, dtype: str) -> Flat:
    """The code of the nearest fp8 number, ties to the even code."""
    import numpy as np

    codes = np.arange(128, dtype=np.uint8)
    table = Tensor.of(codes, dtype).values()
    finite = np.flatnonzero(np.isfinite(table))
    known = table[finite]  # ascending from 0
    size = np.minimum(np.nan_to_num(np.abs(values), nan=0.0, posinf=known[-1]), known[-1])
    above = np.clip(np.searchsorted(known, size), 1, known.size - 1)
    under = above - 1
    middle = (known[above] + known[under]) / 2
    up = (size > middle) | ((size == middle) & (finite[above] % 2 == 0))
    code = finite[np.where(up, above, under)].astype(np.uint8)
    code = np.where((values < 0) & (code > 0), code | 0x80, code)
    return np.asarray(np.where(np.isnan(values), np.uint8(0x80 if dtype.endswith("fnuz") else 0x7F), code))

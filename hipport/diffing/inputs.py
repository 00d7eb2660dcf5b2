"""Inputs of a kernel case at a point: numbers, layouts in memory, and what outputs hold before the launch."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hipport.diffing.cases import Role, names_of
from hipport.diffing.expressions import evaluate, whole
from hipport.diffing.families import fill
from hipport.diffing.formats import FORMATS, Tensor
from hipport.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from hipport.diffing.cases import Arg, Case, Point

    Flat = np.ndarray[Any, Any]

PAD = 5  # elements between rows of the padded layout, and before the sliced one
SENTINELS = {  # quiet NaNs and patterns that no kernel writes by chance
    "float64": 0x7FF8_DEAD_BEEF_0BAD,
    "float32": 0x7FED_0BAD,
    "float16": 0x7E5A,
    "bfloat16": 0x7FDA,
}


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """One argument in memory. `base` is the whole allocation, flat; the kernel gets it from `start`.

    `strides` are in elements; `value` is a scalar's.
    """

    arg: Arg
    base: Flat | None = None
    start: int = 0
    shape: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    value: Any = None

    def view(self, base: Flat | None = None) -> Flat:
        """The elements that count, in their shape; the padding around them does not show."""
        import numpy as np

        held = self.base if base is None else base
        if held is None:
            raise ValueError(self.arg.name)
        size = held.dtype.itemsize
        return np.lib.stride_tricks.as_strided(held[self.start :], self.shape, [size * s for s in self.strides])

    def padding(self, base: Flat) -> Flat:
        """Which elements of the allocation are padding."""
        import numpy as np

        index = np.arange(base.size)
        used = np.lib.stride_tricks.as_strided(index[self.start :], self.shape, [8 * s for s in self.strides])
        outside = np.ones(base.size, dtype=bool)
        outside[used.reshape(-1)] = False
        return outside


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What one launch gets. `names` are the values that expressions may use, with `x_stride0` of each array."""

    point: Point
    slots: tuple[Slot, ...]
    names: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """Of everything that the kernel can read, and of the scalars."""
        total = hashlib.sha256()
        for slot in self.slots:
            total.update(f"{slot.arg.name} {slot.arg.dtype} {slot.shape} {slot.strides} {slot.start}".encode())
            total.update(repr(slot.value).encode() if slot.base is None else slot.base.tobytes())
        return total.hexdigest()


def made(case: Case, point: Point, *, stale: bool = False, other: str = "") -> Inputs:
    """The arguments of a kernel case at a point.

    Args:
        case: a kernel case.
        point: sizes, family, layout, seed.
        stale: outputs hold numbers that look right instead of the sentinel.
        other: an input by name that gets other numbers than the point's, `*` for all of them.

    Raises:
        UsageError: an expression in the case is wrong at this point.
    """
    names = strides_of(case, point)
    slots: list[Slot] = []
    for number, arg in enumerate(case.args):
        try:
            if arg.role is Role.VALUE:
                value = evaluate(arg.value, names) if isinstance(arg.value, str) else arg.value
                slots.append(Slot(arg, value=_scalar(value, arg.dtype)))
                continue
            seed = point.seed * 1009 + number + (500_009 if other in {arg.name, "*"} else 0)
            slot = _array(arg, point, names, seed, stale=stale)
        except UsageError as error:
            raise UsageError(error.what, where=f"{case.where}: {arg.name}", next_step=error.next_step) from None
        slots.append(slot)
    return Inputs(point, tuple(slots), names)


def strides_of(case: Case, point: Point) -> dict[str, Any]:
    """The names of a point, with the strides of every array (in elements)."""
    names = names_of(case, point)
    for arg in case.args:
        if arg.role is not Role.VALUE:
            shape = tuple(whole(part, names) for part in arg.shape)
            _, strides, _ = _laid_out(shape, point.layout if arg.layouts else "contiguous")
            names |= {f"{arg.name}_stride{axis}": stride for axis, stride in enumerate(strides)}
    return names


def _scalar(value: Any, dtype: str) -> Any:
    import numpy as np

    if not dtype:
        return value
    if dtype == "bfloat16":
        from hipport.device.buffers import bfloat16_bytes

        return bfloat16_bytes(float(value))
    return np.dtype(dtype).type(value)


def _array(arg: Arg, point: Point, names: Mapping[str, Any], seed: int, *, stale: bool) -> Slot:
    import numpy as np

    shape = tuple(whole(part, names) for part in arg.shape)
    start, strides, count = _laid_out(shape, point.layout if arg.layouts else "contiguous")
    storage = storage_of(arg.dtype)
    base = sentinel(arg.dtype, count)
    slot = Slot(arg, base, start, shape, strides)
    if arg.role is Role.OUT and not stale:
        return slot
    family = point.family if arg.fill == "family" else arg.fill
    if arg.role is Role.OUT:
        family = "normal"
    low, high = (int(evaluate(bound, names)) for bound in (arg.low, arg.high))
    if storage.names:
        for name in storage.names:
            field = slot.view()[name]
            field[...] = fill(family, field.dtype.name, shape, seed, low, high)
    else:
        slot.view()[...] = np.asarray(fill(family, arg.dtype, shape, seed, low, high))
    return slot


def _laid_out(shape: tuple[int, ...], layout: str) -> tuple[int, tuple[int, ...], int]:
    """(first element, strides, elements in all) of an array in a layout."""
    import math

    if len(shape) < 2 or layout == "contiguous":
        if layout == "sliced":
            return PAD, (1,) * len(shape), math.prod(shape) + 2 * PAD
        return 0, _dense(shape), math.prod(shape)
    if layout == "transposed":
        turned = _dense((*shape[:-2], shape[-1], shape[-2]))
        return 0, (*turned[:-2], turned[-1], turned[-2]), math.prod(shape)
    rows = _dense((*shape[:-1], shape[-1] + PAD))
    start = PAD if layout == "sliced" else 0
    return start, rows, math.prod(shape[:-1]) * (shape[-1] + PAD) + start


def _dense(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def storage_of(dtype: str) -> np.dtype[Any]:
    """The numpy dtype that holds it."""
    import numpy as np

    if ":" in dtype:
        pairs = [part.strip().partition(":") for part in dtype.split(",")]
        return np.dtype([(name, storage_of(kind)) for name, _, kind in pairs], align=True)
    form = FORMATS.get(dtype)
    return np.dtype(form.storage if form and not hasattr(np, dtype) else dtype)


def sentinel(dtype: str, count: int) -> Flat:
    """Elements that nobody wrote."""
    import numpy as np

    storage = storage_of(dtype)
    if storage.names or dtype not in SENTINELS:
        return np.frombuffer(bytearray(b"\xa5" * (storage.itemsize * count)), dtype=storage)
    bits = np.full(count, SENTINELS[dtype], dtype=f"uint{8 * storage.itemsize}")
    return bits.view(storage)


def blank_bits(dtype: str, name: str, kind: str) -> Any:
    """The bits of one element that nobody wrote; of one field, with its format, where the element is a structure."""
    blank = sentinel(dtype, 1)
    return Tensor.of(blank[name] if name else blank, kind).bits()[0]


def tensors(slot: Slot, base: Flat) -> dict[str, Tensor]:
    """The named outputs of one argument after a launch: one, or one for each field of a structure."""
    import numpy as np

    view = np.ascontiguousarray(slot.view(base))
    if not view.dtype.names:
        return {slot.arg.name: Tensor.of(view, slot.arg.dtype)}
    kinds = dict(part.strip().split(":") for part in slot.arg.dtype.split(","))
    return {
        f"{slot.arg.name}.{name}": Tensor.of(np.ascontiguousarray(view[name]), kinds[name]) for name in view.dtype.names
    }

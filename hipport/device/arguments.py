"""args.toml -> the arguments of a launch; and what to print, save and compare afterwards."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hipport.device.buffers import Undefined, bfloat16_bytes
from hipport.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import numpy as np

_SCALAR_KEYS = {"name", "value", "dtype", "null", "bytes"}
_ARRAY_KEYS = {
    "name", "dtype", "shape", "fill", "values", "low", "high", "seed", "start", "step", "file", "same",
    "print", "save", "expect", "rtol", "atol",
}  # fmt: skip
_FILLS = ("zeros", "ones", "range", "random", "normal", "undefined")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: `value` is what the kernel gets. `printed` is how many elements to show (-1: all, 0: none)."""

    name: str
    value: Any
    dtype: str
    printed: int = 0
    save: str = ""
    expect: Path | None = None
    rtol: float = 0.0
    atol: float = 0.0

    @property
    def array(self) -> np.ndarray[Any, Any] | None:
        """The array to look at after the launch; None for a scalar."""
        found = self.value.array if isinstance(self.value, Undefined) else self.value
        return found if getattr(found, "ndim", 0) else None


def read(path: Path) -> tuple[Argument, ...]:
    """The arguments of an args.toml, in the order of the kernel's parameters.

    Raises:
        DataError: it does not fit the format; with the file and the argument's number.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # type: ignore[import-not-found,unused-ignore]
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except ValueError as error:
        raise DataError(f"not valid TOML: {error}", where=str(path)) from error
    rows = table.get("arg", [])
    if set(table) - {"arg"} or not isinstance(rows, list):
        raise DataError("an args.toml has [[arg]] tables and nothing else", where=str(path))
    return of_rows(rows, path)


def of_rows(rows: Iterable[Mapping[str, Any]], path: Path) -> tuple[Argument, ...]:
    """The arguments of decoded [[arg]] tables; files that they name lie beside `path`.

    Raises:
        DataError: a row does not fit the format; with the argument's number.
    """
    found: list[Argument] = []
    for number, row in enumerate(rows, 1):
        found.append(_numbered(row, path, number, found))
    return tuple(found)


def _numbered(row: Mapping[str, Any], path: Path, number: int, before: list[Argument]) -> Argument:
    """The argument; what is wrong with it is said with its number."""
    where = f"{path}: arg {number}"
    try:
        return _argument(row, path, before)
    except DataError as error:
        raise DataError(error.what, where=where, next_step=error.next_step) from error
    except OSError as error:
        raise DataError(f"{error.filename}: {error.strerror}", where=where) from error
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(str(error), where=where) from error


def _argument(row: Mapping[str, Any], path: Path, before: list[Argument]) -> Argument:
    keys = set(row)
    scalar = bool(keys & {"value", "null", "bytes"})
    unknown = keys - (_SCALAR_KEYS if scalar else _ARRAY_KEYS)
    if unknown:
        raise DataError(f"unknown key {', '.join(sorted(unknown))}")
    name = str(row.get("name", ""))
    dtype = str(row.get("dtype", ""))
    if scalar:
        return Argument(name, _scalar(row, dtype), dtype)
    value = _same(str(row["same"]), before) if "same" in row else _array(row, dtype, path)
    count = row.get("print", 0)
    return Argument(
        name,
        value,
        dtype,
        printed=-1 if count is True else int(count),
        save=str(row.get("save", "")),
        expect=path.parent / row["expect"] if "expect" in row else None,
        rtol=float(row.get("rtol", 0.0)),
        atol=float(row.get("atol", 0.0)),
    )


def _scalar(row: Mapping[str, Any], dtype: str) -> Any:
    import numpy as np

    if row.get("null"):
        return None
    if "bytes" in row:
        return bytes.fromhex(row["bytes"])
    value = row["value"]
    if isinstance(value, list):  # a vector type such as float4
        return _encoded(np.asarray(value), dtype or "float32").tobytes()
    if dtype == "bfloat16":
        return bfloat16_bytes(float(value))
    return np.dtype(dtype).type(value) if dtype else value


def _same(name: str, before: list[Argument]) -> Any:
    for argument in before:
        if argument.name == name and argument.array is not None:
            return argument.value
    raise DataError(f"`same` names no array before it: {name}")


def _array(row: Mapping[str, Any], dtype: str, path: Path) -> Any:
    import numpy as np

    if "file" in row:
        return np.ascontiguousarray(np.load(path.parent / row["file"], allow_pickle=False))
    if not dtype:
        raise DataError("an array needs a dtype", next_step='for example dtype = "float32"')
    if "values" in row:
        return _encoded(np.asarray(row["values"]), dtype)
    if "shape" not in row:
        raise DataError("an array needs a shape, values or a file")
    shape = tuple(row["shape"]) if isinstance(row["shape"], list) else (int(row["shape"]),)
    fill = row.get("fill", "zeros")
    if fill == "undefined":
        return Undefined(_encoded(np.zeros(shape), dtype))
    return _encoded(_filled(row, shape, fill, dtype), dtype)


def _filled(row: Mapping[str, Any], shape: tuple[int, ...], fill: Any, dtype: str) -> np.ndarray[Any, Any]:
    import numpy as np

    if isinstance(fill, (int, float)):
        return np.full(shape, fill)
    if fill in {"zeros", "ones"}:
        return np.full(shape, int(fill == "ones"))
    if fill == "range":
        count = int(np.prod(shape))
        return np.asarray((np.arange(count) * row.get("step", 1) + row.get("start", 0)).reshape(shape))
    random = np.random.default_rng(row.get("seed", 0))
    if fill == "normal":
        return random.standard_normal(shape)
    if fill == "random":
        whole = dtype != "bfloat16" and np.dtype(dtype).kind in "iub"
        if whole:
            return random.integers(int(row.get("low", 0)), int(row.get("high", 100)), shape)
        return random.uniform(float(row.get("low", 0.0)), float(row.get("high", 1.0)), shape)
    raise DataError(f"fill is a number or one of {', '.join(_FILLS)}, not {fill!r}")


def _encoded(values: np.ndarray[Any, Any], dtype: str) -> np.ndarray[Any, Any]:
    """The values in their dtype; bfloat16 as the upper halves of float32, in uint16."""
    import numpy as np

    if dtype != "bfloat16":
        plain: np.ndarray[Any, Any] = np.ascontiguousarray(values.astype(np.dtype(dtype)))
        return plain
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    halves: np.ndarray[Any, Any] = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    return halves


def decoded(argument: Argument) -> np.ndarray[Any, Any]:
    """The array as numbers: bfloat16 as float32."""
    import numpy as np

    array = argument.array
    if array is None:
        raise ValueError(f"{argument.name} is no array")
    if argument.dtype == "bfloat16":
        return np.asarray((array.astype(np.uint32) << 16).view(np.float32))
    return array


def difference(argument: Argument) -> str:
    """How the array differs from what is expected; empty where it is the same within the tolerances, NaN included."""
    import numpy as np

    if argument.expect is None:
        return ""
    got = decoded(argument)
    want = np.load(argument.expect, allow_pickle=False)
    if got.shape != want.shape:
        return f"shape {got.shape}, not {want.shape}"
    off = ~np.isclose(got, want, rtol=argument.rtol, atol=argument.atol, equal_nan=True)
    if not off.any():
        return ""
    first = tuple(int(i) for i in np.argwhere(off)[0])
    return f"{int(off.sum())} of {got.size} elements differ; first at {list(first)}: {got[first]}, not {want[first]}"

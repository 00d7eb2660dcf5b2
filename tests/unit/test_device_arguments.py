from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hipport.device.arguments import decoded, difference, read
from hipport.device.buffers import Undefined
from hipport.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path


def written(folder: Path, text: str) -> Path:
    path = folder / "args.toml"
    path.write_text(text, encoding="utf-8")
    return path


def one(folder: Path, text: str):
    return read(written(folder, f"[[arg]]\n{text}"))[0]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('dtype = "int32"\nshape = 3', [0, 0, 0]),
        ('dtype = "float32"\nshape = [2, 1]\nfill = 1.5', [[1.5], [1.5]]),
        ('dtype = "int16"\nshape = 3\nfill = "range"\nstart = 4\nstep = -2', [4, 2, 0]),
        ('dtype = "float16"\nvalues = [1, 2.5]', [1, 2.5]),
        ('dtype = "uint8"\nshape = 2\nfill = "ones"', [1, 1]),
    ],
)
def test_arrays_are_filled_as_told(tmp_path: Path, text: str, values: list[object]) -> None:
    array = one(tmp_path, text).array
    assert array is not None
    assert array.tolist() == values


def test_random_values_depend_on_the_seed_alone(tmp_path: Path) -> None:
    text = 'dtype = "int32"\nshape = 64\nfill = "random"\nlow = -3\nhigh = 4\nseed = '
    first, again, other = (one(tmp_path, text + seed).array for seed in "771")
    assert (first == again).all()
    assert (first != other).any()
    assert set(first.tolist()) <= set(range(-3, 4))


def test_scalars_structures_and_null(tmp_path: Path) -> None:
    texts = ("value = 3", 'value = 3\ndtype = "float64"', 'bytes = "01ff"', "null = true", "value = [1, 2]")
    texts = (*texts, 'value = 1.0\ndtype = "bfloat16"')
    rows = read(written(tmp_path, "".join(f"[[arg]]\n{text}\n" for text in texts)))
    assert rows[0].value == 3
    assert rows[1].value.dtype == np.float64
    assert [row.value for row in rows[2:]] == [b"\x01\xff", None, np.float32([1, 2]).tobytes(), b"\x80\x3f"]


def test_bfloat16_arrays_hold_upper_halves_and_read_as_floats(tmp_path: Path) -> None:
    argument = one(tmp_path, 'dtype = "bfloat16"\nvalues = [1.0, -2.5]')
    assert argument.array is not None
    assert argument.array.dtype == np.uint16
    assert decoded(argument).tolist() == [1.0, -2.5]


def test_files_undefined_memory_and_shared_arrays(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.arange(4))
    rows = read(
        written(
            tmp_path,
            """
[[arg]]
name = "x"
file = "x.npy"
[[arg]]
same = "x"
[[arg]]
dtype = "int32"
shape = 2
fill = "undefined"
""",
        )
    )
    assert rows[0].value is rows[1].value
    assert isinstance(rows[2].value, Undefined)


def test_a_difference_names_the_first_element(tmp_path: Path) -> None:
    np.save(tmp_path / "want.npy", np.float32([1, 2, np.nan, 5]))
    text = 'dtype = "float32"\nvalues = [1, 2.001, nan, 4]\nexpect = "want.npy"\n'
    assert difference(one(tmp_path, text + "rtol = 0.01")) == "1 of 4 elements differ; first at [3]: 4.0, not 5.0"
    assert difference(one(tmp_path, text + "rtol = 1")) == ""
    assert "shape" in difference(one(tmp_path, 'dtype = "float32"\nvalues = [1]\nexpect = "want.npy"'))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[[arg]]\nshape = 3", "needs a dtype"),
        ('[[arg]]\ndtype = "float32"', "needs a shape"),
        ('[[arg]]\ndtype = "float33"\nshape = 1', "float33"),
        ('[[arg]]\ndtype = "int32"\nshape = 1\nfill = "noise"', "fill is a number or one of"),
        ('[[arg]]\ndtype = "int32"\nshape = 1\ncolour = 2', "unknown key colour"),
        ("[[arg]]\nsame = 'x'", "names no array before it"),
        ("[[arg]]\nfile = 'no.npy'", "No such file"),
        ("[[arg", "not valid TOML"),
        ("grid = 3", "and nothing else"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(DataError) as caught:
        read(written(tmp_path, text))
    assert what in caught.value.what
    assert caught.value.where.startswith(str(tmp_path / "args.toml"))

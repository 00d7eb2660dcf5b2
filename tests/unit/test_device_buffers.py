from __future__ import annotations

import itertools
import struct

import numpy as np
import pytest

from hipport.device.buffers import Parameter, Range, bfloat16_bytes, memory_of, scalar_bytes
from hipport.device.staging import GAP, SharedFile, blocks_of, place
from hipport.errors import UsageError


def parameter(kind: str = "", size: int = 4, *, pointer: bool = False) -> Parameter:
    return Parameter(1, "n", kind, 8, size, pointer)


@pytest.mark.parametrize(
    ("value", "kind", "size", "data"),
    [
        (3, "int", 4, struct.pack("<i", 3)),
        (3, "float", 4, struct.pack("<f", 3.0)),
        (2.0, "int", 4, struct.pack("<i", 2)),
        (np.float64(1.5), "float", 4, struct.pack("<f", 1.5)),
        (np.int32(-1), "long", 8, struct.pack("<q", -1)),
        (True, "bool", 1, b"\x01"),
        (1.5, "__half", 2, struct.pack("<e", 1.5)),
        (1.0, "__hip_bfloat16", 2, b"\x80\x3f"),
        (0.25, "", 8, struct.pack("<d", 0.25)),
        (1 << 31, "", 4, struct.pack("<I", 1 << 31)),
        (np.int16(5), "", 2, b"\x05\x00"),
        (bytes(range(12)), "Config", 12, bytes(range(12))),
    ],
)
def test_a_scalar_takes_the_parameters_own_type(value: object, kind: str, size: int, data: bytes) -> None:
    assert scalar_bytes(value, parameter(kind, size)) == data


@pytest.mark.parametrize(
    ("value", "kind", "size"),
    [
        (1.5, "int", 4),
        (1 << 40, "int", 4),
        (-1, "unsigned int", 4),
        ("x", "", 4),
        (3, "Config", 12),
        (b"12", "Config", 12),
    ],
)
def test_a_scalar_that_does_not_fit_is_refused(value: object, kind: str, size: int) -> None:
    with pytest.raises(UsageError, match="parameter 2 `n`"):
        scalar_bytes(value, parameter(kind, size))


def test_bfloat16_rounds_to_even_and_keeps_nan() -> None:
    assert bfloat16_bytes(1.00390625) == b"\x80\x3f"  # a tie: down to even
    assert bfloat16_bytes(1.01171875) == b"\x82\x3f"  # a tie: up to even
    assert struct.unpack("<H", bfloat16_bytes(float("nan")))[0] & 0x7F


def test_arrays_must_be_contiguous() -> None:
    whole = np.zeros((4, 4), np.float32)
    item = memory_of(whole, parameter(pointer=True))
    assert (item.address, item.size, item.writable) == (whole.ctypes.data, 64, True)
    with pytest.raises(UsageError, match="C-contiguous"):
        memory_of(whole.T[1:], parameter(pointer=True))
    with pytest.raises(UsageError, match="needs an array, not int 3"):
        memory_of(3, parameter(pointer=True))


def test_a_read_only_array_is_not_writable() -> None:
    fixed = np.ones(4)
    fixed.flags.writeable = False
    assert not memory_of(fixed, parameter(pointer=True)).writable


def ranges(*items: tuple[int, int]) -> list[Range]:
    return [
        Range(start, size, f"argument {n}", writable=True, undefined=False, owner=None)
        for n, (start, size) in enumerate(items)
    ]


def test_overlapping_arrays_share_a_block_and_neighbours_do_not() -> None:
    blocks = blocks_of(ranges((1000, 100), (1050, 100), (1150, 50), (5000, 8), (1000, 100)))
    assert [(b.address, b.size) for b in blocks] == [(1000, 150), (1150, 50), (5000, 8)]
    assert all(later.offset >= earlier.offset + earlier.size + GAP for earlier, later in itertools.pairwise(blocks))
    assert place(blocks, ranges((1050, 100))[0]) == (0, 50)
    assert place(blocks, ranges((1150, 50))[0]) == (1, 0)
    assert place(blocks, ranges((0, 0))[0]) is None


def test_what_is_put_in_the_file_comes_back() -> None:
    array = np.arange(10, dtype=np.int32)
    fixed = np.arange(10, dtype=np.int32)
    fixed.flags.writeable = False
    items = [memory_of(array, parameter(pointer=True)), memory_of(fixed, parameter(pointer=True))]
    memory = SharedFile(blocks_of(items))
    memory.fill()
    array[:] = 0
    memory.take_back()
    memory.close()
    assert array.tolist() == list(range(10))

"""Reading code objects without a compiler: MessagePack, notes, bundles, and bytes that are none of it."""

from __future__ import annotations

import struct
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from hipport.errors import HipportError
from hipport.toolchain.codeobject import CodeObjectError, bundled, code_objects, metadata, sections
from hipport.toolchain.msgpack import MessagePackError, decode
from hipport.toolchain.offloadbundler import main as bundler
from hipport.toolchain.resources import kernels_of

if TYPE_CHECKING:
    from pathlib import Path

# The specification's own examples of each format, and values at the edges of the fixed ones.
MESSAGES = [
    (b"\x00", 0),
    (b"\x7f", 127),
    (b"\xff", -1),
    (b"\xe0", -32),
    (b"\xc0", None),
    (b"\xc2", False),
    (b"\xc3", True),
    (b"\xcc\x80", 128),
    (b"\xcd\x01\x00", 256),
    (b"\xce\x00\x01\x00\x00", 65536),
    (b"\xcf" + b"\xff" * 8, 2**64 - 1),
    (b"\xd0\x80", -128),
    (b"\xd1\x80\x00", -32768),
    (b"\xd2\x80\x00\x00\x00", -(2**31)),
    (b"\xd3" + b"\x80" + b"\0" * 7, -(2**63)),
    (b"\xca\x3f\xc0\x00\x00", 1.5),
    (b"\xcb\x3f\xf8" + b"\0" * 6, 1.5),
    (b"\xa3abc", "abc"),
    (b"\xd9\x03abc", "abc"),
    (b"\xda\x00\x03abc", "abc"),
    (b"\xdb\x00\x00\x00\x03abc", "abc"),
    (b"\xc4\x02\x00\x01", b"\x00\x01"),
    (b"\xc5\x00\x01z", b"z"),
    (b"\x93\x01\x02\x03", [1, 2, 3]),
    (b"\xdc\x00\x02\x01\x02", [1, 2]),
    (b"\xdd\x00\x00\x00\x01\x05", [5]),
    (b"\x81\xa1a\x01", {"a": 1}),
    (b"\xde\x00\x01\xa1a\x92\x01\xc0", {"a": [1, None]}),
    (b"\xdf\x00\x00\x00\x00", {}),
    (b"\x01padding", 1),
]


@pytest.mark.parametrize(("data", "value"), MESSAGES)
def test_messages_are_decoded(data: bytes, value: object) -> None:
    assert decode(data) == value


@pytest.mark.parametrize("data", [b"", b"\xa3ab", b"\x92\x01", b"\xcd\x01", b"\xc1", b"\x81\x90\x01", b"\x91" * 5000])
def test_damaged_messages_are_an_error(data: bytes) -> None:
    with pytest.raises(MessagePackError):
        decode(data)


def kernel(name: str, **numbers: int) -> bytes:
    """One kernel's map in MessagePack."""
    rows = {".name": name, **{f".{key}": value for key, value in numbers.items()}}
    body = b"".join(_packed(key) + _packed(value) for key, value in rows.items())
    return bytes([0x80 | len(rows)]) + body


def _packed(value: str | int) -> bytes:
    if isinstance(value, int):
        return b"\xce" + struct.pack(">I", value)
    return b"\xd9" + bytes([len(value)]) + value.encode()


def device_elf(target: str, kernels: list[bytes]) -> bytes:
    """A 64-bit ELF for AMDGPU with one note segment and no sections."""
    value = b"\x82" + _packed("amdhsa.target") + _packed(f"amdgcn-amd-amdhsa--{target}")
    value += _packed("amdhsa.kernels") + bytes([0x90 | len(kernels)]) + b"".join(kernels)
    other = struct.pack("<III", 4, 4, 1) + b"GNU\0" + b"\0\0\0\0"
    note = other + struct.pack("<III", 7, len(value), 32) + b"AMDGPU\0\0" + value + b"\0" * (-len(value) % 4)
    start = 64 + 56
    head = (
        b"\x7fELF\x02\x01\x01" + b"\0" * 9 + struct.pack("<HHIQQQIHHHHHH", 3, 224, 1, 0, 64, 0, 0, 64, 56, 1, 64, 0, 0)
    )
    return head + struct.pack("<IIQQQQQQ", 4, 4, start, 0, 0, len(note), len(note), 4) + note


GFX90A = device_elf("gfx90a:xnack-", [kernel("k", vgpr_count=140, agpr_count=128, wavefront_size=64)])
GFX1100 = device_elf("gfx1100", [kernel("k", vgpr_count=24, wavefront_size=32, group_segment_fixed_size=70000)])


def test_kernels_of_an_elf_and_a_unified_register_file() -> None:
    (found,) = kernels_of(GFX90A, block_size=256)
    assert (found.name, found.target) == ("k", "gfx90a:xnack-")
    assert (found.vgpr, found.agpr) == (12, 128)
    assert found.occupancy is not None
    assert found.occupancy.waves_per_simd == 3


def test_a_bundle_gives_each_targets_object() -> None:
    entries = [
        ("host-x86_64-unknown-linux-gnu-", b""),
        ("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", GFX90A),
        ("hip-amdgcn-amd-amdhsa--gfx1100", GFX1100),
    ]
    data = bundled(entries)
    assert [(o.target, o.data) for o in code_objects(data)] == [("gfx90a:xnack-", GFX90A), ("gfx1100", GFX1100)]
    for version, head in (
        (2, struct.pack("<HHIIQ", 2, 0, 24 + len(zlib.compress(data)), len(data), 0)),
        (3, struct.pack("<HHQQQ", 3, 0, 32 + len(zlib.compress(data)), len(data), 0)),
    ):
        packed = b"CCOB" + head + zlib.compress(data)
        assert [o.target for o in code_objects(packed)] == ["gfx90a:xnack-", "gfx1100"], version


def test_the_bundler_writes_what_the_reader_reads(tmp_path: Path) -> None:
    folder = tmp_path
    (folder / "a").write_bytes(GFX90A)
    words = ["-type=o", "-bundle-align=4096", "-input=/dev/null", f"-input={folder / 'a'}", f"-output={folder / 'b'}"]
    assert bundler([*words, "-targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-"]) == 0
    (found,) = code_objects((folder / "b").read_bytes())
    assert found.data == GFX90A
    assert bundler(["-unbundle", "-type=o"]) == 1


def test_lds_over_the_budget_does_not_fit() -> None:
    (found,) = kernels_of(GFX1100, block_size=256)
    assert found.occupancy is not None
    assert found.occupancy.limit == "does not fit"


@pytest.mark.parametrize("data", [b"", b"text", b"\x7fELF\x01\x01" + b"\0" * 60, b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB"])
def test_what_is_no_code_object_is_an_error(data: bytes) -> None:
    with pytest.raises(CodeObjectError):
        code_objects(data)


@pytest.mark.parametrize("cut", [19, 63, 80, 103])
def test_a_cut_elf_is_an_error(cut: int) -> None:
    with pytest.raises(CodeObjectError):
        code_objects(GFX90A[:cut])


def test_a_note_that_is_cut_is_an_error_and_an_elf_without_one_is_empty() -> None:
    with pytest.raises(CodeObjectError):
        metadata(GFX90A[:-40])
    bare = bytearray(GFX90A)
    struct.pack_into("<I", bare, 64, 1)  # the segment is no note any more
    assert metadata(bytes(bare)) == {}
    assert list(sections(bytes(bare))) == []


def test_a_bundle_that_ends_early_is_an_error() -> None:
    data = bundled([("hipv4-amdgcn-amd-amdhsa--gfx1100", GFX1100)])
    with pytest.raises(CodeObjectError):
        code_objects(data[:4200])


def test_every_single_byte_of_damage_is_an_answer_and_no_crash() -> None:
    for at in range(len(GFX90A)):
        for value in (0, 0xFF, GFX90A[at] ^ 0x80):
            data = bytearray(GFX90A)
            data[at] = value
            with suppress(HipportError):
                kernels_of(bytes(data), block_size=64)

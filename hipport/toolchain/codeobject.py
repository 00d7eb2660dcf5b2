"""Reads AMD code objects without a tool: offload bundles, ELF sections and the metadata note."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hipport.errors import HipportError
from hipport.toolchain.msgpack import MessagePackError, decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Layouts: System V gABI 4; AMDGPUUsage, "Code Object Metadata"; ClangOffloadBundler, "Bundled Binary File Layout".
_ELF64_LE = b"\x7fELF\x02\x01"
_BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"
_COMPRESSED = b"CCOB"
_EM_AMDGPU = 224
_NT_AMDGPU_METADATA = 32
_SHT_NOTE = 7
_SHT_NOBITS = 8
_PT_NOTE = 4


class CodeObjectError(HipportError):
    """Bytes that are no code object, or a damaged one."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section's name, type and bytes."""

    name: str
    kind: int
    data: bytes


@dataclass(frozen=True, slots=True)
class CodeObject:
    """The device ELF of one target (`gfx90a:xnack-`, as the bundle or the note spells it)."""

    target: str
    data: bytes


def code_objects(data: bytes) -> tuple[CodeObject, ...]:
    """Every AMD code object of a device ELF, a bundle, or a host object or program that embeds bundles."""
    if data.startswith(_BUNDLE):
        return tuple(_unbundled(data))
    if data.startswith(_COMPRESSED):
        return code_objects(decompressed(data))
    if not data.startswith(_ELF64_LE):
        raise CodeObjectError("neither a 64-bit little-endian ELF nor an offload bundle")
    if _read("<H", data, 18)[0] == _EM_AMDGPU:
        return (CodeObject(str(metadata(data).get("amdhsa.target", "")).partition("--")[2], data),)
    found: list[CodeObject] = []
    for section in sections(data):
        if section.name in {".hip_fatbin", "__CLANG_OFFLOAD_BUNDLE__"}:
            found += _fatbin(section.data)
    return tuple(found)


def _fatbin(data: bytes) -> Iterator[CodeObject]:
    """The objects of every bundle in a section: a linked program has one bundle a translation unit, page-aligned."""
    at = 0
    while True:
        places = [p for p in (data.find(_BUNDLE, at), data.find(_COMPRESSED, at)) if p >= 0]
        if not places:
            return
        at = min(places)
        if data.startswith(_COMPRESSED, at):
            yield from code_objects(decompressed(data[at:]))
            at += len(_COMPRESSED)
            continue
        yield from _unbundled(data[at:])
        at += len(_BUNDLE)


def _unbundled(data: bytes) -> Iterator[CodeObject]:
    (count,) = _read("<Q", data, len(_BUNDLE))
    at = len(_BUNDLE) + 8
    for _ in range(count):
        offset, size, length = _read("<QQQ", data, at)
        triple = data[at + 24 : at + 24 + length].decode("ascii", "replace")
        at += 24 + length
        if triple.startswith(("hip-", "hipv4-")) and size:
            if offset + size > len(data):
                raise CodeObjectError(f"the offload bundle ends inside its entry {triple}")
            yield CodeObject(triple.partition("--")[2], data[offset : offset + size])


def bundled(entries: Sequence[tuple[str, bytes]], align: int = 4096) -> bytes:
    """An offload bundle of (entry id, bytes); the HIP runtime expects an empty `host-...` entry first."""
    head = len(_BUNDLE) + 8 + sum(24 + len(triple) for triple, _ in entries)
    table = _BUNDLE + struct.pack("<Q", len(entries))
    body = bytearray()
    start = -(-head // align) * align
    for triple, data in entries:
        offset = start + len(body)
        table += struct.pack("<QQQ", offset, len(data), len(triple)) + triple.encode()
        body += data + b"\0" * (-len(data) % align)
    return table.ljust(start, b"\0") + bytes(body)


def decompressed(data: bytes) -> bytes:
    """A compressed bundle's bytes: header versions 2 and 3, method zlib; zstd needs Python 3.14 or its package."""
    import zlib

    version, method = _read("<HH", data, 4)
    if version not in {2, 3}:
        raise CodeObjectError(f"a compressed bundle of the unknown version {version}")
    layout, start = ("<II", 24) if version == 2 else ("<QQ", 32)
    size, _ = _read(layout, data, 8)
    body = data[start:size] if size else data[start:]
    try:
        return zlib.decompressobj().decompress(body) if method == 0 else _zstd(body)
    except zlib.error as error:
        raise CodeObjectError(f"a damaged compressed bundle: {error}") from error


def _zstd(body: bytes) -> bytes:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # Python 3.14
    except ImportError:
        try:
            import zstandard  # type: ignore[import-not-found,unused-ignore]
        except ImportError as error:
            raise CodeObjectError(
                "the bundle is compressed with zstd",
                next_step="pip install zstandard, or compile with --no-offload-compress",
            ) from error
        return bytes(zstandard.ZstdDecompressor().decompressobj().decompress(body))
    return bytes(zstd.ZstdDecompressor().decompress(body))


def _read(layout: str, data: bytes, at: int) -> tuple[int, ...]:
    if at + struct.calcsize(layout) > len(data):
        raise CodeObjectError("a damaged code object: the bytes end inside a header")
    return struct.unpack_from(layout, data, at)


def sections(data: bytes) -> Iterator[Section]:
    """The sections of a 64-bit little-endian ELF."""
    (start,) = _read("<Q", data, 40)
    size, count, names = _read("<HHH", data, 58)
    rows = [_read("<IIQQQQ", data, start + i * size) for i in range(count)]
    if not rows:
        return
    if names >= count:
        raise CodeObjectError("a damaged ELF: it has no table of section names")
    table = data[rows[names][4] : rows[names][4] + rows[names][5]]
    for name, kind, _, _, offset, length in rows:
        text = table[name : table.find(b"\0", name)].decode("utf-8", "replace")
        yield Section(text, kind, data[offset : offset + length] if kind != _SHT_NOBITS else b"")


def metadata(data: bytes) -> dict[str, Any]:
    """The decoded NT_AMDGPU_METADATA note of a device ELF; empty where it has none."""
    for note in _notes(data):
        try:
            value = decode(note)
        except MessagePackError as error:
            raise CodeObjectError(f"a damaged metadata note: {error}") from error
        if isinstance(value, dict):
            return value
    return {}


def _notes(data: bytes) -> Iterator[bytes]:
    """The descriptors of the metadata notes, from program headers (a stripped ELF has no sections) or sections."""
    (start,) = _read("<Q", data, 32)
    size, count = _read("<HH", data, 54)
    blocks = []
    for i in range(count):
        kind, _, offset, _, _, length = _read("<IIQQQQ", data, start + i * size)
        if kind == _PT_NOTE:
            blocks.append(data[offset : offset + length])
    if not blocks:
        blocks = [section.data for section in sections(data) if section.kind == _SHT_NOTE]
    for block in blocks:
        yield from _descriptors(block)


def _descriptors(block: bytes) -> Iterator[bytes]:
    at = 0
    while at + 12 <= len(block):
        name_size, size, kind = struct.unpack_from("<III", block, at)
        name = at + 12
        start = name + (name_size + 3) // 4 * 4
        if kind == _NT_AMDGPU_METADATA and block[name : name + name_size].rstrip(b"\0") == b"AMDGPU":
            yield block[start : start + size]
        at = start + (size + 3) // 4 * 4

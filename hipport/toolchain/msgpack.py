"""Decodes the MessagePack subset that code objects carry (https://github.com/msgpack/msgpack/blob/master/spec.md)."""

from __future__ import annotations

import struct
from typing import Any


class MessagePackError(ValueError):
    """The bytes end too early, or a type byte has no meaning here."""


_FIXED = {
    0xCA: ">f",
    0xCB: ">d",
    0xCC: ">B",
    0xCD: ">H",
    0xCE: ">I",
    0xCF: ">Q",
    0xD0: ">b",
    0xD1: ">h",
    0xD2: ">i",
    0xD3: ">q",
}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_LENGTHS = {
    0xC4: (">B", "bin"),
    0xC5: (">H", "bin"),
    0xC6: (">I", "bin"),
    0xD9: (">B", "str"),
    0xDA: (">H", "str"),
    0xDB: (">I", "str"),
    0xDC: (">H", "array"),
    0xDD: (">I", "array"),
    0xDE: (">H", "map"),
    0xDF: (">I", "map"),
}


def decode(data: bytes) -> Any:
    """The first value of `data`; bytes after it (a note's padding) are ignored."""
    try:
        return _value(data, 0)[0]
    except (struct.error, RecursionError) as error:
        raise MessagePackError(str(error)) from error


def _value(data: bytes, at: int) -> tuple[Any, int]:
    if at >= len(data):
        raise MessagePackError("the bytes end inside a value")
    tag = data[at]
    at += 1
    if tag <= 0x7F:
        return tag, at
    if tag >= 0xE0:
        return tag - 0x100, at
    if tag <= 0x8F:
        return _map(data, at, tag & 0x0F)
    if tag <= 0x9F:
        return _array(data, at, tag & 0x0F)
    if tag <= 0xBF:
        return _bytes(data, at, tag & 0x1F, text=True)
    if tag in _CONSTANTS:
        return _CONSTANTS[tag], at
    if tag in _FIXED:
        return struct.unpack_from(_FIXED[tag], data, at)[0], at + struct.calcsize(_FIXED[tag])
    if tag not in _LENGTHS:
        raise MessagePackError(f"type byte 0x{tag:02x}")
    code, kind = _LENGTHS[tag]
    size = struct.unpack_from(code, data, at)[0]
    at += struct.calcsize(code)
    if kind == "map":
        return _map(data, at, size)
    if kind == "array":
        return _array(data, at, size)
    return _bytes(data, at, size, text=kind == "str")


def _bytes(data: bytes, at: int, size: int, *, text: bool) -> tuple[str | bytes, int]:
    raw = data[at : at + size]
    if len(raw) != size:
        raise MessagePackError("the bytes end inside a string")
    return (raw.decode("utf-8", "replace") if text else raw), at + size


def _array(data: bytes, at: int, size: int) -> tuple[list[Any], int]:
    items = []
    for _ in range(size):
        item, at = _value(data, at)
        items.append(item)
    return items, at


def _map(data: bytes, at: int, size: int) -> tuple[dict[Any, Any], int]:
    items = {}
    for _ in range(size):
        key, at = _value(data, at)
        if isinstance(key, (list, dict)):
            raise MessagePackError("a map's key is a container")
        items[key], at = _value(data, at)
    return items, at

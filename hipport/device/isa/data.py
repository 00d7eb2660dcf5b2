"""The data sections of an assembly file: bytes, with the places that hold addresses."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field

_WIDTHS = {
    ".byte": 1,
    ".short": 2,
    ".2byte": 2,
    ".hword": 2,
    ".long": 4,
    ".int": 4,
    ".4byte": 4,
    ".quad": 8,
    ".8byte": 8,
}
_NUMBER = re.compile(r"-?(?:0x[0-9a-fA-F]+|\d+)$")
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|x[0-9a-fA-F]+|.)")
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f", b'"': b'"', b"\\": b"\\"}
_KEPT = (".rodata", ".data", ".bss", ".hip", ".constant", ".relro_padding", ".init_array", ".lds")


@dataclass(frozen=True, slots=True)
class Relocation:
    """At `offset` of its object, `width` bytes are the value of `expression` (a symbol, perhaps plus a number)."""

    offset: int
    width: int
    expression: str


@dataclass(frozen=True, slots=True)
class DataObject:
    """A labelled run of bytes. `size` may go beyond `content`: the rest is zero."""

    name: str
    section: str
    content: bytes
    size: int
    alignment: int
    relocations: tuple[Relocation, ...]

    @property
    def writable(self) -> bool:
        """Whether device code may store to it."""
        return not self.section.startswith(".rodata")


def unescape(text: str) -> bytes:
    """The bytes of a quoted string without its quotes."""

    def one(m: re.Match[bytes]) -> bytes:
        code = m[1]
        if code in _ESCAPES:
            return _ESCAPES[code]
        if code[:1].isdigit():
            return bytes([int(code, 8) & 255])
        return bytes([int(code[1:], 16) & 255]) if code[:1] == b"x" else code

    return _ESCAPE.sub(one, text.encode("utf-8", "surrogateescape"))


def _value(text: str) -> str:
    """What stands before a comment."""
    return text.partition(";")[0]


@dataclass(slots=True)
class _Open:
    name: str
    section: str
    alignment: int
    content: bytearray = field(default_factory=bytearray)
    relocations: list[Relocation] = field(default_factory=list)


class DataBuilder:
    """Collects data objects in the order of the file."""

    def __init__(self) -> None:
        self._objects: list[_Open] = []
        self._sizes: dict[str, int] = {}
        self._alignment = 16
        self._common: list[DataObject] = []

    def label(self, name: str, section: str) -> None:
        """A new object begins."""
        self._objects.append(_Open(name, section, self._alignment))
        self._alignment = 16

    def size(self, name: str, text: str) -> None:
        """`.size name, 16`; sizes that are differences of labels belong to code."""
        if _NUMBER.match(text):
            self._sizes[name] = int(text, 0)

    def directive(self, word: str, rest: str, section: str) -> None:
        """One directive; what does not concern data is passed over."""
        if word in {".p2align", ".balign"}:
            value = int(_value(rest).partition(",")[0], 0)
            self._alignment = max(16, 1 << value if word == ".p2align" else value)
            return
        if word in {".lcomm", ".comm", ".local"}:
            self._add_common(word, rest)
            return
        if section.startswith(".text") or not section.startswith(_KEPT) or not self._objects:
            return
        current = self._objects[-1]
        if word in {".ascii", ".asciz", ".string"}:
            start, end = rest.find('"'), rest.rfind('"')
            current.content += unescape(rest[start + 1 : end]) + (b"" if word == ".ascii" else b"\0")
        elif word in {".zero", ".space", ".skip"}:
            parts = _value(rest).split(",")
            current.content += bytes([int(parts[1], 0) & 255 if len(parts) > 1 else 0]) * int(parts[0], 0)
        elif word == ".fill":
            count, size, value = (int(p, 0) for p in (*_value(rest).split(","), "1", "0")[:3])
            current.content += (value & ((1 << 8 * size) - 1)).to_bytes(size, "little") * count
        elif word in _WIDTHS:
            _add_values(current, _WIDTHS[word], rest)

    def _add_common(self, word: str, rest: str) -> None:
        parts = [p.strip() for p in _value(rest).split(",")]
        if word != ".local" and len(parts) > 1:
            alignment = int(parts[2], 0) if len(parts) > 2 else 16
            self._common.append(DataObject(parts[0], ".bss", b"", int(parts[1], 0), max(16, alignment), ()))

    def objects(self) -> tuple[DataObject, ...]:
        """Everything collected; an object without bytes has none of its own."""
        made = [
            DataObject(
                o.name,
                o.section,
                bytes(o.content),
                max(self._sizes.get(o.name, 0), len(o.content)),
                o.alignment,
                tuple(o.relocations),
            )
            for o in self._objects
            if o.section.startswith(_KEPT)
        ]
        return (*made, *self._common)


def _add_values(current: _Open, width: int, rest: str) -> None:
    for part in _value(rest).split(","):
        text = part.strip()
        if _NUMBER.match(text):
            current.content += (int(text, 0) & ((1 << 8 * width) - 1)).to_bytes(width, "little")
        else:
            current.relocations.append(Relocation(len(current.content), width, text))
            current.content += struct.pack("<Q", 0)[:width]

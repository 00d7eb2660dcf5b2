"""Symbols of a module -> C: data objects, code addresses, and the expressions that operands make of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipport.device.isa.operands import OperandError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hipport.device.isa.data import DataObject, Relocation

_RELATIVE = re.compile(r"([^@]+)@(rel32|gotpcrel32|abs32)@(lo|hi)(?:([+-]\d+))?$")
_DIFFERENCE = re.compile(r"\((\S+)-(\S+)\)(&4294967295|>>32)$")
_SUM = re.compile(r"([\w.$]+)(?:([+-])(\d+|0x[0-9a-fA-F]+))?$")
LO_DELTA, HI_DELTA = 4, 12  # distance of the two additions from what s_getpc_b64 gives, which is 0 here


@dataclass(slots=True)
class SymbolTable:
    """Names that operands may use. `code` maps a function to its number, `labels` a label to (function, entry)."""

    data: dict[str, int] = field(default_factory=dict)
    objects: list[DataObject] = field(default_factory=list)
    code: dict[str, int] = field(default_factory=dict)
    labels: dict[str, tuple[int, int]] = field(default_factory=dict)
    got: dict[str, int] = field(default_factory=dict)
    lds: dict[str, int] = field(default_factory=dict)

    def add(self, objects: Iterable[DataObject]) -> None:
        """Take in data objects; a name that comes twice is the first one's."""
        for item in objects:
            if item.name not in self.data:
                self.data[item.name] = len(self.objects)
                self.objects.append(item)

    def address(self, name: str) -> str:
        """C of the address of a symbol.

        Raises:
            OperandError: nothing of that name is defined here.
        """
        if name in self.data:
            return f"(u64)data{self.data[name]}"
        if name in self.code:
            return f"CODE_ADDRESS({self.code[name]}u, 0u)"
        if name in self.labels:
            function, entry = self.labels[name]
            return f"CODE_ADDRESS({function}u, {entry}u)"
        raise OperandError(f"symbol {name}")

    def value(self, text: str) -> str:
        """C of a 32-bit operand that names symbols."""
        m = _RELATIVE.match(text)
        if m:
            return self._relative(m[1].strip('"'), m[2], m[3], int(m[4] or 0))
        m = _DIFFERENCE.match(text)
        if m:
            address = self.address(m[1])
            return f"(u32)({address})" if m[3].startswith("&") else f"(u32)(({address}) >> 32)"
        m = _SUM.match(text)
        if m and m[1] in self.lds:
            return f"{self.lds[m[1]] + int((m[2] or '+') + (m[3] or '0'), 0)}u"
        raise OperandError(f"operand {text}")

    def _relative(self, name: str, how: str, part: str, addend: int) -> str:
        if how == "abs32" and name in self.lds:
            return f"{self.lds[name] + addend}u" if part == "lo" else "0u"
        delta = 0 if how == "abs32" else LO_DELTA if part == "lo" else HI_DELTA
        if how == "gotpcrel32":
            self.address(name)
            address = f"((u64)got + {8 * self.got.setdefault(name, len(self.got))}u)"
        else:
            address = f"({self.address(name)} + {addend - delta}ll)" if addend != delta else f"({self.address(name)})"
        return f"(u32){address}" if part == "lo" else f"(u32)({address} >> 32)"

    def relocation(self, item: int, place: Relocation) -> str:
        """C statement that puts an address into a data object."""
        m = _SUM.match(place.expression.removesuffix("@abs32@lo"))
        if m is None:
            raise OperandError(f"data value {place.expression}")
        addend = int((m[2] or "+") + (m[3] or "0"), 0)
        value = str(self.lds[m[1]]) if m[1] in self.lds else self.address(m[1])
        return f"{{ u64 x = (u64)({value}) + {addend}; memcpy(data{item} + {place.offset}, &x, {place.width}); }}"

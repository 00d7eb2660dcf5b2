"""What accumulates while one assembly file becomes C: functions for opcodes, places, approximations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipport.device.isa.operands import APERTURES, LIMITS, Operand, OperandError, constant_bits, parse_operand
from hipport.device.isa.vectorfn import Form, vector_function

if TYPE_CHECKING:
    from hipport.device.isa.assembly import Instruction
    from hipport.device.isa.opcodes import Opcode
    from hipport.device.isa.symbols import SymbolTable


@dataclass(slots=True)
class Unit:
    """One module under construction. `modal`: some code leaves the default denormal mode; `rounds`: or rounding."""

    target: str
    symbols: SymbolTable
    modal: bool = False
    rounds: bool = False
    functions: dict[tuple[str, Form], str] = field(default_factory=dict)
    bodies: list[str] = field(default_factory=list)
    approximate: dict[str, int] = field(default_factory=dict)
    places: list[Instruction] = field(default_factory=list)

    def vector(self, op: Opcode, form: Form) -> str:
        """Name of the C function for that use of an opcode."""
        key = (op.name, form)
        known = self.functions.get(key)
        if known is not None:
            return known
        symbol = f"lanes{len(self.functions)}"
        self.functions[key] = symbol
        number = self.approximation(op.name, op.approx) if op.approx else -1
        self.bodies.append(vector_function(op, form, symbol, number))
        return symbol

    def approximation(self, name: str, bound: str) -> int:
        """Index of an opcode whose result is not exact; at most 64 are told apart."""
        return min(self.approximate.setdefault(f"{name}: {bound}", len(self.approximate)), 63)

    def at(self, instruction: Instruction) -> str:
        """C that notes where the wave is, ahead of what can fault."""
        self.places.append(instruction)
        return f"w->at = {len(self.places) - 1};"


def row(operand: Operand, offset: int = 0) -> str:
    """C pointer to the 64 lanes of a vector register."""
    return f"{operand.kind} + {64 * (operand.index + offset)}"


def scalar_value(operand: Operand, kind: str, unit: Unit) -> str:
    """C value of a scalar source of type `kind`."""
    wide = kind.endswith("64")
    if operand.kind == "s":
        text = f"get64(s + {operand.index})" if wide else f"s[{operand.index}]"
    elif operand.kind == "c":
        bits = constant_bits(operand, kind)
        text = f"{bits & (2**64 - 1 if wide else 2**32 - 1)}{'ull' if wide else 'u'}"
    elif operand.kind == "w":
        text = _state(operand.text, wide=wide)
    else:
        text = unit.symbols.value(operand.text)
    if operand.negate or operand.absolute:
        raise OperandError(f"modifier on a scalar operand {operand.text}")
    return text


def _state(name: str, *, wide: bool) -> str:
    if name in APERTURES:
        return f"{APERTURES[name] << 32 if wide else APERTURES[name]}ull"
    if name in LIMITS:
        return f"{(LIMITS[name] << 32 | 0xFFFFFFFF) if wide else LIMITS[name]}ull"
    return {"scc": "w->scc", "vccz": "(u32)!get64(s + 106)", "execz": "(u32)!get64(s + 126)"}[name]


def sources(texts: tuple[str, ...]) -> list[Operand]:
    """The operands of those spellings."""
    return [parse_operand(text) for text in texts]

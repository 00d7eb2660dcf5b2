"""The opcodes that the executor models, one line each; `ALL` maps a mnemonic without its encoding suffix to its row."""

from __future__ import annotations

from hipport.device.isa.opcodes import (
    compare,
    convert,
    double,
    fp8,
    half,
    integer,
    packed,
    scalar,
    short,
    single,
    special,
)
from hipport.device.isa.opcodes.table import Opcode, read_table

VECTOR: dict[str, Opcode] = {
    op.name: op
    for text in (
        single.TABLE,
        double.TABLE,
        half.TABLE,
        integer.TABLE,
        short.TABLE,
        convert.TABLE,
        fp8.TABLE,
        special.TABLE,
        packed.TABLE,
        compare.table(),
    )
    for op in read_table(text)
}
SCALAR: dict[str, Opcode] = {op.name: op for op in read_table(scalar.TABLE)}

__all__ = ["SCALAR", "VECTOR", "Opcode"]

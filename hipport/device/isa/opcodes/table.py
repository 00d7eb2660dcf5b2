"""How a row of the opcode tables reads.

    name | result | sources | C  # notes

Types: b32 u32 i32 f32, u16 i16 f16 bf16, b64 u64 i64 f64; `mask` is a lane mask in SGPRs (VCC or a pair). A result may
be `type`, `mask`, or `type mask`. Sources are S0, S1, ... of those types, in the order of the assembly; `=type` is the
destination's own old value, `vcc` the implicit VCC. C is an expression for D (where the result is only a mask, for the
lane's bit), or statements in braces that assign D and COUT (the lane's bit of a mask result) and, in scalar rows, SCC.
CIN is the lane's bit of a mask source; `l` is the lane.

Notes, separated by commas:
    approx BOUND   the machine's result may differ; BOUND is what AMD states or the oracle shows
    slow           calls the C library: one lane at a time
    scc            SCC is set where D is not 0 (scalar rows)
    copy and or xor not shl shr select   how uninitialised bytes pass; else any marked byte marks the whole result
    keep           16-bit result that leaves the other half of the register alone
    transcendental  class for counting (else by type)
    pk             packed: the C is for one half; `pk32`: for one of two 32-bit registers
    mix            sources are f16 halves or f32 as op_sel_hi says
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TAINT_RULES = ("copy", "and", "or", "xor", "not", "shl", "shr")
FLOATS = ("f32", "f64", "f16", "bf16")


@dataclass(frozen=True, slots=True)
class Opcode:
    """One row. `results` and `sources` are type names; `code` is C; `approx` is the bound or empty."""

    name: str
    results: tuple[str, ...]
    sources: tuple[str, ...]
    code: str
    notes: frozenset[str]
    approx: str

    @property
    def value_type(self) -> str:
        """Type of D, or empty where there is only a mask."""
        return "" if self.results[0] == "mask" else self.results[0]

    @property
    def has_mask(self) -> bool:
        """Whether a lane mask is among the results."""
        return "mask" in self.results

    @property
    def taint_rule(self) -> str:
        """Name of the enum taint_rule in native/wave.h."""
        return "TR_" + next((r.upper() for r in TAINT_RULES if r in self.notes), "COMPUTE")


def bits(kind: str) -> int:
    """Width of a type in bits."""
    return 16 if kind == "bf16" else int(kind[1:])


def read_table(text: str) -> Iterator[Opcode]:
    """The rows of a table; empty lines and those that begin with # are passed over."""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        row, _, tail = line.partition("  # ")
        name, results, sources, code = (part.strip() for part in row.split(" | ", 3))
        notes = [n.strip() for n in tail.split(",")]
        approx = next((n[7:] for n in notes if n.startswith("approx ")), "")
        yield Opcode(name, tuple(results.split()), tuple(sources.split()), code, frozenset(notes), approx)

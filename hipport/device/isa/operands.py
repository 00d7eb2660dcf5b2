"""Operands of the assembly: registers, constants, modifiers around them."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, replace

NAMED = {
    "flat_scratch": (102, 2),
    "flat_scratch_lo": (102, 1),
    "flat_scratch_hi": (103, 1),
    "xnack_mask": (104, 2),
    "xnack_mask_lo": (104, 1),
    "xnack_mask_hi": (105, 1),
    "vcc": (106, 2),
    "vcc_lo": (106, 1),
    "vcc_hi": (107, 1),
    "m0": (124, 1),
    "exec": (126, 2),
    "exec_lo": (126, 1),
    "exec_hi": (127, 1),
}
TTMP = 108
VCC, M0, EXEC = 106, 124, 126
APERTURES = {"src_shared_base": 0x0001_0000, "src_private_base": 0x0002_0000}
LIMITS = {"src_shared_limit": 0x0001_0000, "src_private_limit": 0x0002_0000}
_REGISTER = re.compile(r"(v|s|a|ttmp)(?:(\d+)|\[(\d+)(?::(\d+))?\])$")
_INTEGER = re.compile(r"-?(?:0x[0-9a-fA-F]+|\d+)$")
_REAL = re.compile(r"-?\d+\.\d*(?:e[-+]?\d+)?$")
INLINE_TURN = "0.15915494"  # 1/(2 pi), the one inline constant with rounded text


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand.

    `kind`: v, a (rows of lanes), s (scalar registers by encoding), c (constant), w (other state), y (symbol). `text`
    is its spelling without modifiers; `value` the integer of an integer constant, `real` that of a float.
    """

    kind: str
    text: str
    index: int = 0
    count: int = 1
    value: int = 0
    real: float | None = None
    literal: bool = False
    negate: bool = False
    absolute: bool = False
    extend: bool = False

    @property
    def is_rows(self) -> bool:
        """Whether it has a value a lane."""
        return self.kind in "va"


class OperandError(Exception):
    """An operand that is not modelled; the instruction then is not either."""


def parse_operand(text: str) -> Operand:
    """The operand of that spelling.

    Raises:
        OperandError: its kind is not known.
    """
    if text.startswith("-") and not _INTEGER.match(text) and not _REAL.match(text):
        return replace(parse_operand(text[1:]), negate=True)
    if text.startswith("neg(") and text.endswith(")"):
        return replace(parse_operand(text[4:-1]), negate=True)
    if text.startswith("|") and text.endswith("|"):
        return replace(parse_operand(text[1:-1]), absolute=True)
    if text.startswith("abs(") and text.endswith(")"):
        return replace(parse_operand(text[4:-1]), absolute=True)
    if text.startswith("sext(") and text.endswith(")"):
        return replace(parse_operand(text[5:-1]), extend=True)
    m = _REGISTER.match(text)
    if m:
        first = int(m[2] or m[3])
        count = int(m[4]) - first + 1 if m[4] else 1
        return Operand("s" if m[1] == "ttmp" else m[1], text, first + (TTMP if m[1] == "ttmp" else 0), count)
    if text in NAMED:
        index, count = NAMED[text]
        return Operand("s", text, index, count)
    if _INTEGER.match(text):
        return Operand("c", text, value=int(text, 0), literal="x" in text)
    if _REAL.match(text):
        return Operand("c", text, real=float(text))
    if text in {"scc", "src_scc", "vccz", "src_vccz", "execz", "src_execz"} or text in APERTURES or text in LIMITS:
        return Operand("w", text.removeprefix("src_") if text.endswith(("scc", "z")) else text)
    if text.startswith(("[", "hwreg", "sendmsg")):
        return Operand("y", text)
    if "@" in text or text.startswith(("(", ".")) or re.match(r"[A-Za-z_$]", text):
        return Operand("y", text)
    raise OperandError(f"operand {text}")


def constant_bits(operand: Operand, kind: str) -> int:
    """The bits of a constant where a source has the type `kind`."""
    width = 16 if kind == "bf16" else int(kind[1:])
    if operand.real is not None:
        if operand.text.lstrip("-").startswith(INLINE_TURN):
            bits = {16: 0x3118, 32: 0x3E22F983, 64: 0x3FC45F306DC9C882}[width]
            return bits | (1 << width - 1 if operand.text.startswith("-") else 0)
        if kind == "bf16":
            return int.from_bytes(struct.pack("<f", operand.real), "little") >> 16
        form = {16: "<e", 32: "<f", 64: "<d"}[width]
        return int.from_bytes(struct.pack(form, operand.real), "little")
    if kind == "f64" and operand.literal and not -16 <= operand.value <= 64:
        return (operand.value & 0xFFFFFFFF) << 32 if operand.value < 1 << 32 else operand.value
    if width == 64 and kind == "i64" and operand.literal and operand.value & 0xFFFFFFFF80000000 == 0x80000000:
        return operand.value | 0xFFFFFFFF00000000
    return operand.value & ((1 << max(width, 32)) - 1)

"""Instructions that move values between lanes or registers, matrix instructions, and host calls -> C."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hipport.device.isa.operands import OperandError, constant_bits, parse_operand
from hipport.device.isa.unit import Unit, row, scalar_value
from hipport.device.isa.vector import base_name

if TYPE_CHECKING:
    from hipport.device.isa.assembly import Instruction
    from hipport.device.isa.operands import Operand

_MFMA = re.compile(r"v_mfma_(f32|f64|i32)_(\d+)x(\d+)x(\d+)(?:_(\d+)b)?_?(f32|f16|bf16|bf16_1k|i8|f64|xf32)$")
_MATRIX_TYPES = {"f32": "MT_F32", "f16": "MT_F16", "bf16": "MT_BF16", "i8": "MT_I8", "f64": "MT_F64", "xf32": "MT_XF32"}
_GPR_INDEX_BITS = {"SRC0": 1, "SRC1": 2, "SRC2": 4, "DST": 8}


def lane_statement(instruction: Instruction, unit: Unit) -> str | None:
    """C for the instruction; None where it is none of these.

    Raises:
        OperandError: a form that is not modelled.
    """
    name = base_name(instruction.mnemonic)
    if name.startswith("v_mfma_"):
        return _matrix(name, instruction, unit)
    handler = _HANDLERS.get(name)
    return None if handler is None else handler(instruction, unit)


def _operands(instruction: Instruction) -> list[Operand]:
    return [parse_operand(text) for text in instruction.operands]


def _read_first(instruction: Instruction, unit: Unit) -> str:
    to, source = _operands(instruction)
    if not source.is_rows:
        return f"s[{to.index}] = {scalar_value(source, 'u32', unit)};"
    return _read(
        to, source, f"read_first_lane(w, {row(source)})", "get64(s + 126) ? __builtin_ctzll(get64(s + 126)) : 0"
    )


def _read_lane(instruction: Instruction, unit: Unit) -> str:
    to, source, lane = _operands(instruction)
    number = scalar_value(lane, "u32", unit)
    return _read(to, source, f"read_lane(w, {row(source)}, {number})", number)


def _read(to: Operand, source: Operand, value: str, lane: str) -> str:
    taint = f"if (UNLIKELY(w->tainted)) w->s_taint[{to.index}] = lane_marks(w, {row(source)}, (u32)({lane}));"
    return f"{{ {taint} s[{to.index}] = {value}; }}"


def _write_lane(instruction: Instruction, unit: Unit) -> str:
    to, value, lane = _operands(instruction)
    return f"write_lane(w, {row(to)}, {scalar_value(value, 'u32', unit)}, {scalar_value(lane, 'u32', unit)});"


def _swap_rows(instruction: Instruction, _unit: Unit) -> str:
    a, b = _operands(instruction)
    width = 16 if "permlane16" in instruction.mnemonic else 32
    modifiers = instruction.modifiers
    return f"swap_rows(w, {row(a)}, {row(b)}, {width}, {int('fi' in modifiers)}, {int('bound_ctrl' in modifiers)});"


def _swap(instruction: Instruction, _unit: Unit) -> str:
    a, b = _operands(instruction)
    return f"swap_lanes(w, {row(a)}, {row(b)});"


def _movrel(instruction: Instruction, unit: Unit) -> str:
    to, source = _operands(instruction)
    name = base_name(instruction.mnemonic)
    relative_to, relative_from = int("movreld" in name or "movrelsd" in name), int("movrels" in name)
    pointer = row(source) if source.is_rows else "NULL"
    value = "0" if source.is_rows else scalar_value(source, "u32", unit)
    return f"movrel(w, {row(to)}, {pointer}, {value}, {relative_from}, {relative_to});"


def _index_on(instruction: Instruction, unit: Unit) -> str:
    source, mode = instruction.operands
    names = re.findall(r"SRC0|SRC1|SRC2|DST", mode)
    bits = sum(_GPR_INDEX_BITS[n] for n in names) if names or "gpr_idx" in mode else int(mode, 0)
    value = scalar_value(parse_operand(source), "u32", unit)
    return f"{{ w->index_on = 1; w->index_mode = {bits}; s[124] = (s[124] & ~255u) | ({value} & 255u); }}"


def _index_off(_instruction: Instruction, _unit: Unit) -> str:
    return "w->index_on = 0;"


def _index_value(instruction: Instruction, unit: Unit) -> str:
    value = scalar_value(parse_operand(instruction.operands[0]), "u32", unit)
    return f"s[124] = (s[124] & ~255u) | ({value} & 255u);"


def _index_mode(instruction: Instruction, _unit: Unit) -> str:
    names = re.findall(r"SRC0|SRC1|SRC2|DST", instruction.operands[0])
    return f"w->index_mode = {sum(_GPR_INDEX_BITS[n] for n in names)};"


def _movrels(instruction: Instruction, unit: Unit) -> str:
    name = instruction.mnemonic
    to, source = _operands(instruction)
    at = "s[124]" if "movrels" in name else "0", "s[124]" if "movreld" in name else "0"
    if name.endswith("b64"):
        return f"set64(s + {to.index} + {at[1]}, get64(s + {source.index} + {at[0]}));"
    value = f"s[{source.index} + {at[0]}]" if source.kind == "s" else scalar_value(source, "u32", unit)
    return f"s[{to.index} + {at[1]}] = {value};"


def _host_call(instruction: Instruction, unit: Unit) -> str:
    result, service, *arguments = _operands(instruction)
    rows = ", ".join(row(a) for a in arguments)
    call = f"host_call(w, {row(result)}, {row(service)}, rows);"
    return f"{{ {unit.at(instruction)} const u32 *const rows[] = {{ {rows} }}; {call} }}"


def _clock(instruction: Instruction, _unit: Unit) -> str:
    to = _operands(instruction)[0]
    return f"set64(s + {to.index}, clock_now(w));"


def _matrix(name: str, instruction: Instruction, unit: Unit) -> str:
    m = _MFMA.match(name)
    if m is None:
        raise OperandError(name)
    rows, columns, depth, kind = int(m[2]), int(m[3]), int(m[4]), m[6].removesuffix("_1k")
    blocks = int(m[5] or 0) or _block_count(rows, depth, kind, instruction)
    to, a, b, c = _operands(instruction)
    elements = _per_lane(kind, a)
    modifiers = instruction.modifiers
    blgp = modifiers.get("blgp", "0")
    if kind == "f64" and "neg" in modifiers:
        picks = [int(x) for x in modifiers["neg"].strip("[]").split(",")]
        blgp = str(sum(p << i for i, p in enumerate(picks)))
    start = row(c) if c.is_rows else "NULL"
    constant = (
        0
        if c.is_rows
        else constant_bits(replace(c, negate=False), "f64" if kind == "f64" else "i32" if kind == "i8" else "f32")
    )
    flag = ""
    if kind != "i8":
        number = unit.approximation(name, "order of the sum")
        flag = f"w->approximate[{number}] = 1; "
    shape = f"{{ {rows}, {columns}, {depth}, {blocks}, {_MATRIX_TYPES[kind]}, {elements} }}"
    return (
        f"{{ static const struct matrix_shape shape = {shape}; {flag}"
        f"matrix_multiply(w, &shape, {row(to)}, {row(a)}, {row(b)}, {start}, {constant}ull, "
        f"{modifiers.get('cbsz', '0')}, {modifiers.get('abid', '0')}, {blgp}); }}"
    )


def _per_lane(kind: str, a: Operand) -> int:
    """Elements of A in one lane: what its registers hold."""
    return a.count * {"f32": 1, "xf32": 1, "f16": 2, "bf16": 2, "i8": 4}.get(kind, 1) if kind != "f64" else 1


def _block_count(rows: int, depth: int, kind: str, instruction: Instruction) -> int:
    """Blocks of a shape whose name does not say: what fills 64 lanes."""
    a = parse_operand(instruction.operands[1])
    return max(1, 64 * _per_lane(kind, a) // (rows * depth))


_HANDLERS = {
    "v_readfirstlane_b32": _read_first,
    "v_readlane_b32": _read_lane,
    "v_writelane_b32": _write_lane,
    "v_permlane16_swap_b32": _swap_rows,
    "v_permlane32_swap_b32": _swap_rows,
    "v_swap_b32": _swap,
    "v_movreld_b32": _movrel,
    "v_movrels_b32": _movrel,
    "v_movrelsd_b32": _movrel,
    "s_set_gpr_idx_on": _index_on,
    "s_set_gpr_idx_off": _index_off,
    "s_set_gpr_idx_idx": _index_value,
    "s_set_gpr_idx_mode": _index_mode,
    "s_movrels_b32": _movrels,
    "s_movrels_b64": _movrels,
    "s_movreld_b32": _movrels,
    "s_movreld_b64": _movrels,
    "hipport_hostcall": _host_call,
    "s_memtime": _clock,
    "s_memrealtime": _clock,
}

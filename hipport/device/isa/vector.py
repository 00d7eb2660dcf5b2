"""A vector ALU instruction -> a call of its C function."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hipport.device.isa.opcodes import VECTOR
from hipport.device.isa.operands import VCC, Operand, OperandError, constant_bits, parse_operand
from hipport.device.isa.unit import Unit, row, scalar_value
from hipport.device.isa.vectorfn import Form, SourceForm

if TYPE_CHECKING:
    from hipport.device.isa.assembly import Instruction
    from hipport.device.isa.opcodes import Opcode

SUFFIX = re.compile(r"_(?:e32|e64|dpp|sdwa|e64_dpp)$")
_ALIASES = {
    "v_mad_mix_f32": "v_fma_mix_f32",
    "v_mad_mixlo_f16": "v_fma_mixlo_f16",
    "v_mad_mixhi_f16": "v_fma_mixhi_f16",
    "v_madak_f32": "v_fmaak_f32",
    "v_madmk_f32": "v_fmamk_f32",
}
_SIMPLE_DPP = {
    "wave_shl": 0x130,
    "wave_rol": 0x134,
    "wave_shr": 0x138,
    "wave_ror": 0x13C,
    "row_mirror": 0x140,
    "row_half_mirror": 0x141,
}
_COUNTED_DPP = {"row_shl": 0x100, "row_shr": 0x110, "row_ror": 0x120, "row_newbcast": 0x150, "row_share": 0x150}


def base_name(mnemonic: str) -> str:
    """The mnemonic without its encoding suffix."""
    name = SUFFIX.sub("", mnemonic)
    return _ALIASES.get(name, name)


def _bit_list(modifiers: dict[str, str], key: str, default: list[int]) -> list[int]:
    text = modifiers.get(key)
    if text is None:
        return default
    given = [int(x) for x in text.strip("[]").split(",")]
    return given + default[len(given) :]


def dpp_control(modifiers: dict[str, str]) -> int | None:
    """The DPP control that the modifiers spell, or None where there is none."""
    if "quad_perm" in modifiers:
        picks = [int(x) for x in modifiers["quad_perm"].strip("[]").split(",")]
        return sum(p << 2 * i for i, p in enumerate(picks))
    if "row_bcast" in modifiers:
        return 0x142 if modifiers["row_bcast"] == "15" else 0x143
    for name, code in _SIMPLE_DPP.items():
        if name in modifiers:
            return code
    for name, code in _COUNTED_DPP.items():
        if name in modifiers:
            return code + int(modifiers[name])
    return None


def _source_form(op: Opcode, i: int, operand: Operand, modifiers: dict[str, str], count: int) -> SourceForm:
    kind = "v" if operand.is_rows else "s" if operand.kind == "s" else "c"
    form = SourceForm(kind, operand.negate, operand.absolute, extend=operand.extend)
    sel = _bit_list(modifiers, "op_sel", [0] * 4)
    if "pk" in op.notes or "pk32" in op.notes:
        high = _bit_list(modifiers, "op_sel_hi", [1] * 4)
        lo, hi = _bit_list(modifiers, "neg_lo", [0] * 4), _bit_list(modifiers, "neg_hi", [0] * 4)
        return replace(form, pair=(sel[i], high[i]), negate_pair=(lo[i], hi[i]))
    if "mix" in op.notes:
        half = _bit_list(modifiers, "op_sel_hi", [0] * 4)[i]
        return replace(form, as_half=bool(half), select="hi" if half and sel[i] else "")
    key = f"src{i}_sel"
    if key in modifiers:
        return replace(form, select=modifiers[key])
    if sel[i] and i < count:
        return replace(form, select="hi")
    return form


def _pointer(operand: Operand, unit: Unit, op_kind: str, bit: int, *, indexed: bool) -> str:
    """C argument for one source."""
    if operand.is_rows:
        return f"indexed_row(w, {row(operand)}, {bit})" if indexed else row(operand)
    if operand.kind == "s":
        return f"s + {operand.index}"
    if operand.kind == "c":
        return (
            f"{constant_bits(operand, op_kind)}ull"
            if op_kind.endswith("64")
            else f"{constant_bits(operand, op_kind) & 0xFFFFFFFF}u"
        )
    return scalar_value(
        replace(operand, negate=False, absolute=False), "u64" if op_kind.endswith("64") else "u32", unit
    )


def _split(op: Opcode, operands: list[Operand]) -> tuple[list[Operand], list[Operand]]:
    """(destinations, sources) as the row lists them; the old value and the implicit VCC are not written out."""
    count = len(op.results)
    return operands[:count], operands[count:]


def _arguments(op: Opcode, given: list[Operand], forms: list[SourceForm], unit: Unit, *, indexed: bool) -> list[str]:
    out, at = [], 0
    for i, kind in enumerate(op.sources):
        if kind.startswith("="):
            continue
        if kind == "vcc":
            out.append(f"s + {VCC}")
            continue
        if at >= len(given):
            if kind == "mask":
                out.append(f"s + {VCC}")
                continue
            raise OperandError("too few operands")
        operand = given[at]
        at += 1
        if kind == "mask":
            if operand.kind != "s":
                raise OperandError(f"mask operand {operand.text}")
            out.append(f"s + {operand.index}")
        else:
            wide_kind = _constant_kind(op, kind, forms[i])
            out.append(_pointer(operand, unit, wide_kind, i, indexed=indexed))
    return out


def _constant_kind(op: Opcode, kind: str, form: SourceForm) -> str:
    """The type by which a constant is read: a mixed source that is taken as a half is one."""
    if "mix" in op.notes:
        return "f16" if form.as_half else "f32"
    return kind


def vector_call(instruction: Instruction, unit: Unit, *, indexed: bool = False) -> str:
    """C for the instruction.

    Raises:
        KeyError: the opcode is in no table.
        OperandError: a form of it that is not modelled.
    """
    modifiers = instruction.modifiers
    name = base_name(instruction.mnemonic)
    if "clamp" in modifiers and f"{name}.clamp" in VECTOR:
        name += ".clamp"
    op = VECTOR[name]
    operands = [parse_operand(text) for text in instruction.operands]
    destinations, given = _split(op, operands)
    if op.name == "v_pk_mov_b32":
        return _pk_mov(instruction, given, destinations[0], unit)
    plain = iter(given)
    forms = []
    for i, kind in enumerate(op.sources):
        if kind == "vcc" or kind.startswith("="):
            forms.append(SourceForm("v"))
        elif kind == "mask":
            next(plain, None)
            forms.append(SourceForm("s"))
        else:
            operand = next(plain, None)
            if operand is None:
                raise OperandError("too few operands")
            forms.append(_source_form(op, i, operand, modifiers, len(op.sources)))
    control = dpp_control(modifiers)
    if control is not None and given[0].is_rows:
        forms[0] = replace(forms[0], kind="v")
    form = _form(op, instruction, tuple(forms), unit)
    arguments = _arguments(op, given, forms, unit, indexed=indexed)
    wide = 2 if op.sources[0].endswith("64") else 1
    outputs = [
        (f"indexed_row(w, {row(d)}, 3)" if indexed else row(d)) if d.is_rows else f"s + {d.index}" for d in destinations
    ]
    symbol = unit.vector(op, form)
    if control is None:
        return f"{symbol}(w, {', '.join([*outputs, *arguments])});"
    begin = _dpp_begin(modifiers, control, arguments[0], wide)
    arguments[0] = "w->temporary"
    return f"{{ {begin} {symbol}(w, {', '.join([*outputs, *arguments])}); dpp_end(w, e); }}"


def _dpp_begin(modifiers: dict[str, str], control: int, source: str, rows: int) -> str:
    row_mask = int(modifiers.get("row_mask", "0xf"), 0)
    bank_mask = int(modifiers.get("bank_mask", "0xf"), 0)
    bound = int("bound_ctrl" in modifiers)
    return f"const u64 e = dpp_begin(w, w->temporary, {source}, {rows}, {control}, {row_mask}, {bank_mask}, {bound});"


def _form(op: Opcode, instruction: Instruction, forms: tuple[SourceForm, ...], unit: Unit) -> Form:
    modifiers = instruction.modifiers
    omod = next((f"{key}:{modifiers[key]}" for key in ("mul", "div") if key in modifiers), "")
    high = op.name == "v_fma_mixhi_f16"
    if "op_sel" in modifiers and "pk" not in op.notes and "pk32" not in op.notes and "mix" not in op.notes:
        sel = _bit_list(modifiers, "op_sel", [0] * 4)
        count = len([s for s in op.sources if not s.startswith("=") and s != "vcc"])
        high = bool(sel[count]) if count < len(sel) else False
    clamp = "clamp" in modifiers
    if clamp and not op.name.endswith(".clamp") and op.value_type not in ("f32", "f64", "f16"):
        raise OperandError("clamp")
    return Form(
        op.name,
        forms,
        clamp=clamp,
        omod=omod,
        high=high,
        dst_sel=modifiers.get("dst_sel", ""),
        dst_unused=modifiers.get("dst_unused", ""),
        modal=unit.modal and ("f32" in op.sources or op.value_type == "f32"),
        rounding=_rounding(op) if unit.rounds else -1,
        truth=modifiers.get("bitop3", "") or _byte(op, modifiers),
    )


def _byte(op: Opcode, modifiers: dict[str, str]) -> str:
    """Which byte of its destination v_cvt_sr_* writes: OPSEL[3:2]."""
    if not op.name.startswith("v_cvt_sr_"):
        return ""
    sel = _bit_list(modifiers, "op_sel", [0] * 4)
    return str(sel[2] + 2 * sel[3])


def _rounding(op: Opcode) -> int:
    """Where in MODE the rounding of the opcode's result is chosen; -1 where the opcode itself says how it rounds."""
    if "transcendental" in op.notes or "rndne" in op.name:
        return -1
    return {"f32": 0, "f64": 2, "f16": 2}.get(op.value_type, -1)


def _pk_mov(instruction: Instruction, given: list[Operand], destination: Operand, unit: Unit) -> str:
    """v_pk_mov_b32: the low register takes the first source's chosen half, the high one the second's."""
    sel = _bit_list(instruction.modifiers, "op_sel", [0, 0])
    move = VECTOR["v_mov_b32"]
    calls = []
    for half, operand in enumerate(given):
        kind = "v" if operand.is_rows else "s" if operand.kind == "s" else "c"
        text = (
            row(operand, sel[half])
            if operand.is_rows
            else f"s + {operand.index + sel[half]}"
            if operand.kind == "s"
            else _pointer(operand, unit, "b32", 0, indexed=False)
        )
        symbol = unit.vector(move, Form(move.name, (SourceForm(kind),)))
        calls.append(f"{symbol}(w, w->temporary + {64 * half}, {text});")
    back = unit.vector(move, Form(move.name, (SourceForm("v"),)))
    calls += [f"{back}(w, {row(destination, half)}, w->temporary + {64 * half});" for half in (0, 1)]
    return f"{{ {' '.join(calls)} }}"

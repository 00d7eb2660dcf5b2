"""Scalar ALU instructions -> C in place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.device.isa.opcodes import SCALAR
from hipport.device.isa.operands import EXEC, Operand, OperandError, parse_operand
from hipport.device.isa.unit import Unit, scalar_value

if TYPE_CHECKING:
    from hipport.device.isa.assembly import Instruction
    from hipport.device.isa.opcodes import Opcode

_SAVEEXEC = re.compile(r"s_(and|or|xor|andn2|orn2|nand|nor|xnor|andn1|orn1)_saveexec_b64$")
_WREXEC = re.compile(r"s_(andn1|andn2)_wrexec_b64$")
_LOGIC = {
    "and": "x & e",
    "or": "x | e",
    "xor": "x ^ e",
    "andn2": "x & ~e",
    "orn2": "x | ~e",
    "nand": "~(x & e)",
    "nor": "~(x | e)",
    "xnor": "~(x ^ e)",
    "andn1": "~x & e",
    "orn1": "~x | e",
}
_NONE = 128  # register number of what has no marks: constants
_HWREG = {
    "HW_REG_MODE": 1,
    "HW_REG_STATUS": 2,
    "HW_REG_TRAPSTS": 3,
    "HW_REG_HW_ID": 4,
    "HW_REG_GPR_ALLOC": 5,
    "HW_REG_LDS_ALLOC": 6,
    "HW_REG_XCC_ID": 20,
}


def _set(operand: Operand, value: str, *, wide: bool) -> str:
    if operand.kind != "s":
        raise OperandError(f"destination {operand.text}")
    return f"set64(s + {operand.index}, {value});" if wide else f"s[{operand.index}] = (u32)({value});"


def _number(operand: Operand) -> int:
    return operand.index if operand.kind == "s" else _NONE


def scalar_statement(instruction: Instruction, unit: Unit) -> str:
    """C for a scalar ALU instruction.

    Raises:
        KeyError: the opcode is in no table.
        OperandError: an operand that is not modelled.
    """
    name = instruction.mnemonic
    special = _exec_statement(name, instruction, unit)
    if special:
        return special
    op = SCALAR[name]
    operands = [parse_operand(text) for text in instruction.operands]
    compare = op.results == ("scc",)
    destination = None if compare else operands[0]
    rest = operands if compare else operands[1:]
    kinds = op.sources
    values, used = [], iter(rest)
    numbers = []
    for kind in kinds:
        if kind.startswith("="):
            if destination is None:
                raise OperandError("no destination")
            values.append(scalar_value(destination, kind[1:], unit))
            numbers.append((destination.index, kind[1:]))
            continue
        operand = next(used)
        if kind in {"imm", "umm"}:
            values.append(_immediate(operand, signed=kind == "imm"))
            numbers.append((_NONE, "u32"))
        else:
            values.append(scalar_value(operand, kind, unit))
            numbers.append((_number(operand), kind))
    body = _names(kinds, values)
    return _wrap(op, body, destination, numbers, unit, instruction)


def _immediate(operand: Operand, *, signed: bool) -> str:
    value = operand.value & 0xFFFF
    return f"{value | 0xFFFF0000 if signed and value & 0x8000 else value}u"


def _names(kinds: tuple[str, ...], values: list[str]) -> str:
    out = ""
    for i, (kind, value) in enumerate(zip(kinds, values, strict=True)):
        ctype = "u64" if kind.lstrip("=").endswith("64") else "u32"
        out += f"const {ctype} S{i} = {value}; "
    return out


def _wrap(
    op: Opcode,
    body: str,
    destination: Operand | None,
    numbers: list[tuple[int, str]],
    unit: Unit,
    instruction: Instruction,
) -> str:
    code = op.code
    wide = op.results[0].endswith("64")
    writes_scc = op.results == ("scc",) or "scc" in op.notes or "SCC =" in code
    taint = _taint(op, destination, numbers, wide=wide, writes_scc=writes_scc)
    if destination is None:
        return f"{{ {taint}{body}w->scc = ({code}) != 0; }}"
    reads = "u32 SCC = w->scc; " if "SCC" in code else ""
    statement = code if code.startswith("{") else f"D = {code};"
    after = "w->scc = D != 0;" if "scc" in op.notes else "w->scc = SCC;" if "SCC =" in code else ""
    exec_check = ""
    if destination.kind == "s" and destination.index in (EXEC, EXEC + 1):
        exec_check = f" if (UNLIKELY(w->tainted)) {{ {unit.at(instruction)} taint_exec(w); }}"
    declared = "u64 D; " if wide else "u32 D; "
    return f"{{ {taint}{reads}{declared}{body}{statement} {_set(destination, 'D', wide=wide)} {after}{exec_check} }}"


def _taint(
    op: Opcode, destination: Operand | None, numbers: list[tuple[int, str]], *, wide: bool, writes_scc: bool
) -> str:
    rule = "TR_SELECT" if "select" in op.notes else op.taint_rule
    a = numbers[0] if numbers else (_NONE, "u32")
    b = numbers[1] if len(numbers) > 1 else (_NONE, "u32")
    dwords = (2 if a[1].endswith("64") else 1) | (2 if b[1].endswith("64") else 1) << 4
    flag = " | 0x100" if writes_scc else ""
    target = _NONE if destination is None else destination.index
    arguments = f"{rule}{flag}, {target}, {2 if wide else 1}, {a[0]}, {dwords}, {b[0]}"
    return f"if (UNLIKELY(w->tainted)) taint_scalar(w, {arguments}); "


def _exec_statement(name: str, instruction: Instruction, unit: Unit) -> str:
    m = _SAVEEXEC.match(name)
    if m:
        destination, source = (parse_operand(text) for text in instruction.operands)
        value = scalar_value(source, "b64", unit)
        rule = {"and": "TR_AND", "or": "TR_OR"}.get(m[1], "TR_XOR")
        taint = (
            f"if (UNLIKELY(w->tainted)) {{ {unit.at(instruction)} "
            f"taint_scalar(w, {rule} | 0x100, {EXEC}, 2, {_number(source)}, 0x22, {EXEC}); "
            f"w->s_taint[{destination.index}] = w->s_taint[{destination.index + 1}] = 0; taint_exec(w); }} "
        )
        body = f"const u64 e = get64(s + {EXEC}), x = {value}, r = {_LOGIC[m[1]]};"
        return f"{{ {taint}{body} {_set(destination, 'e', wide=True)} set64(s + {EXEC}, r); w->scc = r != 0; }}"
    m = _WREXEC.match(name)
    if m:
        destination, source = (parse_operand(text) for text in instruction.operands)
        body = f"const u64 e = get64(s + {EXEC}), x = {scalar_value(source, 'b64', unit)}, r = {_LOGIC[m[1]]};"
        return f"{{ {body} set64(s + {EXEC}, r); {_set(destination, 'r', wide=True)} w->scc = r != 0; }}"
    if name == "s_getreg_b32":
        destination = parse_operand(instruction.operands[0])
        return _set(destination, f"get_register(w, {_hwreg(instruction.operands[1])})", wide=False)
    if name in {"s_setreg_b32", "s_setreg_imm32_b32"}:
        value = scalar_value(parse_operand(instruction.operands[1]), "u32", unit)
        return f"set_register(w, {_hwreg(instruction.operands[0])}, {value});"
    if name in {"s_round_mode", "s_denorm_mode"}:
        raise OperandError(name)
    return ""


def _hwreg(text: str) -> str:
    m = re.match(r"hwreg\(([^,)]+)(?:,\s*(\d+))?(?:,\s*(\d+))?\)", text)
    if m is None:
        raise OperandError(text)
    number = _HWREG.get(m[1].strip())
    if number is None:
        number = int(m[1]) if m[1].strip().isdigit() else 31
    return f"{number}, {m[2] or 0}, {m[3] or 32}"

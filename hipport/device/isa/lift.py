"""One assembly file -> one C file that the runtime of device/native runs."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.device.isa import emit
from hipport.device.isa.assembly import parse
from hipport.device.isa.classes import instruction_class, is_vector
from hipport.device.isa.control import Flow, control_statement, flow_of
from hipport.device.isa.lanecode import lane_statement
from hipport.device.isa.memorycode import memory_statement
from hipport.device.isa.metadata import KernelInfo, kernel_infos, symbol_value
from hipport.device.isa.operands import OperandError
from hipport.device.isa.scalarcode import scalar_statement
from hipport.device.isa.symbols import SymbolTable
from hipport.device.isa.unit import Unit
from hipport.device.isa.vector import vector_call
from hipport.errors import UntestedError

if TYPE_CHECKING:
    from hipport.device.isa.assembly import Assembly, Function, Instruction

TARGETS = ("gfx942", "gfx950")
_ROWS = re.compile(r"\b([va])(?:(\d+)|\[(\d+)(?::(\d+))?\])")
_MODE = re.compile(r"hwreg\((?:HW_REG_MODE|1)(?:,\s*(\d+),\s*(\d+))?\)")


@dataclass(frozen=True, slots=True)
class LiftedFunction:
    """The C of one function, what it could not do, and the registers it names."""

    name: str
    body: str
    flow: Flow
    unknown: tuple[str, ...]
    vgprs: int
    agprs: int
    calls: bool
    blocks: tuple[tuple[int, ...], ...]
    instructions: int


@dataclass(frozen=True, slots=True)
class Lifted:
    """The C of a module and what was seen: every mnemonic with its count, and those that are not modelled."""

    source: str
    kernels: tuple[KernelInfo, ...]
    opcodes: Counter[str]
    unknown: Counter[str]


def lift(text: str, *, profile: bool = False, digest: str = "") -> Lifted:
    """C for the assembly `text`.

    Raises:
        UntestedError: it is for a target that the executor does not run yet.
        DataError: it is no AMDGPU assembly.
    """
    assembly = parse(text)
    if assembly.target not in TARGETS:
        raise UntestedError(
            f"{assembly.target} is not run by the executor yet", next_step=f"compile for one of {', '.join(TARGETS)}"
        )
    infos = kernel_infos(assembly)
    unit = Unit(assembly.target, SymbolTable(), modal=_leaves_denormals(assembly), rounds=_leaves_rounding(assembly))
    unit.symbols.add(assembly.data)
    unit.symbols.lds.update(assembly.lds)
    flows = [flow_of(function, i) for i, function in enumerate(assembly.functions)]
    for function, flow in zip(assembly.functions, flows, strict=True):
        unit.symbols.code.setdefault(function.name, flow.number)
        unit.symbols.labels.update(
            {n: (flow.number, flow.entries[i]) for n, i in flow.at_label.items() if i in flow.entries}
        )
    first_block, functions = 0, []
    for function, flow in zip(assembly.functions, flows, strict=True):
        lifted = lift_function(function, flow, unit, first_block)
        functions.append(lifted)
        first_block += len(lifted.blocks)
    opcodes = Counter(i.mnemonic for f in assembly.functions for i in f.instructions)
    unknown = Counter(name.split()[0] for f in functions for name in f.unknown)
    source = emit.module_source(unit, functions, infos, profile=profile, digest=digest)
    return Lifted(source, infos, opcodes, unknown)


def _leaves_denormals(assembly: Assembly) -> bool:
    """Whether a kernel starts with f32 denormals flushed, or sets that field of MODE."""
    starts = any(
        symbol_value(d.get("float_denorm_mode_32", "3"), assembly.symbols) != 3 for d in assembly.descriptors.values()
    )
    return starts or _sets_mode(assembly, 4, 5)


def _leaves_rounding(assembly: Assembly) -> bool:
    """Whether a kernel starts with another rounding than to nearest, or sets those fields of MODE."""
    keys = ("float_round_mode_32", "float_round_mode_16_64")
    starts = any(
        symbol_value(d.get(k, "0"), assembly.symbols) != 0 for d in assembly.descriptors.values() for k in keys
    )
    return starts or _sets_mode(assembly, 0, 3)


def _sets_mode(assembly: Assembly, first: int, last: int) -> bool:
    for function in assembly.functions:
        for instruction in function.instructions:
            if instruction.mnemonic.startswith("s_setreg"):
                m = _MODE.match(instruction.operands[0])
                if m and int(m[1] or 0) <= last and int(m[1] or 0) + int(m[2] or 32) > first:
                    return True
    return False


def lift_function(function: Function, flow: Flow, unit: Unit, first_block: int) -> LiftedFunction:
    """C of one function: a switch over its entries, then the instructions in order."""
    indexed = any(i.mnemonic == "s_set_gpr_idx_on" for i in function.instructions)
    lines: list[str] = []
    unknown: list[str] = []
    blocks: list[tuple[int, ...]] = []
    rows = {"v": 0, "a": 0}
    for i, instruction in enumerate(function.instructions):
        if i in flow.leaders or i in flow.targets or i in flow.entries:
            size, counts = _block(function, flow, i)
            lines.append(f"L{i}: BLOCK({first_block + len(blocks)}, {size})")
            blocks.append(counts)
        if is_vector(instruction.mnemonic):
            lines.append("VLANES")
        statement = statement_of(i, instruction, flow, unit, unknown, indexed=indexed)
        if statement:
            lines.append(statement)
        _note_rows(instruction, rows)
    end = len(function.instructions)
    lines.append(f"L{end}:; w->at = 0; return jump(w, 0);")
    calls = any(i.mnemonic in {"s_swappc_b64", "s_setpc_b64"} for i in function.instructions)
    cases = "".join(f"case {entry}: goto L{i}; " for i, entry in flow.entries.items())
    body = f"switch (w->entry) {{ {cases}default: break; }}\n" + "\n".join(lines)
    return LiftedFunction(
        function.name,
        body,
        flow,
        tuple(unknown),
        rows["v"],
        rows["a"],
        calls,
        tuple(blocks),
        len(function.instructions),
    )


def _block(function: Function, flow: Flow, start: int) -> tuple[int, tuple[int, ...]]:
    """(instructions from `start` to the next leader, those by class)."""
    counts = [0] * 16
    end = start
    while end < len(function.instructions):
        counts[instruction_class(function.instructions[end].mnemonic)] += 1
        end += 1
        if end in flow.leaders or end in flow.targets or end in flow.entries:
            break
    return end - start, tuple(counts)


def _note_rows(instruction: Instruction, rows: dict[str, int]) -> None:
    for operand in instruction.operands:
        for m in _ROWS.finditer(operand):
            last = int(m[2] or m[4] or m[3])
            rows[m[1]] = max(rows[m[1]], last + 1)


def statement_of(i: int, instruction: Instruction, flow: Flow, unit: Unit, unknown: list[str], *, indexed: bool) -> str:
    """C for one instruction; what is not modelled stops the run where it is reached, and is named in `unknown`."""
    try:
        statement = control_statement(i, instruction, flow, unit)
        if statement is None:
            statement = lane_statement(instruction, unit)
        if statement is None and instruction.mnemonic.startswith("v_"):
            statement = vector_call(instruction, unit, indexed=indexed)
        if statement is None:
            statement = memory_statement(instruction, unit)
        if statement is None:
            statement = scalar_statement(instruction, unit)
    except (KeyError, OperandError, ValueError, IndexError, TypeError) as error:
        reason = str(error) if isinstance(error, OperandError) else ""
        text = f"{instruction.mnemonic} {reason}".strip() if reason else instruction.mnemonic
        unknown.append(text)
        return f"{unit.at(instruction)} unknown_opcode(w, {emit.quoted(text)});"
    return statement

"""Branches, calls, barriers and the end of a wave -> C; and which points of a function a wave can go on from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipport.device.isa.operands import parse_operand

if TYPE_CHECKING:
    from hipport.device.isa.assembly import Function, Instruction
    from hipport.device.isa.unit import Unit

BRANCHES = {
    "s_branch": ("1", ""),
    "s_cbranch_execz": ("!get64(s + 126)", ""),
    "s_cbranch_execnz": ("get64(s + 126)", ""),
    "s_cbranch_vccz": ("!get64(s + 106)", "taint_branch(w, 106, 2)"),
    "s_cbranch_vccnz": ("get64(s + 106)", "taint_branch(w, 106, 2)"),
    "s_cbranch_scc0": ("!w->scc", "taint_branch(w, SGPRS, 1)"),
    "s_cbranch_scc1": ("w->scc", "taint_branch(w, SGPRS, 1)"),
}
# no effect on what the executor models: waits, hints, caches, messages to the scheduler
IGNORED = re.compile(
    r"(?:s_waitcnt\w*|s_nop|s_setprio|s_sethalt|s_icache_inv|s_dcache_\w+|s_code_end|s_inst_prefetch|s_clause|s_sendmsg\w*|"
    r"s_ttracedata\w*|s_incperflevel|s_decperflevel|s_setkill|s_set_gpr_idx_none|s_wakeup|s_prefetch_\w+|buffer_wbl2|buffer_inv|"
    r"buffer_wbinvl1\w*|v_nop|v_clrexcp|s_endpgm_ordered_ps_done|ds_gws_init|ds_nop|s_sched_\w+|s_waitcnt_depctr|s_delay_alu)$"
)
_LABELS_IN_OPERANDS = re.compile(r"\((\.\w+)-\.\w+\)")
_POINTS = {"s_barrier", "s_swappc_b64", "s_call_b64", "s_sleep", "ds_gws_barrier"}
_ENDS = {"s_endpgm", "s_endpgm_saved", "s_setpc_b64", "s_trap"}


@dataclass(slots=True)
class Flow:
    """Control flow of one function: `entries`: instruction -> entry number; `at_label`: label -> index."""

    number: int
    at_label: dict[str, int] = field(default_factory=dict)
    entries: dict[int, int] = field(default_factory=dict)
    targets: set[int] = field(default_factory=set)
    leaders: set[int] = field(default_factory=set)

    def entry(self, index: int) -> int:
        """Entry number of an instruction, made where it has none."""
        return self.entries.setdefault(index, len(self.entries))


def flow_of(function: Function, number: int) -> Flow:
    """Labels, entries and block leaders of a function; entry 0 is its start."""
    flow = Flow(number, {name: i for i, names in function.labels.items() for name in names})
    flow.entry(0)
    flow.leaders.add(0)
    for i, instruction in enumerate(function.instructions):
        name = instruction.mnemonic
        if name in BRANCHES or name == "s_call_b64":
            target = flow.at_label.get(instruction.operands[-1])
            if target is not None:
                flow.targets.add(target)
                flow.leaders.update((target, i + 1))
                if target <= i or name == "s_call_b64":
                    flow.entry(target)
        if name in _POINTS:
            flow.entry(i + 1)
            flow.leaders.add(i + 1)
        if name in _ENDS:
            flow.leaders.add(i + 1)
        for operand in instruction.operands:
            for label in _LABELS_IN_OPERANDS.findall(operand):
                if label in flow.at_label and "post_getpc" not in label:
                    flow.entry(flow.at_label[label])
                    flow.leaders.add(flow.at_label[label])
    return flow


def control_statement(i: int, instruction: Instruction, flow: Flow, unit: Unit) -> str | None:
    """C for a control instruction; None where it is none."""
    name = instruction.mnemonic
    if name in BRANCHES:
        return _branch(i, instruction, flow, unit)
    if IGNORED.match(name):
        return ""
    if name in {"s_endpgm", "s_endpgm_saved"}:
        return f"{unit.at(instruction)} return end_of_wave(w);"
    if name == "s_barrier":
        return f"{unit.at(instruction)} return barrier(w, {flow.entry(i + 1)});"
    if name == "s_sleep":
        return f"w->entry = {flow.entry(i + 1)}; return WAVE_YIELD;"
    if name == "ds_gws_barrier":
        return f"{unit.at(instruction)} w->entry = {flow.entry(i + 1)}; return WAVE_GRID_BARRIER;"
    if name == "s_trap":
        return "" if instruction.operands[0] == "3" else f"{unit.at(instruction)} device_trap(w);"
    if name == "s_getpc_b64":
        return f"set64(s + {parse_operand(instruction.operands[0]).index}, 0);"
    if name == "s_setpc_b64":
        return f"{unit.at(instruction)} return jump(w, get64(s + {parse_operand(instruction.operands[0]).index}));"
    if name == "s_swappc_b64":
        back, to = (parse_operand(text).index for text in instruction.operands)
        return (
            f"{{ {unit.at(instruction)} const u64 t = get64(s + {to}); "
            f"set64(s + {back}, CODE_ADDRESS({flow.number}u, {flow.entry(i + 1)}u)); return jump(w, t); }}"
        )
    if name == "s_call_b64":
        back = parse_operand(instruction.operands[0]).index
        goto = f"goto L{flow.at_label[instruction.operands[1]]};"
        return f"{{ set64(s + {back}, CODE_ADDRESS({flow.number}u, {flow.entry(i + 1)}u)); {goto} }}"
    return None


def _branch(i: int, instruction: Instruction, flow: Flow, unit: Unit) -> str:
    condition, taint = BRANCHES[instruction.mnemonic]
    target = flow.at_label[instruction.operands[0]]
    check = f"if (UNLIKELY(w->tainted)) {{ {unit.at(instruction)} {taint}; }} " if taint else ""
    go = f"goto L{target};"
    if target <= i:  # a runaway is blamed on its loop
        go = f"BACK({flow.entry(target)}, L{target}, {unit.at(instruction)});"
    return f"{check}{go}" if condition == "1" else f"{check}if ({condition}) {go}"

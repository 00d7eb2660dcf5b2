"""# lane-ptx: lane and mask registers in inline PTX

PTX does not assemble for AMD. The lane registers and the warp instructions have exact counterparts; as everywhere
in a port, a warp has 32 lanes:

| PTX | becomes |
|---|---|
| `mov.u32 %0, %laneid` | `__lane_id() & 31` |
| `%lanemask_lt`, `le`, `eq`, `ge`, `gt` | shifts of a 32-bit word by the lane number |
| `%warpid`, `%smid` | the thread's number / 32, `__smid()`; CUDA promises neither to stay: both are listed |
| `activemask.b32` | the own half's active lanes |
| `match.any.sync.b32`, `shfl.sync.*.b32` with the whole warp's clamp | `__match_any`, `__shfl*` in 32 lanes |
| `bar.warp.sync` | `__syncwarp()` |
| `membar.cta`, `.gl`, `.sys`; `fence.acq_rel.*` | `__threadfence_block()`, `__threadfence()`, `_system()` |

Texts of several instructions, and all other PTX, are the rule inline-ptx.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend.asm import statements
from hipport.model import Safety
from hipport.rewrites.forms import HALF_SHIFT, edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.asm import AsmStatement
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "lane-ptx"
_LANE = "(__lane_id() & 31)"
_REGISTER = {
    "laneid": "__lane_id() & 31",
    "lanemask_lt": f"(1u << {_LANE}) - 1u",
    "lanemask_le": f"(2u << {_LANE}) - 1u",
    "lanemask_eq": f"1u << {_LANE}",
    "lanemask_ge": f"~0u << {_LANE}",
    "lanemask_gt": f"~1u << {_LANE}",
    "warpid": "((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32",
    "smid": "__smid()",
}
_FENCE = {
    "membar.cta": "__threadfence_block()",
    "membar.gl": "__threadfence()",
    "membar.sys": "__threadfence_system()",
    "fence.acq_rel.cta": "__threadfence_block()",
    "fence.acq_rel.gpu": "__threadfence()",
    "fence.acq_rel.sys": "__threadfence_system()",
    "fence.sc.cta": "__threadfence_block()",
    "fence.sc.gpu": "__threadfence()",
    "fence.sc.sys": "__threadfence_system()",
}
_SHUFFLE = {"idx": "__shfl", "up": "__shfl_up", "down": "__shfl_down", "bfly": "__shfl_xor"}
_HALF = HALF_SHIFT.decode()


def translate(asm: AsmStatement) -> tuple[str, Safety] | None:
    """The statement that stands for an asm statement, without its semicolon; None where there is none."""
    line = re.sub(r"\\[nt]|\s+", " ", asm.template.replace("%%", "%")).strip().rstrip(";").strip()
    if ";" in line or "{" in line or "@" in line or "|" in line:
        return None
    operation, _, rest = line.partition(" ")
    operands = [part.strip() for part in rest.split(",")] if rest.strip() else []
    if not asm.readable:
        return None
    values = [operand.text for operand in asm.operands]

    def value(operand: str) -> str | None:
        if re.fullmatch(r"%\d+", operand):
            index = int(operand[1:])
            return f"({values[index]})" if index < len(values) else None
        return operand if re.fullmatch(r"-?(?:0x[\da-fA-F]+|\d+)", operand) else None

    if operation in _FENCE and not operands:
        return _FENCE[operation], Safety.SAFE
    if operation == "bar.warp.sync":
        return "__syncwarp()", Safety.SAFE
    if len(asm.outputs) != 1 or not operands or operands[0] != "%0":
        return None
    right = _expression(operation, operands[1:], [value(o) for o in operands[1:]])
    if right is None:
        return None
    safety = Safety.REVIEW if operands[1:] and operands[1] in ("%warpid", "%smid") else Safety.SAFE
    return f"{asm.outputs[0].text} = {right}", safety


def _expression(operation: str, operands: list[str], values: list[str | None]) -> str | None:
    if re.fullmatch(r"mov\.[usb](?:32|64)", operation) and len(operands) == 1:
        return _REGISTER.get(operands[0].lstrip("%"))
    if operation == "activemask.b32" and not operands:
        return f"(unsigned)(__ballot(1){_HALF})"
    if any(v is None for v in values):
        return None
    if operation == "match.any.sync.b32" and len(values) == 2:
        return f"(unsigned)(__match_any({values[0]}){_HALF}) & {values[1]}"
    shuffle = re.fullmatch(r"shfl(?:\.sync)?\.(idx|up|down|bfly)\.b32", operation)
    if shuffle and len(values) in (3, 4):
        clamp = (values[2] or "").strip("()")
        whole = {"0", "0x0"} if shuffle.group(1) == "up" else {"31", "0x1f", "0x1F"}
        return f"{_SHUFFLE[shuffle.group(1)]}({values[0]}, {values[1]}, 32)" if clamp in whole else None
    return None


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    if b"asm" not in unit.text.code:
        return
    for asm in statements(unit.text):
        done = translate(asm) if unit.live(asm.start) else None
        if done is None:
            continue
        instruction = " ".join(asm.template.replace("%%", "%").split()).rstrip(";")[:60]
        text, safety = done
        yield finding(
            unit,
            _ID,
            (asm.start, asm.end),
            f"inline PTX `{instruction}` does not assemble for AMD",
            edits=(edit(unit, asm.start, asm.end, text.encode()),),
            safety=safety,
        )


RULE = Rule(
    _ID,
    "Lane and mask registers in inline PTX",
    ("W20", "P01", "P02", "P03", "P20", "P22", "P23"),
    "ptx",
    Provenance("PTX ISA 8.5 (special registers, warp instructions); HIP C++ language extensions", "all"),
    _find,
)

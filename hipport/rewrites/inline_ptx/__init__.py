"""# inline-ptx: PTX in asm statements

PTX does not assemble for AMD. `rules/ptx.yaml` says what each instruction becomes; a text of several instructions
with registers of its own and predicates becomes a block of C++:

| PTX | becomes |
|---|---|
| `bfe`, `bfi`, `lop3`, `prmt`, `shf`, `bfind`, ... | a HIP function, or a shim where HIP's differs at the edges |
| `mul.hi`, `mad.wide`, `add.cc` ... `addc` | products of the wide type; a carry within one statement |
| `ld`, `st` with `.cg`, `.cs`, `.acquire`, `.v4`, ... | accesses with the same ordering and scope |
| `atom`, `red` | `__hip_atomic_*` with the same ordering and scope; halves, bfloat16 and vectors element by element |
| `shfl` with a predicate or segments, `match.all`, `elect` | shims, in 32 lanes |
| `cp.async` | a copy at once, zero-fill included: commit and wait only bind the compiler |
| `ex2`, `rcp`, `rsqrt`, `tanh.approx`, ... | the machine's approximation with `.ftz`, else the library's function |
| `cvt`, arithmetic of `f16`, `bf16`, `f32x2`, `e4m3x2` | the same rounding; FP8 keeps OCP's bits on every target |
| `dp4a`, `vabsdiff4`, ... | shims |
| `createpolicy`, `.L2::evict_last`, `discard` | nothing: they are advice |
| `griddepcontrol` | nothing: kernels of a stream run one after the other |

A `"memory"` clobber stays as a fence for the compiler. What has no counterpart is listed with the reason and where to
go: `mma`, `ldmatrix`, `wgmma`, `tcgen05`, TMA, `mbarrier`, clusters, named barriers, branches within the text, a
carry that leaves it, `exit`, FP4; what is in device code and not known as PTX. Assembly of the host, of AMD, and
empty statements are left alone. Single lane and mask registers are the rule lane-ptx.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import asm, ptx
from hipport.model import Safety
from hipport.rewrites import lane_ptx
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.inline_ptx.lift import lift
from hipport.rewrites.inline_ptx.values import UnliftableError
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.asm import AsmStatement
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "inline-ptx"
_UNKNOWN = "write it in C++: AMD has other instructions, and a macro may hide which these are"
_WARP = re.compile(r"laneid|lanemask|(?:vote|match|shfl|redux|elect)\.|activemask|bar\.|barrier\.")


def shown(statement: AsmStatement) -> str:
    """The first of a statement's PTX, short enough for a message."""
    text = " ".join(statement.template.replace("%%", "%").split()).rstrip(";")
    return text if len(text) <= 60 else text[:57] + "..."


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    if b"asm" not in unit.text.code:
        return
    for statement in asm.statements(unit.text):
        if not unit.live(statement.start) or lane_ptx.translate(statement):
            continue
        if ptx.is_ptx(statement.template):
            yield _judged(unit, statement)
        elif _foreign(unit, statement):
            span = (statement.start, statement.end)
            message = f"assembly `{shown(statement)}` is in device code, and is not AMD's"
            yield finding(unit, _ID, span, message, safety=Safety.MANUAL, next_step=_UNKNOWN, family="ptx")


def _foreign(unit: Unit, statement: AsmStatement) -> bool:
    """Whether a statement that is not known as PTX can only be that: in a function that the host never compiles."""
    function = unit.function_at(statement.start)
    if function is None or unit.on_host(function):
        return False
    return (bool(statement.template.strip()) or not statement.readable) and not ptx.is_amd(statement.template)


def _judged(unit: Unit, statement: AsmStatement) -> Finding:
    span = (statement.start, statement.end)
    message = f"inline PTX `{shown(statement)}` does not assemble for AMD"
    try:
        if not statement.readable:
            raise UnliftableError("a macro hides a part of it: spell it out")  # noqa: TRY301  one way to say why
        done = lift(statement)
    except UnliftableError as reason:
        return finding(unit, _ID, span, message, safety=Safety.MANUAL, next_step=str(reason), family="ptx")
    return finding(
        unit,
        _ID,
        span,
        message,
        edits=(edit(unit, *span, done.text.encode()),),
        safety=done.safety,
        next_step=done.note,
        shims=done.shims,
        family="ptx",
        crosses=_WARP.search(statement.template) is not None,
    )


RULE = Rule(
    _ID,
    "PTX in asm statements",
    tuple(f"P{number:02}" for number in range(4, 38)),
    "ptx",
    Provenance(
        "PTX ISA 8.5; HeCBench bitcracker, quantAQLM, attentionMultiHeadKVCache; FBGEMM car.cu, quantize.cu, float.cuh",
        "all: compile error",
    ),
    _find,
)

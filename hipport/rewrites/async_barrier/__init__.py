"""# async-barrier: libcu++'s cuda::barrier, cuda::pipeline and cuda::memcpy_async

CUDA copies to shared memory while its threads go on, and waits for the copy with a `cuda::barrier` (an mbarrier in
shared memory) or a `cuda::pipeline`. AMD has no mbarrier before gfx1250, and ROCm 7.2 no libhipcxx. Two shims declare
what is of one block: `block_barrier` and `block_pipeline`. The code stays as it is; where `<cuda/barrier>` can be found
after all, that is taken.

| of CUDA | of the shims |
|---|---|
| `cuda::barrier<thread_scope_block>` | a counter and a phase in LDS; who waits polls the phase |
| its completion function | run by the thread that arrives last |
| `cuda::memcpy_async` | done when it returns, through registers, in 16 bytes where all is aligned |
| `cuda::pipeline<thread_scope_thread>` | keeps the compiler from moving accesses |
| `cuda::pipeline_shared_state`, `make_pipeline` | two barriers in LDS for each stage |

`init`, `arrive`, `wait`, `arrive_and_wait`, `arrive_and_drop`, `try_wait`, `wait_parity`, copies of a thread or a
group, `aligned_size_t`, pipelines with a number of producers or roles, and `pipeline_consumer_wait_prior` are there.

What differs: nothing overlaps with a copy but what other waves do, so more stages bring little; a copy is its threads'
own work, which they finish before they arrive; a thread that leaves a block's pipeline early must not be awaited by
others (there is no `quit`); threads of one wave that wait for each other in branches of their own hang, so producers
and consumers need whole waves of 64 threads (told where `make_pipeline` divides the threads, and by `half-wave-wait`).

Left to a person, with the reason: barriers and pipelines of `thread_scope_device` and `thread_scope_system` (also where
no scope is named), `cuda::std::barrier`, transaction counts and TMA (`barrier_arrive_tx`, `memcpy_async_tx`,
`cp_async_bulk...`), native handles, waits with a time limit.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Safety, Status
from hipport.rewrites.forms import edit, finding, left, wide
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "async-barrier"
_FAMILY = "libcudacxx"
_CUDA = rb"(?<![\w:])(?:::\s*)?cuda\s*::\s*"
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"](cuda/(barrier|pipeline))[>"]', re.MULTILINE)
_ASKED = re.compile(rb"__has_include\s*\([^()\n]*\)[^\n]*\n\Z")
_USED = re.compile(
    _CUDA + rb"(barrier|pipeline_shared_state|pipeline_role|pipeline|make_pipeline|memcpy_async|aligned_size_t"
    rb"|pipeline_consumer_wait_prior|pipeline_producer_commit|async_contract_fulfillment)(?!\w)"
)
_LEFT = re.compile(
    _CUDA + rb"(?:(std)\s*::\s*barrier|device\s*::\s*(?:experimental\s*::\s*)?"
    rb"(memcpy_async_tx|barrier_\w+|cp_async_bulk\w*|fence_proxy\w*)|ptx\s*::\s*(\w+))(?!\w)"
)
_TIMED = re.compile(rb"(?:\.|->)\s*(try_wait(?:_parity)?_(?:for|until)|consumer_wait_(?:for|until))\s*\(")
_OWN = re.compile(rb"namespace\s+cuda\s*\{")
_BLOCK = re.compile(rb"\bthread_scope_(?:block|thread)\b")
_WIDER = re.compile(rb"\bthread_scope_(?:device|system)\b")
_SCOPED = frozenset({"barrier", "pipeline", "pipeline_shared_state"})
_WHOLE = "give producers and consumers whole waves (64 threads on gfx9)"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not re.search(rb"cuda\s*::|cuda/(?:barrier|pipeline)", unit.text.data) or _OWN.search(unit.text.code):
        return
    yield from _includes(unit)
    for match in _USED.finditer(unit.text.code):
        if unit.live(match.start()):
            yield _of_name(unit, match)
            if wide(target) and match[1] == b"make_pipeline":
                yield from _roles(unit, match)
    yield from _left(unit)


def _includes(unit: Unit) -> Iterator[Finding]:
    for match in _INCLUDE.finditer(unit.text.data):
        if not unit.live(match.start()) or _ASKED.search(unit.text.data, 0, match.start()):
            continue
        name = match[1].decode()
        shim = f"block_{match[2].decode()}"
        text = f"#if __has_include(<{name}>)  // libhipcxx; else the {shim} shim\n{match.group().decode()}\n#endif"
        yield finding(
            unit,
            _ID,
            match.span(),
            f"`{name}` is not in ROCm 7.2: a shim declares what it has for one block",
            edits=(edit(unit, *match.span(), text.encode()),),
            shims=(shim,),
            family=_FAMILY,
            crosses=False,
        )


def _of_name(unit: Unit, match: re.Match[bytes]) -> Finding:
    """One use of a name: declared by a shim, or of a wider scope."""
    name = match[1].decode()
    if name in _SCOPED and (wider := _wider(unit, match.end())):
        return finding(
            unit,
            _ID,
            match.span(),
            f"`cuda::{name}` {wider}: it waits for other blocks, or for the host",
            safety=Safety.MANUAL,
            next_step="name cuda::thread_scope_block where one block's threads meet; else launch cooperatively and use "
            "cooperative_groups' grid.sync(), or poll a __hip_atomic with a bound",
            family=_FAMILY,
            crosses=False,
        )
    return finding(
        unit,
        _ID,
        match.span(),
        f"`cuda::{name}` is not in ROCm 7.2: a shim declares it for the threads of one block",
        status=Status.SHIMMED,
        shims=("block_barrier",) if name == "barrier" else ("block_pipeline",),
        family=_FAMILY,
        crosses=False,
    )


def _wider(unit: Unit, after: int) -> str:
    """How the scope of a type reaches beyond the block; empty where it does not, or a parameter decides."""
    opening = re.compile(rb"\s*<").match(unit.text.code, after)
    if opening is None:
        return ""
    close, _ = unit.text.angles(opening.end() - 1)
    inside = unit.text.code[opening.end() : close] if close > 0 else b""
    if _BLOCK.search(inside):
        return ""
    if not inside.strip():
        return "without a scope is one of the whole system"
    found = _WIDER.search(inside)
    return f"of {found.group().decode()}" if found else ""


def _roles(unit: Unit, match: re.Match[bytes]) -> Iterator[Finding]:
    """A pipeline that divides its threads."""
    opening = re.compile(rb"\s*\(").match(unit.text.code, match.end())
    if opening is None or len(unit.text.arguments(opening.end() - 1, unit.text.close(opening.end() - 1))) < 3:
        return
    yield finding(
        unit,
        _ID,
        (match.start(), opening.end()),
        "producers and consumers of one wave that wait for each other hang",
        safety=Safety.REVIEW,
        status=Status.REVIEW,
        next_step=_WHOLE,
        family="sync",
        crosses=False,
    )


def _left(unit: Unit) -> Iterator[Finding]:
    """What the shims leave out."""
    for match in _LEFT.finditer(unit.text.code):
        if not unit.live(match.start()):
            continue
        name = "".join(match.group().decode().split()).removeprefix("::")
        if match[1]:
            why, step = "is one of the whole system", "use cuda::barrier<cuda::thread_scope_block> within a block"
        elif match[3]:
            why, step = (
                "is an instruction of NVIDIA's",
                "write what it does: plain copies, __syncthreads(), __hip_atomic_*",
            )
        else:
            why = "counts bytes of copies that hardware makes, which AMD has not before gfx1250"
            step = "copy with cuda::memcpy_async, or plainly, and arrive"
        yield left(unit, _ID, match.span(), f"`{name}` {why}", step, family=_FAMILY)
    if not _USED.search(unit.text.code):
        return
    for match in _TIMED.finditer(unit.text.code):
        if unit.live(match.start()):
            yield left(
                unit,
                _ID,
                match.span(),
                f"`{match[1].decode()}` waits with a time limit, which the shim leaves out",
                "count turns of try_wait, or read wall_clock64()",
                family=_FAMILY,
            )


RULE = Rule(
    _ID,
    "libcu++'s cuda::barrier, cuda::pipeline and cuda::memcpy_async",
    ("S06", "P18"),
    "sync",
    Provenance(
        "NVIDIA libcu++ documentation; ROCm/libhipcxx; HIP cooperative groups documentation (unsupported features)",
        "all: compile error; wave64: halves of a wave that wait for each other",
        rocm="before 10.1",
    ),
    _find,
)

"""# missing-function: device functions that HIP lacks, or has with another meaning

`rules/shimmed.yaml` lists them by the shim that supplies them; the call becomes `hipport::NAME`, and the shim's text
comes with the port where it is needed:

| functions | why |
|---|---|
| `__pipeline_memcpy_async`, `__pipeline_commit`, ... | AMD copies through registers: done when the call returns |
| `__ldcg`, `__ldcs`, `__ldcv`, `__stcs`, `__stwt`, ... | HIP has them for halves only |
| `__dp4a`, `__dp2a_lo`, `__dp2a_hi` | the machine has another instruction on each generation |
| `__vadd4`, `__vcmpgts4`, `__viaddmax_s32`, ... | HIP has no SIMD and no DPX functions |
| `__fadd_rd`, `__fmul_ru`, `__fdiv_rz`, `__dsqrt_rd`, ... | HIP rounds to the nearest only |
| `__fmul_rn`, `__fadd_rn`, `__dmul_rn`, ... | HIP's may be fused into an FMA; CUDA's never are |
| `__fsqrt_rn`, `__frsqrt_rn` | HIP's are the machine's approximations; CUDA's are correctly rounded |
| `__half2int_rn`, `__int2half_rz`, ... | HIP's cut off, or go to the nearest, whatever they are named |
| `__saturatef` | a NaN becomes 0 in CUDA, and stays a NaN in HIP |
| `__nanosleep`, `__cvta_generic_to_shared`, `__hmax2`, `umin`, ... | HIP has none of them |
| `__hne`, `__hbequ2`, `__hadd_sat`, ... | HIP's answer otherwise for a NaN |
| `__ldg`, `__hmax_nan`, `__hltu2`, ... of bfloat16 | HIP has them for halves alone: the call stays |

A function that the file declares itself is left alone.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

from hipport.frontend import calls
from hipport.model import Safety, Status
from hipport.resources import data_dir
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "missing-function"
_PIPELINE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]cuda_pipeline(?:_primitives)?\.h[>"]', re.MULTILINE)
_CLASSES = re.compile(rb"nvcuda\s*::\s*experimental|__pipeline_arrive_on")
_HALVES, _BRAIN = "half_functions", "bfloat_functions"


@functools.cache
def shimmed() -> Mapping[str, tuple[str, str]]:
    """Function -> its shim, and why it needs one."""
    import yaml

    text = (data_dir("rules") / "shimmed.yaml").read_text(encoding="utf-8")
    table: Any = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  safe either way
    return {name: (entry["shim"], entry["why"]) for entry in table for name in entry["names"]}


@functools.cache
def _pattern() -> re.Pattern[bytes]:
    names = sorted(shimmed(), key=len, reverse=True)
    return re.compile(rb"(?<![\w#])(?:" + "|".join(map(re.escape, names)).encode() + rb")(?!\w)")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    if not _pattern().search(unit.text.code):
        return
    yield from _includes(unit)
    own = calls.declared(unit.text, _pattern()) | unit.own | unit.macros.functions
    brain = b"bfloat16" in unit.text.code
    declared: set[str] = set()
    for site in calls.find(unit.text, _pattern()):
        shim, why = shimmed()[site.name]
        if site.name in own or not unit.live(site.start) or _is_value(unit, site.name):
            continue
        message = f"`{site.name}`: {why}"
        if shim == _BRAIN:
            if brain and site.name not in declared:
                declared.add(site.name)
                span = (site.start, site.start + len(site.name))
                yield finding(unit, _ID, span, message, status=Status.SHIMMED, shims=(shim,), family="device")
            continue
        hip = b"hipport::" + site.name.lstrip("_").encode()
        yield finding(
            unit,
            _ID,
            (site.start, site.end),
            message,
            edits=(edit(unit, site.start, site.start + len(site.name), hip),),
            shims=(shim, _BRAIN) if shim == _HALVES and brain else (shim,),
            family="device",
            crosses=False,
        )


def _is_value(unit: Unit, name: str) -> bool:
    """Whether a name without underscores stands for a variable of the file, say a lambda."""
    return name[0] != "_" and re.search(rb"(?<![\w.])" + name.encode() + rb"\s*[=;,)\[{]", unit.text.code) is not None


def _includes(unit: Unit) -> Iterator[Finding]:
    """The header of the pipeline functions goes, unless the file uses what the shim does not have."""
    for match in _PIPELINE.finditer(unit.text.data):
        if not unit.live(match.start()):
            continue
        span = (match.start(), match.end())
        message = f"`{match.group().split()[-1].strip(b'<>').decode()}` of CUDA is not in ROCm"
        if _CLASSES.search(unit.text.code):
            step = "copy with plain loads and stores, and wait with __syncthreads()"
            yield finding(
                unit, _ID, span, message, safety=Safety.MANUAL, next_step=step, family="device", crosses=False
            )
            continue
        text = b"// cuda_pipeline.h: see the async_copy shim"
        yield finding(
            unit,
            _ID,
            span,
            message,
            edits=(edit(unit, *span, text),),
            shims=("async_copy",),
            family="device",
            crosses=False,
        )


RULE = Rule(
    _ID,
    "Device functions that HIP lacks",
    ("P06", "P15", "P18", "P29", "P30", "P31", "T04"),
    "device",
    Provenance(
        "CUDA Math API and C++ Programming Guide; ROCm 7.2 headers; legacy-rocm-build issue 2814; HeCBench layernorm,"
        " intrinsics-simd, interval",
        "all",
    ),
    _find,
)

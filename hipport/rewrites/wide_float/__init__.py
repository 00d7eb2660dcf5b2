"""# wide-float: floating point wider than 64 bits in device code

| type | in device code of CUDA | of HIP |
|---|---|---|
| `__float128`, `_Float128`, `__nv_fp128_*` | 128 bits from sm_100 on, CUDA 13 | computed as a double, nothing is said |
| `long double` | a double of 8 bytes; nvcc warns | a double of 8 bytes; nothing is said |

The first loses 60 bits of every result in silence, and memory that the host fills with 16-byte numbers is read as
doubles. The second computes the same on both; but a parameter of a kernel is written by the host as 16 bytes of another
format, as it is under CUDA, so a kernel that takes one, or a pointer to one, is wrong on either.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Safety
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "wide-float"
_QUAD = re.compile(rb"(?<!\w)(__float128|_Float128|__nv_fp128_\w+)(?!\w)")
_LONG = re.compile(rb"(?<!\w)long\s+double(?!\w)")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    code = unit.text.code
    for function in unit.functions:
        if unit.on_host(function) or not unit.live(function.body):
            continue
        quad = _QUAD.search(code, function.start, function.end)
        if quad:
            yield finding(
                unit,
                _ID,
                quad.span(),
                f"`{quad.group().decode()}` in device code: clang computes it as a double for AMD, and does not say so",
                safety=Safety.MANUAL,
                next_step="compute with two doubles, or on the host",
                family="device",
                crosses=False,
            )
        wide = _LONG.search(code, function.start, function.body) if function.kernel else None
        if wide:
            yield finding(
                unit,
                _ID,
                wide.span(),
                f"`long double` of the kernel `{function.name}` has 8 bytes there and 16 on the host, under CUDA too",
                safety=Safety.MANUAL,
                next_step="pass doubles",
                family="device",
                crosses=False,
            )


RULE = Rule(
    _ID,
    "Floating point wider than 64 bits in device code",
    ("T08",),
    "device",
    Provenance(
        "CUDA 13 math API (quad precision); clang for amdgcn, whose long double and __float128 are IEEE doubles", "all"
    ),
    _find,
)

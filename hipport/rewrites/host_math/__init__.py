"""# host-math: mathematical functions that only HIP's device code has

CUDA declares `rsqrt`, `rsqrtf`, `rcbrt` and `rcbrtf` for the host as well; HIP has them in device code alone, and no C
library has them. A call in host code, or in a function of both sides, does not compile. It becomes the shim's function,
which divides by the library's root on the host and is HIP's own function on the device. Calls in functions that are
for the device alone stay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import calls
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "host-math"
_NAMES = re.compile(rb"(?<![\w#])(?:rsqrtf?|rcbrtf?)(?!\w)")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    if not _NAMES.search(unit.text.code):
        return
    own = calls.declared(unit.text, _NAMES)
    for site in calls.find(unit.text, _NAMES):
        if site.name in own or site.name in unit.macros.functions or not unit.live(site.start):
            continue
        if _in_directive(unit.text.code, site.start) or not _on_host(unit, site.start):
            continue
        name = f"hipport::{site.name}".encode()
        start = site.start - 2 if unit.text.code[site.start - 2 : site.start] == b"::" else site.start
        yield finding(
            unit,
            _ID,
            (site.start, site.end),
            f"`{site.name}` is for device code only in HIP",
            edits=(edit(unit, start, site.start + len(site.name), name),),
            shims=("host_math",),
            family="device",
        )


def _on_host(unit: Unit, offset: int) -> bool:
    """Whether the code at an offset is compiled for the host too."""
    function = unit.function_at(offset)
    if function is None:
        return True
    code = unit.text.code
    start = max(code.rfind(mark, 0, function.start) for mark in (b";", b"{", b"}")) + 1
    return b"__host__" in code[start : function.body]


def _in_directive(code: bytes, offset: int) -> bool:
    """Whether an offset lies in a directive: a macro's uses are not in sight."""
    line = code.rfind(b"\n", 0, offset)
    while line > 0 and code[:line].rstrip(b"\r").endswith(b"\\"):
        line = code.rfind(b"\n", 0, line)
    return code[line + 1 : offset].lstrip().startswith(b"#")


RULE = Rule(
    _ID,
    "Mathematical functions that HIP's host code lacks",
    (),
    "device",
    Provenance("CUDA Math API (__host__ __device__); clang's __clang_hip_math.h (__device__); HeCBench", "all"),
    _find,
)

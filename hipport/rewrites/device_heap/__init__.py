"""# device-heap: memory that a kernel allocates

`malloc`, `free`, `new` and `delete` work in device code of HIP, each lane on its own as in CUDA. The heap is code of
the device library, linked into the kernel: it takes 116 vector registers of gfx942, whatever the kernel itself needs,
and leaves 4 waves a SIMD of 8 (measured by compiling a kernel that does nothing else, LLVM 22); pieces of memory come
from atomics on lists that all lanes share. Memory for every thread is better one allocation of the host, a piece for
each thread; small arrays of a known largest size belong into registers or LDS.

It is advice: nothing is edited. Functions that the host compiles too are left alone, as are operators and members that
have such a name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.rewrites.forms import advice
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "device-heap"
_HEAP = re.compile(
    rb"(?<![\w.>:])(?:::)?(malloc|calloc)(?=\s*\()|(?<!\w)std\s*::\s*(malloc)(?=\s*\()"
    rb"|(?<![\w.>:])(?<!operator )(new)\s+(?!\()[\w:]"
)


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    for function in unit.functions:
        if unit.on_host(function) or not unit.live(function.body):
            continue
        match = _HEAP.search(unit.text.code, function.body, function.end)
        if match is None or "malloc" in unit.macros.functions:
            continue
        name = next(group for group in match.groups() if group).decode()
        yield advice(
            unit,
            _ID,
            (match.start(match.lastindex or 0), match.end(match.lastindex or 0)),
            f"`{name}` in `{function.name}`: the device's heap takes 116 registers, which halves the waves of a CU",
            "allocate on the host, a piece for each thread, or use registers or LDS for what has a largest size",
            family="device",
        )


RULE = Rule(
    _ID,
    "Memory that a kernel allocates",
    ("T14",),
    "device",
    Provenance(
        "HIP C++ language extensions (device-side malloc); LLVM 22 for gfx942; HeCBench logic-rewrite",
        "all: fewer waves, contended lists",
    ),
    _find,
)

"""# launch-error: code that asks which error a refused launch gave

A launch that cannot be, of no blocks because the input is empty, or of too many threads, fails on every GPU and
computes nothing, and a check of its error sees that: nothing has to be ported. Code that asks *which* error it was
depends on the runtime:

| what is wrong | CUDA 13.0, on an H200 | HIP, ROCm 6.3 | HIP, ROCm 7 |
|---|---|---|---|
| the grid or the block has a 0 | `InvalidValue` | `InvalidValue` | `InvalidConfiguration` |
| more than 1,024 threads a block | `InvalidValue` | `InvalidValue` | `InvalidConfiguration` |
| more than `__launch_bounds__` | `InvalidValue` | `LaunchFailure` | `LaunchFailure` |
| more registers than there are | `LaunchOutOfResources` | cannot be | cannot be |
| more dynamic LDS than there is | `InvalidValue` | `InvalidValue` | `InvalidValue` |

Older CUDA gives `InvalidConfiguration` for the first two, which is what code that asks has been written for.
(The notes on HIP 7.0 say `InvalidValue` for a grid with a 0; its source gives that only for launches by
`hipModuleLaunchKernel`, which calls every shape that it refuses an invalid value, as `cuLaunchKernel` does.)

Told here: `==` and `!=` against `cudaErrorInvalidConfiguration`, in files that launch something, where the condition
does not take `cudaErrorInvalidValue` too: loops that try smaller blocks until one fits, and code that takes this error
for "there was nothing to do". Do not launch what is empty, and ask for any error where a launch is tried. Lists of all
errors, their names in a `switch` and assertions are not told. Nothing is edited: which of HIP's errors are meant is the
author's to say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "launch-error"
_ASKED = re.compile(
    rb"[=!]=\s*(?:\(\s*\w+\s*\)\s*)?(?P<after>cudaErrorInvalidConfiguration)\b"
    rb"|\b(?P<before>cudaErrorInvalidConfiguration)\s*[=!]="
)
_LAUNCHES = re.compile(rb"<<<|\bcu(?:da)?Launch\w*Kernel\w*\s*\(")
_ASSERTED = re.compile(rb"\b(?:\w*_)?(?:assert|ASSERT|Assert)\w*\s*\(")
_ENDS = re.compile(rb"[;{}]")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    if not unit.launches and not _LAUNCHES.search(unit.text.code):
        return
    for match in _ASKED.finditer(unit.text.code):
        name = "after" if match["after"] else "before"
        if not unit.live(match.start()) or unit.function_at(match.start()) is not None:
            continue
        if _widely(unit, match.start(), match.end()):
            continue
        yield finding(
            unit,
            _ID,
            match.span(name),
            "a launch that HIP refuses may give hipErrorInvalidValue (ROCm 6, modules) or, beyond __launch_bounds__, "
            "hipErrorLaunchFailure: this asks for one error",
            safety=Safety.REVIEW,
            status=Status.REVIEW,
            next_step="launch nothing where there is nothing to do; where a launch is tried, ask for any error",
            family="launch",
        )


def _widely(unit: Unit, start: int, end: int) -> bool:
    """Whether the statement around a comparison takes other errors of launches too, or only asserts."""
    code = unit.text.code
    before = max((m.end() for m in _ENDS.finditer(code, max(0, start - 600), start)), default=max(0, start - 600))
    after = _ENDS.search(code, end)
    statement = code[before : after.start() if after else end]
    return b"cudaErrorInvalidValue" in statement or _ASSERTED.search(statement) is not None


RULE = Rule(
    _ID,
    "Code that asks which error a refused launch gave",
    ("L06",),
    "launch",
    Provenance(
        "HIP API 7.0 changes (kernel launch APIs); ROCm/clr hip_module.cpp (ihipLaunchKernel_validate); "
        "NVIDIA/cuCollections issue 75; iree-org/iree issue 18834",
        "all AMD targets",
        rocm="6 and 7 differ",
    ),
    _find,
)

"""# lds-align: LDS of a launch that starts where wider values may not lie

nvcc aligns every `extern __shared__` array to 16 bytes, whatever its type (it writes `.extern .shared .align 16`), so
that `float4` or `double` may be taken out of a `char` or `float` array. clang for AMD aligns it as its type says, right
behind the kernel's own `__shared__` arrays: behind an `int` a `float` array starts at byte 4. Vectors read there are
split by the hardware, as ROCm lets LDS be accessed unaligned; an atomic on 64 bits faults, and so does what relies on
the low bits of an address.

Told, and `__align__(16)` written into the declarations, where a kernel takes a type out of the array that asks for more
than the array's own type, and has arrays of its own that are no multiple of that (or of unknown size). Without arrays
of its own the LDS starts at 0, and nothing is needed; several `extern` names start at one place on both sides.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hipport.frontend import lds
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "lds-align"
_NVCC = 16  # bytes that nvcc aligns dynamic shared memory to
_WORD = 4  # bytes that the size of an array of unknown type is taken to be a multiple of
_DECLARED = re.compile(
    rb"(?<!\w)(?:extern\s+(?:volatile\s+)?__shared__|__shared__\s+extern)(?!\w)"
    rb"([^;{}()=\[\]]*?)(?<!\w)([A-Za-z_]\w*)\s*\[\s*\]\s*;"
)
_TYPE = (
    rb"((?:const\s+|volatile\s+|typename\s+|unsigned\s+|long\s+)*"
    rb"[A-Za-z_][\w:]*(?:\s*<[^;(){}]*?>)?(?:\s+long|\s+int)?)"
)


class _Array(NamedTuple):
    """A declaration of dynamic LDS: its range, its name, and the alignment of its type."""

    start: int
    end: int
    name: str
    align: int


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    arrays = [array for array in _arrays(unit) if array.align < _NVCC]
    wanted: dict[str, str] = {}
    for array in arrays:
        if array.name not in wanted:
            why = next((why for function in _naming(unit, array) if (why := _misplaced(unit, function, array))), "")
            if why:
                wanted[array.name] = why
    for array in arrays:
        if array.name in wanted:
            yield finding(
                unit,
                _ID,
                (array.start, array.end),
                f"`{array.name}` {wanted[array.name]}: nvcc aligns it to {_NVCC} bytes, clang to {array.align} for AMD",
                edits=(edit(unit, array.start, array.start, b" __align__(16)"),),
                family="lds",
            )


def _arrays(unit: Unit) -> Iterator[_Array]:
    """The declarations of dynamic LDS that ask for no alignment themselves; `start` is behind `__shared__`."""
    if b"__shared__" not in unit.text.code:
        return
    for match in _DECLARED.finditer(unit.text.code):
        kind = match.group(1).decode("utf-8", "replace").strip()
        if unit.live(match.start()) and "align" not in kind:
            yield _Array(match.start(1), match.end(), match.group(2).decode(), unit.macros.alignment(kind) or 1)


def _naming(unit: Unit, array: _Array) -> list[Function]:
    """The functions that see a declaration and name the array."""
    inside = unit.function_at(array.start)
    word = re.compile(rb"(?<!\w)" + array.name.encode() + rb"(?!\w)")
    return [inside] if inside else [f for f in unit.functions if word.search(unit.text.code, f.body, f.end)]


def _misplaced(unit: Unit, function: Function, array: _Array) -> str:
    """How an array is used that may start at a place that does not suit; empty where it suits."""
    wide, needed = _wider(unit, function, array)
    for closure in unit.closures_of(function):
        for member in lds.members(unit, closure):
            for own in unit.shared_in(member):
                size = own.size if own.size is not None else unit.tree.shared.get(own.at)
                short = needed > _WORD if size is None else size % needed > 0
                if short and not own.dynamic and unit.compiled(own.start):
                    taken = f"{size} bytes" if size is not None else "its unknown size"
                    return f"is taken for `{wide}`, and may start behind `{own.name}` with {taken}"
    return ""


def _wider(unit: Unit, function: Function, array: _Array) -> tuple[str, int]:
    """The strictest type that a function takes out of an array, with its alignment; 1 where the array's own suits."""
    name = re.escape(array.name.encode())
    casts = rb"(?:\(\s*" + _TYPE + rb"\s*\*\s*\)|reinterpret_cast\s*<\s*" + _TYPE + rb"\s*\*\s*>)"
    taken = re.compile(casts + rb"\s*[(&\s]*(?<!\w)" + name + rb"(?!\w)")
    found = [("", 1)]
    for match in taken.finditer(unit.text.code, function.body, function.end):
        kind = (match.group(1) or match.group(2)).decode("utf-8", "replace").strip()
        needed = min(unit.macros.alignment(kind) or _NVCC, _NVCC)
        if needed > array.align:
            found.append((kind, needed))
    return max(found, key=lambda pair: pair[1])


RULE = Rule(
    _ID,
    "LDS of a launch that starts where wider values may not lie",
    ("M09",),
    "lds",
    Provenance(
        "nvcc 13.0's PTX (.extern .shared .align 16); clang for AMDGPU (dynamic LDS behind static); Linux amdkfd "
        "kfd_device_queue_manager_v9.c (SH_MEM_ALIGNMENT_MODE_UNALIGNED); AMD Instinct MI300 ISA guide (LDS atomics)",
        "all AMD targets",
    ),
    _find,
)

"""Values in registers of PTX as values of C++: constraints, conversions bit for bit, special registers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

    from hipport.frontend.ptx import Instruction

CONSTRAINTS = {"h": "unsigned short", "r": "unsigned", "l": "unsigned long long", "f": "float", "d": "double"}
CONSTANTS = frozenset({"n", "i"})
NUMBER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|\d+)U?")
# the start of a special register's name -> why it has no counterpart
_SPECIAL = (
    ("nsmid", "the number of CUs is the host's to ask: pass multiProcessorCount to the kernel"),
    ("nwarpid", "a block's warps are blockDim / 32"),
    ("gridid", "AMD does not number launches: pass a number to the kernel"),
    ("dynamic_smem", "pass the size of the dynamic LDS to the kernel"),
    ("total_smem", "pass the size of the LDS to the kernel"),
    ("aggr_smem", "pass the size of the LDS to the kernel"),
    ("cluster", "AMD has no thread block clusters"),
    ("ncluster", "AMD has no thread block clusters"),
    ("is_explicit_cluster", "AMD has no thread block clusters"),
    ("pm", "a counter of NVIDIA's profiler: rocprofv3 counts on AMD"),
    ("current_graph_exec", "HIP has no graphs that a kernel launches"),
    ("envreg", "a register of NVIDIA's driver"),
)


class UnliftableError(Exception):
    """Why a text has no replacement."""


def converted(text: str, have: str, want: str) -> str:
    """A value of one C type as another, bit for bit between floats and integers. `?` before a type: only its width."""
    loose = have.startswith("?")
    have = have.lstrip("?")
    if want == "imm":
        if have != "imm":
            raise UnliftableError(f"`{text}` must be a constant")
        return text
    if have == want and not loose:
        return text
    if want == "bool" or have == "bool":
        raise UnliftableError(f"`{text}` is {'no' if want == 'bool' else 'a'} predicate")
    if have == "imm":
        return f"({want}){text}"
    floats = {
        "float": ("__float_as_uint({})", "unsigned"),
        "double": ("__double_as_longlong({})", "unsigned long long"),
    }
    if have in floats and want in floats:
        if have != want and not re.match(r"[-+\d]", text):
            raise UnliftableError(f"`{text}` is {have}, not {want}")
        return text if have == want else f"{text}f"
    if have in floats:
        shown, same = floats[have]
        if {"unsigned": 4, "int": 4, "unsigned long long": 8, "long long": 8}.get(want) != (
            4 if have == "float" else 8
        ):
            raise UnliftableError(f"`{text}` is {have}")
        return shown.format(text) if want == same and have == "float" else f"({want}){shown.format(text)}"
    if want == "float" and have in ("unsigned", "int"):
        return f"__uint_as_float({text})"
    if want == "double" and have in ("unsigned long long", "long long"):
        return f"__longlong_as_double((long long){text})"
    if want in floats:
        raise UnliftableError(f"`{text}` is no {want}")
    return f"({want}){text}"


def as_register(value: str, kind: str, have: str) -> str:
    """A result of a C type as what its register holds: bits where one is a float and the other is not."""
    if (kind in ("float", "double") or have in ("float", "double")) and kind != have:
        return converted(f"({value})", kind, have)
    if (kind == "bool") != (have == "bool"):
        raise UnliftableError("a predicate and a number are mixed")
    return value


def special(instruction: Instruction, registers: Container[str]) -> str:
    """Why a special register that the instruction reads has no counterpart; empty where it reads none of these."""
    for operand in instruction.operands[1:]:
        found = re.fullmatch(r"%([a-z]\w*)(?:\.[xyz])?", operand)
        if found and operand not in registers:
            return next((why for start, why in _SPECIAL if found.group(1).startswith(start)), "")
    return ""

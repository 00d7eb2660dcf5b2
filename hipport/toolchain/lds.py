"""LDS arrays by kernel, with names and lines, from the compiler's own IR: for kernels that take more than there is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class LdsArray:
    """One `__shared__` variable of a kernel: its name in the source, bytes, and where it is declared."""

    name: str
    size: int
    file: str
    line: int


# LLVM's textual IR (LangRef): globals, definitions, and debug metadata of one line each.
_GLOBAL = re.compile(r'^@("[^"]+"|[\w.$]+) = [^\n]*?addrspace\(3\) global [^\n]*?!dbg !(\d+)', re.MULTILINE)
_DEFINE = re.compile(r'^define [^\n]*?@("[^"]+"|[\w.$]+)\(', re.MULTILINE)
_NAME = re.compile(r'@("[^"]+"|[\w.$]+)')
_META = re.compile(r"^!(\d+) = (?:distinct )?(!DI\w+)\((.*)\)$", re.MULTILINE)
_FIELD = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|![\w]+|[\w|]+)')


def lds_arrays(ir: str) -> dict[str, tuple[LdsArray, ...]]:
    """The LDS arrays that each kernel reaches, largest first, by the kernel's mangled name.

    Args:
        ir: optimized LLVM IR of one device, with debug information.
    """
    meta = {match[1]: dict(_FIELD.findall(match[3])) for match in _META.finditer(ir)}
    arrays = {match[1]: _array(meta, match[2]) for match in _GLOBAL.finditer(ir)}
    uses, kernels = _functions(ir)
    found = {}
    for kernel in kernels:
        names = _reached(kernel, uses)
        rows = [array for name, array in arrays.items() if name in names and array is not None]
        found[kernel.strip('"')] = tuple(sorted(rows, key=lambda row: -row.size))
    return found


def _functions(ir: str) -> tuple[dict[str, set[str]], list[str]]:
    """The names that each function's body mentions, and the kernels among the functions."""
    uses: dict[str, set[str]] = {}
    kernels = []
    for match in _DEFINE.finditer(ir):
        end = ir.find("\n}", match.end())
        uses[match[1]] = set(_NAME.findall(ir, match.end(), end))
        if "amdgpu_kernel" in ir[match.start() : match.end()]:
            kernels.append(match[1])
    return uses, kernels


def _reached(name: str, uses: Mapping[str, Iterable[str]]) -> set[str]:
    seen: set[str] = set()
    todo = [name]
    while todo:
        for used in uses.get(todo.pop(), ()):
            if used not in seen:
                seen.add(used)
                todo.append(used)
    return seen


def _array(meta: Mapping[str, Mapping[str, str]], expression: str) -> LdsArray | None:
    """The variable behind a `!dbg` reference of a global."""
    variable = meta.get(meta.get(expression, {}).get("var", "").lstrip("!"))
    if variable is None:
        return None
    file = meta.get(variable.get("file", "").lstrip("!"), {})
    name, folder = file.get("filename", "").strip('"'), file.get("directory", "").strip('"')
    path = name if name.startswith("/") or not folder else f"{folder}/{name}"
    size = _bits(meta, variable.get("type", "")) // 8
    return LdsArray(variable.get("name", "").strip('"'), size, path, int(variable.get("line", "0")))


def _bits(meta: Mapping[str, Mapping[str, str]], reference: str) -> int:
    """The size of a type; typedefs and qualifiers have that of their base."""
    for _ in range(64):
        row = meta.get(reference.lstrip("!"), {})
        if row.get("size", "0").isdigit() and int(row.get("size", "0")):
            return int(row["size"])
        reference = row.get("baseType", "")
        if not reference:
            break
    return 0

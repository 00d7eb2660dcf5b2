"""Compilations as a table or as JSON (docs/compile.md)."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.toolchain.compiler import Compiled
    from hipport.toolchain.diagnostics import Diagnostic
    from hipport.toolchain.resources import KernelResources

SCHEMA = 1
WIDEST_NAME = 56  # the whole name is in the JSON
FINDINGS = ("lds-budget", "missing-header")  # flags of hipport's own messages: shown whatever their severity
# kernels that hipCUB and rocThrust bring along, most of them empty variants for other GPUs
_LIBRARY = re.compile(r"(?:void )?(?:rocprim|hipcub|thrust|rocrand|hiprand)::")
_COLUMNS = (
    "kernel",
    "target",
    "VGPR",
    "AGPR",
    "SGPR",
    "spills",
    "LDS",
    "scratch",
    "wave",
    "block",
    "waves",
    "compiler's",
    "limit",
)


def compilation_text(rows: Sequence[Compiled], *, warnings: bool = False) -> str:
    """A table of kernels, then what the compilers said."""
    table = [list(_COLUMNS)]
    kernels = [kernel for built in rows for kernel in built.kernels]
    shown_kernels = [k for k in kernels if warnings or not _LIBRARY.match(k.demangled)]
    table += [_row(kernel) for kernel in shown_kernels]
    lines = _aligned(table) if shown_kernels else []
    if len(kernels) > len(shown_kernels):
        lines.append(f"({len(kernels) - len(shown_kernels)} kernels of ROCm's libraries are left out: -v)")
    for built in rows:
        state = "ok" if built.ok else "FAILED"
        written = f" -> {built.output}" if built.output else ""
        lines.append(
            f"{built.source} {','.join(built.targets)}: {state}, {built.seconds:.1f} s, {built.compiler}{written}"
        )
        shown = [item for item in built.diagnostics if warnings or item.severity == "error" or item.flag in FINDINGS]
        lines += [f"  {_said(item)}" for item in shown]
        hidden = len(built.diagnostics) - len(shown)
        if hidden and not built.ok:
            lines.append(f"  ({hidden} warnings: -v)")
        if not built.ok and built.log_path:
            lines.append(f"  log: {built.log_path}")
    return "\n".join(lines) + "\n"


def _said(item: Diagnostic) -> str:
    place = f"{item.where}: " if item.where else ""
    behind = f" (in the port: {item.file}:{item.line})" if item.origin else ""
    flag = f" [{item.flag}]" if item.flag else ""
    target = f" [{item.target}]" if item.target else ""
    return f"{place}{item.severity}: {item.message}{flag}{target}{behind}"


def _shortened(name: str) -> str:
    return name if len(name) <= WIDEST_NAME else f"{name[: WIDEST_NAME - 1]}…"


def _row(kernel: KernelResources) -> list[str]:
    own = kernel.occupancy
    compilers = kernel.compiler_occupancy
    lds = f"{kernel.lds}+{kernel.dynamic_lds}" if kernel.dynamic_lds else str(kernel.lds)
    return [
        _shortened(kernel.demangled or kernel.name),
        kernel.target,
        str(kernel.vgpr),
        str(kernel.agpr),
        str(kernel.sgpr),
        str(kernel.vgpr_spill + kernel.sgpr_spill),
        lds,
        str(kernel.scratch),
        str(kernel.wave),
        str(kernel.block_size),
        f"{own.waves_per_simd}/{own.max_waves_per_simd}" if own else "?",
        str(compilers) if compilers is not None else "-",
        own.limit if own else "",
    ]


def _aligned(table: list[list[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    left = {0, 1, len(widths) - 1}
    return [
        "  ".join(
            c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]


def compilation_json(rows: Sequence[Compiled]) -> str:
    """The same with everything the compilers told, under a versioned schema."""
    return json.dumps({"schema": SCHEMA, "compilations": [_value(built) for built in rows]}, indent=2) + "\n"


def _value(built: Compiled) -> dict[str, Any]:
    return {
        "file": str(built.source),
        "ok": built.ok,
        "compiler": built.compiler,
        "targets": list(built.targets),
        "output": str(built.output) if built.output else None,
        "command": list(built.command),
        "seconds": round(built.seconds, 3),
        "log": str(built.log_path) if built.log_path else None,
        "diagnostics": [asdict(item) for item in built.diagnostics],
        "kernels": [asdict(kernel) for kernel in built.kernels],
    }

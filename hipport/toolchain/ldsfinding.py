"""The compiler's LDS error names a kernel: this names the arrays, their lines, and how much is too much."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.targets import target as target_of
from hipport.toolchain.compiler import Kind
from hipport.toolchain.demangling import demangled
from hipport.toolchain.diagnostics import Diagnostic, kernel_remarks
from hipport.toolchain.lds import lds_arrays

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.toolchain.compiler import Compiled, Compiler
    from hipport.toolchain.lds import LdsArray
    from hipport.toolchain.resources import KernelResources

RULE = "lds-budget"
_SIZE = "LDS Size"


def lds_findings(compiler: Compiler, built: Compiled, source: Path, options: Sequence[str]) -> tuple[Diagnostic, ...]:
    """One finding a kernel and target whose static LDS is over the target's budget; empty if that was no cause.

    Costs a compilation to IR with debug information for each such target.
    """
    if "local memory (" not in built.log:
        return ()
    remarks = [(r.name, r.values.get(_SIZE, 0)) for r in kernel_remarks(built.log)]
    found: list[Diagnostic] = []
    for name in built.targets:
        budget = target_of(name).lds_bytes
        over = {kernel: size for kernel, size in remarks if size > budget}
        if not over:
            continue
        arrays = _arrays(compiler, source, name, options)
        found += [_finding(kernel, size, budget, name, arrays.get(kernel, ())) for kernel, size in over.items()]
    return tuple(found)


def dynamic_lds_findings(kernels: Sequence[KernelResources]) -> tuple[Diagnostic, ...]:
    """One finding a kernel whose static LDS and the launch's together are over the budget: no compiler checks that."""
    found = []
    for kernel in kernels:
        gpu = target_of(kernel.target)
        total = kernel.lds + kernel.dynamic_lds
        if kernel.dynamic_lds and gpu.knows("lds_max_per_block_dynamic_bytes") and total > gpu.lds_dynamic_bytes:
            text = (
                f"{kernel.demangled} with {kernel.dynamic_lds} bytes of dynamic LDS takes {total}, "
                f"a block of {kernel.target} has {gpu.lds_dynamic_bytes}: the launch fails"
            )
            found.append(Diagnostic(kernel.file, kernel.line, 0, "warning", text, RULE, kernel.target))
    return tuple(found)


def _arrays(compiler: Compiler, source: Path, name: str, options: Sequence[str]) -> dict[str, tuple[LdsArray, ...]]:
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        out = Path(scratch) / "device.ll"
        built = compiler.compile(source, name, kind=Kind.LLVM, output=out, options=[*options, "-g"])
        return lds_arrays(out.read_text(encoding="utf-8", errors="replace")) if built.ok and out.is_file() else {}


def _finding(kernel: str, size: int, budget: int, name: str, arrays: Sequence[LdsArray]) -> Diagnostic:
    text = f"{demangled(kernel)} declares {size} bytes of LDS, a block of {name} has {budget}"
    if arrays:
        text = f"`{arrays[0].name}` is too large: {text}"
        text += ": " + ", ".join(f"`{a.name}` {a.size} (line {a.line})" for a in arrays)
    file, line = (arrays[0].file, arrays[0].line) if arrays else ("", 0)
    return Diagnostic(file, line, 1 if line else 0, "error", text, RULE, name)

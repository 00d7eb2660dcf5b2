"""Compilers of this machine, for AMD and NVIDIA GPUs.

    from hipport.toolchain import find
    compiler = find("gfx950")                 # raises UntestedError with the next step where there is none
    built = compiler.compile(Path("k.hip"), "gfx950", kind="codeobject", output=Path("k.co"))
    built.ok, built.log, built.output, built.kernels, built.diagnostics

`kind` is `asm`, `object` (host and device, several targets), `codeobject` (one target's ELF) or `check` (types only).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.errors import UntestedError
from hipport.targets import target as target_of
from hipport.toolchain import amdclang, debianclang
from hipport.toolchain.compiler import Compiler, Level
from hipport.toolchain.places import default_prefix, read_prefix

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Compiler", "Level", "compilers", "find"]

INSTALL = "hipport toolchain install"


def compilers(prefix: Path | None = None) -> tuple[Compiler, ...]:
    """Every compiler here, the best first: a prefix given by name or by $HIPPORT_TOOLCHAIN, ROCm, clang, zig, nvcc."""
    found: list[Compiler | None] = []
    private = read_prefix(prefix or default_prefix())
    found.append(amdclang.find())
    if private:
        found.append(debianclang.find(private))
    found.append(debianclang.find(None))
    return tuple(compiler for compiler in found if compiler is not None)


def find(target: str, *, level: Level = Level.COMPILED, prefix: Path | None = None) -> Compiler:
    """The best compiler of this machine for `target` that reaches `level`.

    Raises:
        UsageError: no such target.
        UntestedError: no compiler here does; the next step says how to get one.
    """
    wanted = target_of(target)
    for compiler in compilers(prefix):
        if compiler.level(target).rank >= level.rank:
            return compiler
    raise UntestedError(f"no compiler for {wanted.name} is here", next_step=f"{INSTALL}, or set ROCM_PATH")

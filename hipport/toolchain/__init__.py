"""Compilers of this machine, for AMD and NVIDIA GPUs.

    from hipport.toolchain import find
    compiler = find("gfx950")                 # raises UntestedError with the next step where there is none
    built = compiler.compile(Path("k.hip"), "gfx950", kind="codeobject", output=Path("k.co"))
    built.ok, built.log, built.output, built.kernels, built.diagnostics

`kind` is `asm`, `llvm`, `object` (host and device, several targets), `codeobject` (one target's ELF), `check`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hipport.errors import UntestedError
from hipport.targets import Vendor
from hipport.targets import target as target_of
from hipport.toolchain import amdclang, debianclang, libclangcheck, nvcc, zigclang
from hipport.toolchain.compiler import Compiler, Level
from hipport.toolchain.places import VARIABLE, default_prefix, read_prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["Compiler", "Level", "compilers", "find"]

INSTALL = "hipport toolchain install"


def compilers(vendor: Vendor, prefix: Path | None = None) -> Iterator[Compiler]:
    """Every compiler here for a vendor's GPUs, the best first; each is looked for when it is asked for.

    AMD: a prefix that was named (by the argument or by $HIPPORT_TOOLCHAIN), ROCm, the private prefix, the system's
    clang, zig, and libclang, which checks types only.
    """
    if vendor is Vendor.NVIDIA:
        found = nvcc.find()
        if found:
            yield found
        return
    private = read_prefix(prefix or default_prefix())
    finders: list[Callable[[], Compiler | None]] = [amdclang.find]
    if private:
        own: list[Callable[[], Compiler | None]] = [lambda: debianclang.find(private), lambda: zigclang.find(private)]
        own = own if private.clang else own[::-1]
        named = prefix is not None or VARIABLE in os.environ
        finders = [*own, *finders] if named else [*finders, *own]
    finders += [lambda: debianclang.find(None), lambda: libclangcheck.find(private)]
    for finder in finders:
        compiler = finder()
        if compiler is not None:
            yield compiler


def find(target: str, *, level: Level = Level.COMPILED, prefix: Path | None = None) -> Compiler:
    """The best compiler of this machine for `target` that reaches `level`.

    Raises:
        UsageError: no such target.
        UntestedError: no compiler here does; the next step says how to get one.
    """
    wanted = target_of(target)
    for compiler in compilers(wanted.vendor, prefix):
        if compiler.level(target).rank >= level.rank:
            return compiler
    step = f"{INSTALL}, or set ROCM_PATH" if wanted.vendor is Vendor.AMD else "install NVIDIA's CUDA toolkit"
    raise UntestedError(f"no compiler for {wanted.name} is here", next_step=step)

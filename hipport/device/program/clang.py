"""The clang that builds a program's two sides, and how its driver is run."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, cast

from hipport.device.cpu import compiler_for
from hipport.errors import UntestedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.toolchain.clanghip import ClangHip


def clang_for(target: str) -> ClangHip:
    """The compiler of this machine, which must be a clang: its driver also compiles the host's side."""
    compiler = compiler_for(target)
    if not hasattr(compiler, "command"):
        raise UntestedError(f"{compiler.name} cannot build whole programs", next_step="hipport toolchain install")
    return cast("ClangHip", compiler)


def run_words(words: Sequence[str], compiler: ClangHip) -> subprocess.CompletedProcess[str]:
    """Run the compiler's driver with its own environment; what it says is captured."""
    env = {**os.environ, **dict(compiler.env)}
    return subprocess.run(list(words), capture_output=True, text=True, errors="replace", check=False, env=env)

"""The C++ compiler of this machine, and the flags that make it show every access to memory."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hipport.errors import UntestedError

NATIVE = Path(__file__).resolve().parents[1] / "native"
INCLUDE = NATIVE / "wave" / "include"
RUNTIME = NATIVE / "wave" / "runtime"
FLAGS = (
    "-std=c++17",
    "-O1",
    "-g",
    "-w",
    "-fPIC",
    "-fno-omit-frame-pointer",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
)
# loads and stores call __tsan_*, which the runtime defines itself; calls of functions are of no interest
_SEEN = {
    "g++": ("--param", "tsan-instrument-func-entry-exit=0", "-fpermissive"),
    "clang": ("-mllvm", "-tsan-instrument-func-entry-exit=0"),
}
_NAMES = ("g++", "clang++", "clang++-22", "clang++-19", "g++-13", "g++-12", "c++")


@dataclass(frozen=True, slots=True)
class CxxCompiler:
    """A C++ compiler; `family` is g++ or clang, `version` its own words."""

    path: str
    family: str
    version: str

    @property
    def instrument(self) -> tuple[str, ...]:
        """Options of the compilation of kernels, beside FLAGS."""
        return ("-fsanitize=thread", *_SEEN[self.family])


@lru_cache(maxsize=4)
def described(path: str) -> CxxCompiler:
    """The compiler at a path."""
    ran = subprocess.run([path, "--version"], check=False, capture_output=True, text=True)
    return CxxCompiler(path, "clang" if "clang" in ran.stdout else "g++", ran.stdout)


def cxx_compiler() -> CxxCompiler:
    """The compiler that $HIPPORT_CXX names, else g++ or clang++.

    Raises:
        UntestedError: there is none.
    """
    names = (os.environ.get("HIPPORT_CXX", ""), *_NAMES)
    path = next((found for name in names if name and (found := shutil.which(name))), None)
    if path is None:
        raise UntestedError(
            "the wave executor needs a C++ compiler for this machine, and there is none",
            next_step="install g++ or clang++, or set HIPPORT_CXX",
        )
    return described(path)

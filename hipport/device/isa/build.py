"""Assembly text -> shared object, once for each content: a later build of the same is a look into the cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hipport import cachedir
from hipport.errors import HipportError, UntestedError

if TYPE_CHECKING:
    from collections.abc import Sequence

NATIVE = Path(__file__).resolve().parents[1] / "native"
PACKAGE = Path(__file__).resolve().parent
DEVICE_HEADER = NATIVE / "hipport_device.h"  # force-include it when compiling HIP for the executor
RUNTIME = tuple(sorted(file.stem for file in NATIVE.glob("*.c")))
FLAGS = (
    "-O2",
    "-g0",
    "-w",
    "-fPIC",
    "-std=gnu11",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fvisibility=hidden",
)
VECTOR_FLAGS = ("-ftree-vectorize", "-fvect-cost-model=dynamic")


@dataclass(frozen=True, slots=True)
class HostCompiler:
    """A C compiler for this machine, with the flags that it takes for generated code."""

    path: str
    flags: tuple[str, ...]


@lru_cache(maxsize=1)
def host_compiler() -> HostCompiler:
    """The C compiler that $HIPPORT_CC names, else gcc, cc or clang.

    Raises:
        UntestedError: there is none.
    """
    names = [os.environ.get("HIPPORT_CC", ""), "gcc", "clang", "clang-22", "cc"]
    path = next((found for name in names if name and (found := shutil.which(name))), None)
    if path is None:
        raise UntestedError(
            "the isa executor needs a C compiler for this machine, and there is none",
            next_step="install gcc or clang, or set HIPPORT_CC",
        )
    is_clang = "clang" in Path(path).name
    return HostCompiler(path, (*FLAGS, *_native_flags(path), *(() if is_clang else VECTOR_FLAGS)))


def _native_flags(path: str) -> tuple[str, ...]:
    """-march=native, and wide vectors where they exist."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.c"
        source.write_text("_Float16 f(_Float16 x) { return x + x; }\n")
        for flags in (("-march=native", "-mprefer-vector-width=512"), ("-march=native",), ()):
            done = subprocess.run(
                [path, *flags, "-c", source, "-o", f"{folder}/probe.o"], check=False, capture_output=True
            )
            if done.returncode == 0:
                return flags
    raise UntestedError(f"{path} has no _Float16", next_step="use gcc 12, clang 15 or later (HIPPORT_CC)")


def _digest(parts: Sequence[bytes]) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "little"))
        total.update(part)
    return total.hexdigest()


@lru_cache(maxsize=1)
def own_digest() -> str:
    """Of everything that decides what is generated: the lifter, the runtime, the host compiler and its machine."""
    compiler = host_compiler()
    version = subprocess.run([compiler.path, "--version"], check=False, capture_output=True).stdout
    machine = subprocess.run(
        [compiler.path, *compiler.flags, "-dM", "-E", "-x", "c", os.devnull], check=False, capture_output=True
    ).stdout
    files = [*sorted(PACKAGE.rglob("*.py")), *sorted(NATIVE.glob("*.[ch]")), *sorted(NATIVE.glob("*.inc"))]
    return _digest([version, machine, *(f.read_bytes() for f in files)])


def _run(command: Sequence[str | Path], what: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        first = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr[:400])
        raise HipportError(f"{what} failed: {first}", next_step="this is a fault of hipport; please report it")


def _publish(made: Path, final: Path) -> Path:
    final.parent.mkdir(parents=True, exist_ok=True)
    made.replace(final)
    return final


def runtime_object() -> Path:
    """The runtime as one relocatable object, built once."""
    root = cachedir.root() / "isa"
    final = root / f"runtime-{own_digest()[:24]}.o"
    if final.exists():
        return final
    compiler = host_compiler()
    root.mkdir(parents=True, exist_ok=True)
    cachedir.tidy()
    with tempfile.TemporaryDirectory(dir=root) as folder:
        objects: list[Path] = []
        for name in RUNTIME:
            made = Path(folder) / f"{name}.o"
            _run(
                [compiler.path, *compiler.flags, f"-I{NATIVE}", "-c", NATIVE / f"{name}.c", "-o", made],
                f"compiling {name}.c",
            )
            objects.append(made)
        whole = Path(folder) / "runtime.o"
        link: list[str | Path] = [compiler.path, "-r", "-nostdlib", *objects, "-o", whole]
        _run(link, "linking the runtime")
        return _publish(whole, final)


def build(assembly: str, *, profile: bool = False, keep_source: Path | None = None) -> Path:
    """The shared object of an assembly file, from the cache where it has been built before.

    `profile` adds counters. `keep_source` also gets the generated C. Load it with `abi.load`.

    Raises:
        UntestedError: no C compiler, or a target that the executor does not run.
        DataError: it is no AMDGPU assembly.
    """
    digest = _digest([own_digest().encode(), str(profile).encode(), assembly.encode("utf-8", "surrogateescape")])
    root = cachedir.root() / "isa"
    final = root / digest[:2] / f"{digest}.so"
    if final.exists() and keep_source is None:
        return final
    from hipport.device.isa.lift import lift

    source = lift(assembly, profile=profile, digest=digest).source
    if keep_source is not None:
        keep_source.write_text(source, encoding="utf-8", errors="surrogateescape")
    runtime = runtime_object()
    compiler = host_compiler()
    root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root) as folder:
        text = Path(folder) / "module.c"
        text.write_text(source, encoding="utf-8", errors="surrogateescape")
        made = Path(folder) / "module.so"
        command: list[str | Path] = [
            compiler.path,
            *compiler.flags,
            f"-I{NATIVE}",
            text,
            runtime,
            "-shared",
            "-Wl,-Bsymbolic",
            "-o",
            made,
            "-lm",
            "-lpthread",
        ]
        _run(command, "compiling the lifted kernels")
        return _publish(made, final)

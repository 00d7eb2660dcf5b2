"""CUDA by NVIDIA's nvcc, so that both sides of a port stand side by side."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.errors import UsageError
from hipport.targets import target as target_of
from hipport.toolchain.compiler import Compiled, Kind, Level
from hipport.toolchain.demangling import demangled
from hipport.toolchain.diagnostics import Diagnostic, diagnostics
from hipport.toolchain.process import COMPILE_SECONDS, Ran, cache_log, run
from hipport.toolchain.resources import KernelResources, with_occupancy
from hipport.toolchain.written import put_in_place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SUFFIX = {Kind.ASSEMBLY: "ptx", Kind.OBJECT: "o", Kind.CODE_OBJECT: "cubin", Kind.CHECK: "ptx"}
_ENTRY = re.compile(r"^ptxas info\s*: Compiling entry function '(?P<name>[^']+)' for '(?P<target>sm_\w+)'")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_SMEM = re.compile(r"(\d+) bytes smem")
# PTX ISA, "Performance-Tuning Directives": .maxntid is what __launch_bounds__ becomes
_PTX_ENTRY = re.compile(r"\.entry\s+(?P<name>[\w$]+)\s*\([^)]*\)(?P<directives>[^{]*)\{", re.DOTALL)
_PTX_BOUND = re.compile(r"\.maxntid\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?")
WORD = 4


@dataclass(frozen=True, slots=True)
class Nvcc:
    """nvcc of the machine. It is a Compiler for CUDA sources."""

    name: str
    program: str
    version: str
    known: frozenset[str]
    lacks: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The program."""
        return self.program

    @property
    def language(self) -> str:
        """CUDA."""
        return "cuda"

    def level(self, target: str) -> Level:
        """Compiled where this nvcc lists the GPU."""
        return Level.COMPILED if target.rstrip("af") in self.known or target in self.known else Level.NONE

    def command(
        self, source: Path, targets: Sequence[str], kind: Kind, output: Path, options: Sequence[str]
    ) -> list[str]:
        """The words of one compilation; `--keep` leaves the PTX beside `output`."""
        words = [self.program, "-x", "cu", "-Xptxas", "-v", "--keep", "--keep-dir", str(output.parent)]
        if not any(option.startswith(("-std=", "--std=")) for option in options):
            words.append("-std=c++17")
        words += options
        if kind is Kind.OBJECT:
            words.append("-c")
            for name in targets:
                number = name.removeprefix("sm_")
                words += ["-gencode", f"arch=compute_{number},code=sm_{number}"]
        else:
            words += [f"-arch={targets[0]}", "-cubin" if kind is Kind.CODE_OBJECT else "-ptx"]
        return [*words, str(source), "-o", str(output)]

    def compile(
        self,
        source: Path,
        target: str | Sequence[str],
        *,
        kind: Kind | str = Kind.CODE_OBJECT,
        output: Path | None = None,
        options: Sequence[str] = (),
        limit: float = COMPILE_SECONDS,
        log: Path | None = None,
    ) -> Compiled:
        """See Compiler; asm is PTX, a code object is a cubin."""
        kind = Kind(kind)
        names = (target,) if isinstance(target, str) else tuple(target)
        if kind is Kind.LLVM or (kind is not Kind.OBJECT and len(names) != 1):
            raise UsageError(f"nvcc makes no {kind.value} of {', '.join(names)}")
        source = Path(source)
        if kind is Kind.CHECK:
            output = None
        elif output is None:
            output = source.with_name(f"{source.stem}.{'+'.join(names)}.{_SUFFIX[kind]}")
        with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
            written = Path(scratch) / (output.name if output else f"check.{_SUFFIX[kind]}")
            words = self.command(source.absolute(), names, kind, written, options)
            ran = run(words, limit=limit, log=log or cache_log(words))
            bounds = launch_bounds(Path(scratch).glob("*.ptx"))
            if ran.ok and output:
                put_in_place(written.read_bytes(), output)
        return self._answer(source, ran, names, output, bounds)

    def _answer(
        self, source: Path, ran: Ran, names: tuple[str, ...], output: Path | None, bounds: dict[str, int]
    ) -> Compiled:
        found = diagnostics(ran.output)
        if ran.code is None:
            found = (*found, Diagnostic("", 0, 0, "error", f"the compiler was ended after {ran.seconds:.0f} s"))
        return Compiled(
            source=source,
            ok=ran.ok,
            compiler=self.name,
            targets=names,
            output=output if ran.ok else None,
            command=ran.command,
            seconds=ran.seconds,
            log=ran.output,
            log_path=ran.log,
            diagnostics=found,
            kernels=tuple(with_occupancy(kernel) for kernel in ptxas_kernels(ran.output, bounds)) if ran.ok else (),
        )


def launch_bounds(files: Iterable[Path]) -> dict[str, int]:
    """Threads of a block at most, by kernel, from the PTX files."""
    found: dict[str, int] = {}
    for path in files:
        for entry in _PTX_ENTRY.finditer(path.read_text(encoding="utf-8", errors="replace")):
            bound = _PTX_BOUND.search(entry["directives"])
            if bound:
                found[entry["name"]] = int(bound[1]) * int(bound[2] or 1) * int(bound[3] or 1)
    return found


def ptxas_kernels(log: str, bounds: dict[str, int]) -> tuple[KernelResources, ...]:
    """The kernels of `-Xptxas -v`'s log; `vgpr` is registers of a thread, spills are its bytes over a word."""
    found: list[KernelResources] = []
    name = target = ""
    stack = spills = 0
    for line in log.splitlines():
        entry = _ENTRY.match(line)
        if entry:
            name, target, stack, spills = entry["name"], entry["target"], 0, 0
            continue
        frame = _STACK.search(line)
        if frame:
            stack, spills = int(frame[1]), int(frame[2])
        used = _USED.search(line)
        if used and name:
            smem = _SMEM.search(line)
            found.append(_kernel(name, target, int(used[1]), stack, spills, int(smem[1]) if smem else 0, bounds))
            name = ""
    return tuple(found)


def _kernel(
    name: str, target: str, registers: int, stack: int, spills: int, smem: int, bounds: dict[str, int]
) -> KernelResources:
    gpu = target_of(target)
    return KernelResources(
        name=name,
        demangled=demangled(name),
        target=target,
        vgpr=registers,
        sgpr=0,
        agpr=0,
        vgpr_spill=-(-spills // WORD),
        sgpr_spill=0,
        lds=smem,
        scratch=stack,
        wave=gpu.warp_size,
        block_size=bounds.get(name, gpu.max_threads_per_block),
    )


def find() -> Nvcc | None:
    """Nvcc on the path, or of CUDA_HOME, CUDA_PATH or /usr/local/cuda."""
    places = [shutil.which("nvcc")]
    places += [str(Path(os.environ[key]) / "bin/nvcc") for key in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(key)]
    for program in (*places, "/usr/local/cuda/bin/nvcc"):
        if not program or not Path(program).is_file():
            continue
        version = re.search(r"release [\d.]+, V([\d.]+)", run([program, "--version"], limit=60).output)
        listed = run([program, "--list-gpu-code"], limit=60)
        if version and listed.ok:
            known = frozenset(re.findall(r"sm_\w+", listed.output))
            return Nvcc(f"nvcc {version[1]}", program, version[1], known)
    return None

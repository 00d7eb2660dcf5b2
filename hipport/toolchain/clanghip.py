"""HIP by any clang: the command line, and what is read back from it. The compilers differ in where things lie."""

from __future__ import annotations

import functools
import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.errors import UsageError
from hipport.targets import target as target_of
from hipport.toolchain.codeobject import CodeObjectError
from hipport.toolchain.compiler import Compiled, Kind, Level
from hipport.toolchain.diagnostics import Diagnostic, diagnostics, kernel_remarks
from hipport.toolchain.process import COMPILE_SECONDS, Ran, cache_log, run
from hipport.toolchain.resources import KernelResources, kernels_of
from hipport.toolchain.written import put_in_place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OLDEST_CLANG = 20  # the first with gfx950
_SUFFIX = {Kind.ASSEMBLY: "s", Kind.LLVM: "ll", Kind.OBJECT: "o", Kind.CODE_OBJECT: "co"}
_CPU = re.compile(r"^\s*(gfx\w+)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ClangHip:
    """A clang that builds HIP. It is a Compiler.

    Args:
        name: for a person: `Debian clang 22.1.8`.
        kind: which finder it came from: `rocm`, `debian`, `zig`.
        driver: the words that start it as a C++ driver.
        major: clang's major version.
        rocm: the folder with include/hip.
        bitcode: the folder with ocml.bc.
        options: words that this clang needs always.
        env: pairs added to the environment.
        lacks: what code it cannot build.
        cpus_from: the words that list AMD GPUs, where they are not the driver's.
    """

    name: str
    kind: str
    driver: tuple[str, ...]
    major: int
    rocm: Path
    bitcode: Path
    options: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    lacks: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The program."""
        return self.driver[0]

    @property
    def language(self) -> str:
        """HIP."""
        return "hip"

    def level(self, target: str) -> Level:
        """Compiled where this clang and its bitcode know the GPU; its headers alone give types."""
        base = target.partition(":")[0]
        if not base.startswith("gfx"):
            return Level.NONE
        if base not in supported_cpus(self.driver, self.env):
            return Level.NONE
        isa = base.removeprefix("gfx")
        return Level.COMPILED if (self.bitcode / f"oclc_isa_version_{isa}.bc").is_file() else Level.TYPE_CHECKED

    def command(
        self, source: Path, targets: Sequence[str], kind: Kind, output: Path | None, options: Sequence[str]
    ) -> list[str]:
        """The words of one compilation."""
        words = [*self.driver, *self.options, "-x", "hip", f"--rocm-path={self.rocm}"]
        words.append(f"--rocm-device-lib-path={self.bitcode}")
        if self.rocm != Path(
            "/usr"
        ):  # as an -isystem, /usr/include comes before libstdc++, whose #include_next then fails
            words += ["-isystem", str(self.rocm / "include")]
        words += ["-D__HIP_PLATFORM_AMD__=1", "-fno-color-diagnostics", "-ferror-limit=0"]
        if not any(option.startswith("-std=") for option in options):
            words.append("-std=c++17")
        if not any(re.fullmatch(r"-O\w*", option) for option in options):
            words.append("-O3")
        words += [f"--offload-arch={name}" for name in targets]
        words += options
        if kind is Kind.CHECK:
            return [*words, "-fsyntax-only", "-Wshorten-64-to-32", str(source)]
        words.append("-Rpass-analysis=kernel-resource-usage")
        if kind is Kind.OBJECT:
            words.append("-c")
        else:
            words += ["--offload-device-only", "--no-gpu-bundle-output"]
        if kind in {Kind.ASSEMBLY, Kind.LLVM}:
            words += ["-S"] if kind is Kind.ASSEMBLY else ["-S", "-emit-llvm"]
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
        """See Compiler."""
        kind = Kind(kind)
        names = (target,) if isinstance(target, str) else tuple(target)
        if kind in {Kind.ASSEMBLY, Kind.LLVM, Kind.CODE_OBJECT} and len(names) != 1:
            raise UsageError(f"{kind.value} is of one target, not of {', '.join(names)}")
        for name in names:
            target_of(name)
        source = Path(source)
        if kind is not Kind.CHECK:
            output = output or source.with_name(f"{source.stem}.{'+'.join(names)}.{_SUFFIX[kind]}".replace(":", ""))
        with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
            written = Path(scratch) / output.name if output else None
            words = self.command(source.absolute(), names, kind, written, options)
            ran = run(words, limit=limit, log=log or cache_log(words), env=dict(self.env))
            return self._read(source, ran, names, kind, written, output)

    def _read(
        self, source: Path, ran: Ran, names: tuple[str, ...], kind: Kind, written: Path | None, output: Path | None
    ) -> Compiled:
        found = diagnostics(ran.output)
        data = written.read_bytes() if ran.ok and written and written.is_file() else b""
        kernels: tuple[KernelResources, ...] = ()
        if data and kind in {Kind.OBJECT, Kind.CODE_OBJECT}:
            try:
                kernels = with_remarks(kernels_of(data), ran.output)
            except CodeObjectError as error:
                found = (*found, Diagnostic(str(output), 0, 0, "warning", f"no kernel resources: {error}"))
        if data and output:
            put_in_place(data, output)
        if ran.code is None:
            found = (
                *found,
                Diagnostic("", 0, 0, "error", f"the compiler was ended at its limit of {ran.seconds:.0f} s"),
            )
        return Compiled(
            source=source,
            ok=ran.ok,
            compiler=self.name,
            targets=names,
            output=output if data else None,
            command=ran.command,
            seconds=ran.seconds,
            log=ran.output,
            log_path=ran.log,
            diagnostics=found,
            kernels=kernels,
        )


def with_remarks(kernels: Sequence[KernelResources], log: str) -> tuple[KernelResources, ...]:
    """The kernels with the compiler's own occupancy and the kernel's place, from its remarks.

    Remarks come a target after the other, in the kernels' order; a name may come once for each target.
    """
    remarks: dict[str, list[tuple[str, int, int | None]]] = {}
    for remark in kernel_remarks(log):
        waves = remark.values.get("Occupancy")
        remarks.setdefault(remark.name, []).append((remark.file, remark.line, waves))
    found = []
    for kernel in kernels:
        rows = remarks.get(kernel.name)
        if rows:
            file, line, waves = rows.pop(0) if len(rows) > 1 else rows[0]
            kernel = replace(kernel, file=file, line=line, compiler_occupancy=waves)  # noqa: PLW2901
        found.append(kernel)
    return tuple(found)


@functools.cache
def supported_cpus(driver: tuple[str, ...], env: tuple[tuple[str, str], ...] = ()) -> frozenset[str]:
    """The AMD GPUs that a clang names; empty where it has no AMDGPU backend."""
    words = [*driver, "--target=amdgcn-amd-amdhsa", "-print-supported-cpus", "-x", "c", "-c", "/dev/null"]
    ran = run(words, limit=60, env=dict(env))
    return frozenset(_CPU.findall(ran.output)) if ran.ok else frozenset()


def clang_major(driver: Sequence[str], env: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Major version and full version of a clang; (0, "") where it does not run."""
    ran = run([*driver, "--version"], limit=60, env=env)
    match = re.search(r"clang version (\d+)([\w.]*)", ran.output) if ran.ok else None
    return (int(match[1]), match[1] + match[2]) if match else (0, "")


def bitcode_under(root: Path) -> Path | None:
    """The folder of ocml.bc below `root`, by the places where ROCm and Debian put it, else by search."""
    for place in ("amdgcn/bitcode", "lib/llvm/amdgcn/bitcode"):
        if (root / place / "ocml.bc").is_file():
            return root / place
    for pattern in ("lib/llvm*/lib/clang/*/amdgcn/bitcode/ocml.bc", "lib/llvm*/lib/clang/*/lib/amdgcn/bitcode/ocml.bc"):
        found = sorted(root.glob(pattern))
        if found:
            return found[-1].parent
    return None

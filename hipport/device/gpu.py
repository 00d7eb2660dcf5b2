"""`cuda` and `hip`: a kernel on a real GPU, by a driver program that is generated, compiled and run."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.device.buffers import Parameter, memory_of
from hipport.device.executor import Fault, FaultError, Fidelity, InconclusiveError, Launched, Limits, extent
from hipport.errors import HipportError, UntestedError, UsageError
from hipport.resources import data_dir

if TYPE_CHECKING:
    from collections.abc import Sequence

_KFD = Path("/sys/class/kfd/kfd/topology/nodes")
_LOGS = 400  # characters of a compiler's log in an error


def amd_gpus() -> tuple[str, ...]:
    """The AMD GPUs that the kernel driver lists, as targets: 90402 there is gfx942."""
    found = []
    for node in sorted(_KFD.glob("*/properties")):
        match = re.search(r"^gfx_target_version (\d+)$", node.read_text(encoding="utf-8"), re.MULTILINE)
        number = int(match[1]) if match else 0
        if number:
            found.append(f"gfx{number // 10000}{number // 100 % 100:x}{number % 100:x}")
    return tuple(found)


def nvidia_gpus() -> tuple[str, ...]:
    """The NVIDIA GPUs that nvidia-smi lists, as targets: compute capability 9.0 is sm_90."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ()
    words = [tool, "--query-gpu=compute_cap", "--format=csv,noheader"]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    return tuple(
        f"sm_{row.strip().replace('.', '')}" for row in ran.stdout.splitlines() if ran.returncode == 0 and row.strip()
    )


def _compiler(spec: str) -> str | None:
    if spec == "cuda":
        home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
        return shutil.which("nvcc") or shutil.which("nvcc", path=f"{home}/bin")
    return shutil.which("hipcc") or shutil.which("hipcc", path=f"{os.environ.get('ROCM_PATH', '/opt/rocm')}/bin")


def executor(spec: str, limits: Limits) -> GpuExecutor:
    """The GPU of this machine.

    Raises:
        UntestedError: there is no such GPU here, or no compiler for it.
    """
    gpus = nvidia_gpus() if spec == "cuda" else amd_gpus()
    if not gpus:
        maker = "NVIDIA" if spec == "cuda" else "AMD"
        step = "" if spec == "cuda" else "isa:gfx942 and isa:gfx950 run AMD code on the CPU"
        raise UntestedError(f"{spec}: no {maker} GPU is here", next_step=step)
    compiler = _compiler(spec)
    if compiler is None:
        tool = "nvcc" if spec == "cuda" else "hipcc"
        raise UntestedError(f"{spec}: {tool} is not here", next_step=f"put {tool} on PATH")
    return GpuExecutor(spec, gpus[0], compiler, limits)


@dataclass(frozen=True, slots=True)
class GpuExecutor:
    """A real GPU. It is an Executor."""

    spec: str
    target: str
    compiler: str
    limits: Limits = field(default_factory=Limits)

    def build(self, source: str | Path, *, options: Sequence[str] = (), profile: bool = False) -> GpuModule:
        """See Executor; the driver is compiled when a kernel is launched, for its name is needed."""
        if profile:
            raise UsageError(f"{self.spec} keeps no counts", next_step="--profile is for isa devices")
        path = Path(source).absolute()
        if not path.is_file():
            raise UsageError("there is no such file", where=str(source))
        return GpuModule(self, path, tuple(options))


@dataclass(frozen=True, slots=True)
class GpuModule:
    """A source whose kernels are launched through a driver."""

    executor: GpuExecutor
    source: Path
    options: tuple[str, ...]

    @property
    def kernels(self) -> tuple[str, ...]:
        """See Module; names are looked up by the compiler when a driver is built, so none are listed."""
        return ()

    def __getitem__(self, name: str) -> GpuKernel:
        """See Module."""
        if not re.fullmatch(r"[A-Za-z_][\w:]*(<.*>)?", name):
            raise UsageError(f"`{name}` is not a kernel's name in C++")
        return GpuKernel(self, name)


@dataclass(frozen=True, slots=True)
class GpuKernel:
    """One kernel, by its C++ name."""

    module: GpuModule
    name: str

    def __call__(
        self,
        *,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[object],
        shared: int = 0,
        cooperative: bool = False,
    ) -> Launched:
        """See Kernel. Bounds are not checked: the GPU runs what it is given."""
        if cooperative:
            raise UntestedError(f"a cooperative launch on {self.module.executor.spec} is not there yet")
        shape = (extent(grid, "grid"), extent(block, "block"))
        with tempfile.TemporaryDirectory(prefix="hipport-") as text:
            scratch = Path(text)
            program = self._driver(scratch)
            ranges = _write_arguments(scratch / "arguments.bin", args)
            words = [str(program), str(scratch / "arguments.bin"), *map(str, (*shape[0], *shape[1], shared))]
            seconds, printed = self._run(words, scratch)
            _read_back(scratch / "arguments.bin", ranges)
        executor = self.module.executor
        return Launched(self.name, executor.spec, *shape, shared, seconds, Fidelity.EXACT, printed=printed)

    def _driver(self, scratch: Path) -> Path:
        import jinja2

        executor = self.module.executor
        template = (data_dir("templates") / "kernel_driver.cu.j2").read_text(encoding="utf-8")
        source = scratch / ("driver.cu" if executor.spec == "cuda" else "driver.hip")
        environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False)  # noqa: S701 - C++, not HTML
        names = {"api": executor.spec, "source": str(self.module.source), "kernel": self.name}
        source.write_text(environment.from_string(template).render(names), encoding="utf-8")
        arch = f"-arch={executor.target}" if executor.spec == "cuda" else f"--offload-arch={executor.target}"
        program = scratch / "driver"
        words = [executor.compiler, "-O3", "-std=c++17", arch, f"-I{self.module.source.parent}", *self.module.options]
        ran = subprocess.run([*words, str(source), "-o", str(program)], capture_output=True, text=True, check=False)
        if ran.returncode:
            log = (ran.stderr or ran.stdout).strip()[-_LOGS:]
            raise HipportError(f"the driver of `{self.name}` does not compile: {log}", where=str(self.module.source))
        return program

    def _run(self, words: list[str], scratch: Path) -> tuple[float, str]:
        executor = self.module.executor
        try:
            ran = subprocess.run(
                words, capture_output=True, text=True, timeout=executor.limits.seconds, check=False, cwd=scratch
            )
        except subprocess.TimeoutExpired as error:
            what = f"the kernel was ended at its limit of {executor.limits.seconds:g} s"
            raise InconclusiveError(Fault("time_limit", what)) from error
        if ran.returncode:
            last = (ran.stderr.strip() or f"exit code {ran.returncode}").splitlines()[-1]
            raise FaultError(Fault("gpu", last, kernel=self.name, file=str(self.module.source)), printed=ran.stdout)
        seconds = float((scratch / "seconds.txt").read_text(encoding="utf-8"))
        return seconds, ran.stdout


# One argument in the file: a tag, its size, its bytes. The driver converts to the parameter's type.
_ARRAY, _INTEGER, _FLOAT, _BYTES, _NULL = range(5)


def _entry(value: Any) -> tuple[int, bytes]:
    if value is None:
        return _NULL, b""
    if isinstance(value, (bytes, bytearray)):
        return _BYTES, bytes(value)
    plain = value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value
    if isinstance(plain, float):
        return _FLOAT, struct.pack("<d", plain)
    return _INTEGER, struct.pack("<q", int(plain))


def _write_arguments(path: Path, args: Sequence[object]) -> list[tuple[int, int, int]]:
    """Writes the arguments; gives (offset in the file, size, address) of every array that may be written."""
    import ctypes

    back, kept = [], []
    with path.open("wb") as stream:
        stream.write(struct.pack("<Q", len(args)))
        for at, value in enumerate(args):
            array = bool(getattr(value, "ndim", 0)) or hasattr(value, "data_ptr")
            if not array and not hasattr(value, "array"):
                tag, data = _entry(value)
                stream.write(struct.pack("<QQ", tag, len(data)) + data)
                continue
            item = memory_of(value, Parameter(at, "", "", 0, 8, pointer=True))
            kept.append(item)
            stream.write(struct.pack("<QQ", _ARRAY, item.size))
            if item.writable:
                back.append((stream.tell(), item.size, item.address))
            stream.write(ctypes.string_at(item.address, item.size))
    return back


def _read_back(path: Path, ranges: Sequence[tuple[int, int, int]]) -> None:
    import ctypes

    with path.open("rb") as stream:
        for offset, size, address in ranges:
            stream.seek(offset)
            ctypes.memmove(address, stream.read(size), size)

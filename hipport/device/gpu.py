"""`cuda`, `hip` and `hip-on-nvidia`: a kernel on a real GPU, by a driver program that is generated and compiled."""

from __future__ import annotations

import atexit
import functools
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.device.buffers import Parameter, memory_of
from hipport.device.executor import Fault, FaultError, Fidelity, InconclusiveError, Launched, Limits, extent
from hipport.errors import HipportError, UntestedError, UsageError
from hipport.resources import data_dir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


@dataclass(frozen=True, slots=True)
class Tools:
    """How programs are built for a GPU: the words that start a compilation, and what make is told."""

    target: str
    words: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)


def toolchain(spec: str) -> Tools:
    """The compiler for the GPU of this machine.

    Raises:
        UntestedError: there is no such GPU here, or no compiler for it.
    """
    nvidia = spec != "hip"
    gpus = nvidia_gpus() if nvidia else amd_gpus()
    if not gpus:
        maker = "NVIDIA" if nvidia else "AMD"
        step = "" if nvidia else "isa:gfx942 and isa:gfx950 run AMD code on the CPU"
        raise UntestedError(f"{spec}: no {maker} GPU is here", next_step=step)
    compiler = _compiler("cuda" if nvidia else "hip")
    if compiler is None:
        tool = "nvcc" if nvidia else "hipcc"
        raise UntestedError(f"{spec}: {tool} is not here", next_step=f"put {tool} on PATH")
    if spec == "cuda":
        home = str(Path(compiler).resolve().parents[1])
        words = (compiler, "-O3", "-std=c++17", f"-arch={gpus[0]}", "-x", "cu")
        return Tools(gpus[0], words, {"NVCC": compiler, "CUDA_PATH": home, "CUDA_HOME": home})
    if spec == "hip":
        hipcc = (compiler, "-O3", "-std=c++17", f"--offload-arch={gpus[0]}")
        return Tools(gpus[0], hipcc, {"HIPCC": compiler})
    return _hip_on_nvidia(compiler, gpus[0])


def _hip_on_nvidia(compiler: str, target: str) -> Tools:
    """The nvcc with headers that give HIP's names; a program's own build finds it as hipcc."""
    from hipport import cachedir
    from hipport.device.hip_on_nvidia import ARCH, NVCC, nvcc_words

    rocm = cachedir.root() / "hip-on-nvidia" / "rocm"
    wrapper = rocm / "bin" / "hipcc"
    if not wrapper.is_file():
        wrapper.parent.mkdir(parents=True, exist_ok=True)
        own = f"PYTHONPATH={Path(__file__).resolve().parents[2]}${{PYTHONPATH:+:$PYTHONPATH}}"
        line = f'{own} exec "{sys.executable}" -m hipport.device.hip_on_nvidia "$@"'
        wrapper.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        wrapper.chmod(0o755)
    variables = {"HIPCC": str(wrapper), "ROCM_PATH": str(rocm), "HIP_PATH": str(rocm)}
    path = f"{wrapper.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {NVCC: compiler, ARCH: target, "PATH": path}
    return Tools(target, (*nvcc_words(compiler, target), "-x", "cu"), variables, environment)


def executor(spec: str, limits: Limits) -> GpuExecutor:
    """The GPU of this machine. See toolchain for what is raised."""
    tools = toolchain(spec)
    return GpuExecutor(spec, tools.target, tools.words, limits)


@dataclass(frozen=True, slots=True)
class GpuExecutor:
    """A real GPU. It is an Executor."""

    spec: str
    target: str
    words: tuple[str, ...]
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
        executor = self.module.executor
        program = _driver(executor, self.module.source, self.name, self.module.options, _state(self.module.source))
        with tempfile.TemporaryDirectory(prefix="hipport-") as text:
            scratch = Path(text)
            ranges = write_arguments(scratch / "arguments.bin", args)
            numbers = (*shape[0], *shape[1], shared, executor.limits.repeats)
            seconds, printed = self._run([str(program), str(scratch / "arguments.bin"), *map(str, numbers)], scratch)
            _read_back(scratch / "arguments.bin", ranges)
        return Launched(self.name, executor.spec, *shape, shared, seconds, Fidelity.EXACT, printed=printed)

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


def driver_text(spec: str, source: str, kernel: str) -> str:
    """The program that launches one kernel of a source once."""
    import jinja2

    template = (data_dir("templates") / "kernel_driver.cu.j2").read_text(encoding="utf-8")
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False)  # noqa: S701 - C++, not HTML
    names = {"api": "cuda" if spec == "cuda" else "hip", "source": source, "kernel": kernel}
    return environment.from_string(template).render(names)


def _state(source: Path) -> tuple[int, ...]:
    """What tells that a source or one beside it was changed since its driver was built."""
    return tuple(sorted(path.stat().st_mtime_ns for path in source.parent.iterdir() if path.is_file()))


@functools.lru_cache(maxsize=256)
def _driver(executor: GpuExecutor, source: Path, kernel: str, options: tuple[str, ...], state: tuple[int, ...]) -> Path:
    """The built driver of a kernel, once for each state of its source's folder.

    Raises:
        HipportError: it does not compile.
    """
    del state
    scratch = Path(tempfile.mkdtemp(prefix="hipport-"))
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    text = scratch / ("driver.cu" if executor.spec != "hip" else "driver.hip")
    text.write_text(driver_text(executor.spec, str(source), kernel), encoding="utf-8")
    program = scratch / "driver"
    words = [*executor.words, f"-I{source.parent}", *options, str(text), "-o", str(program)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    if ran.returncode:
        log = (ran.stderr or ran.stdout).strip()[-_LOGS:]
        raise HipportError(f"the driver of `{kernel}` does not compile: {log}", where=str(source))
    return program


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


def write_arguments(path: Path, args: Sequence[object]) -> list[tuple[int, int, int]]:
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

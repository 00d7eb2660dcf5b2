"""CUDA or HIP source -> a shared object for this machine, once for each content."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hipport import cachedir
from hipport.device.wave.assembly import with_contractions, with_gaps
from hipport.device.wave.compiler import FLAGS, INCLUDE, NATIVE, RUNTIME, CxxCompiler, cxx_compiler
from hipport.device.wave.translate import translate
from hipport.errors import HipportError

if TYPE_CHECKING:
    from collections.abc import Sequence

_RUNTIME_FLAGS = ("-std=c++17", "-O2", "-fPIC", "-fno-omit-frame-pointer", "-w")
_HIP = re.compile(rb"#\s*include\s*[<\"]hip/")
_ERROR = re.compile(r"^(?P<place>[^\s:][^:\n]*:\d+)(?::\d+)?: (?:fatal )?error: (?P<what>.*)$", re.MULTILINE)
# C and C++ functions that mean something else for a thread of a kernel: the linker leads them to the runtime
_MEMORY = ("malloc", "calloc", "free", "_Znwm", "_Znam", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm")
_ENDING = ("abort", "__assert_fail")


def is_hip(source: Path) -> bool:
    """Whether a source is HIP's: by its suffix, or by what it includes."""
    return source.suffix == ".hip" or bool(_HIP.search(source.read_bytes()))


def defines(width: int, *, hip: bool) -> tuple[str, ...]:
    """The macros that tell a source what it is compiled for."""
    common = (f"-DHIPPORT_WAVE_SIZE={width}",)
    if hip:
        architecture = "__gfx950__" if width == 64 else "__gfx1100__"
        names = ("HIPPORT_HIP", "__HIP__", "__HIPCC__", "__HIP_PLATFORM_AMD__", "__HIP_DEVICE_COMPILE__", architecture)
        return (*common, *(f"-D{name}=1" for name in names), f"-D__AMDGCN_WAVEFRONT_SIZE={width}")
    return (*common, "-D__CUDACC__=1", "-D__NVCC__=1", "-D__CUDA_ARCH__=900", "-D__CUDACC_VER_MAJOR__=13",
            "-D__CUDACC_VER_MINOR__=0", "-DCUDART_VERSION=13000", "-DCUDA_VERSION=13000")  # fmt: skip


def _digest(parts: Sequence[str | bytes]) -> str:
    total = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little"))
        total.update(data)
    return total.hexdigest()


@lru_cache(maxsize=1)
def runtime_digest() -> str:
    """Of the runtime's sources."""
    files = sorted([*RUNTIME.iterdir(), *INCLUDE.glob("*.h"), NATIVE / "abi.h"])
    return _digest([path.read_bytes() for path in files if path.is_file()])


@lru_cache(maxsize=1)
def tool_digest() -> str:
    """Of what decides how a source is rewritten and compiled."""
    return _digest([path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))])


def _run(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, check=False, capture_output=True, text=True, errors="surrogateescape")


def compile_errors(log: str, source: Path) -> HipportError:
    """The compiler's first errors as one of ours."""
    found = [f"{match['place']}: {match['what']}" for match in _ERROR.finditer(log)][:5]
    said = "; ".join(found) or log.strip()[-600:]
    return HipportError(f"it does not compile for the wave executor: {said}", where=str(source))


def runtime_object(compiler: CxxCompiler, width: int) -> Path:
    """The runtime as one relocatable object, built once for each compiler and width."""
    root = cachedir.root() / "wave"
    digest = _digest([compiler.path, compiler.version, runtime_digest(), str(width), *_RUNTIME_FLAGS])
    final = root / f"runtime-{digest[:24]}.o"
    if final.exists():
        return final
    root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root) as folder:
        objects: list[Path] = []
        for source in sorted(RUNTIME.glob("*.cc")):
            made = Path(folder) / f"{source.stem}.o"
            ran = _run([compiler.path, *_RUNTIME_FLAGS, f"-DHIPPORT_WAVE_SIZE={width}", "-c", source, "-o", made])
            if ran.returncode:
                raise compile_errors(ran.stderr, source)
            objects.append(made)
        whole = Path(folder) / "runtime.o"
        ran = _run([compiler.path, "-r", "-nostdlib", *objects, "-o", whole])
        if ran.returncode:
            raise HipportError(f"the wave runtime does not link: {ran.stderr[-400:]}")
        whole.replace(final)
    return final


def preprocessed(compiler: CxxCompiler, source: Path, width: int, options: Sequence[str], more: Sequence[str]) -> str:
    """The source after its preprocessor.

    Raises:
        HipportError: a header is missing, or it says #error.
    """
    words = [compiler.path, "-E", "-x", "c++", "-std=c++17", *defines(width, hip=is_hip(source)), *more]
    words += ["-isystem", str(INCLUDE), "-include", "hipport/host.h", *options, str(source)]
    ran = _run(words)
    if ran.returncode:
        raise compile_errors(ran.stderr, source)
    return ran.stdout


def compile_flags(compiler: CxxCompiler, options: Sequence[str]) -> list[str]:
    """The options of a compilation after the preprocessor's; what belongs to it alone is left out."""
    kept = [word for word in options if not word.startswith(("-D", "-U", "-I", "-isystem", "-include"))]
    return [*FLAGS, *compiler.instrument, *kept]


def object_file(compiler: CxxCompiler, text: str, output: Path, options: Sequence[str], source: Path) -> None:
    """Compile translated text.

    Raises:
        HipportError: with the compiler's first errors.
    """
    translated = output.with_suffix(".ii")
    translated.write_text(text, encoding="utf-8", errors="surrogateescape")
    assembly = output.with_suffix(".s")
    flags = compile_flags(compiler, options)
    ran = _run([compiler.path, *flags, "-x", "c++-cpp-output", "-S", str(translated), "-o", str(assembly)])
    if ran.returncode:
        raise compile_errors(ran.stderr, source)
    text = assembly.read_text(encoding="utf-8", errors="surrogateescape")
    assembly.write_text(with_contractions(with_gaps(text)), encoding="utf-8", errors="surrogateescape")
    ran = _run([compiler.path, "-c", str(assembly), "-o", str(output)])
    if ran.returncode:
        raise compile_errors(ran.stderr, source)


@lru_cache(maxsize=1)
def wrapped() -> tuple[str, ...]:
    """The functions that the linker leads to the runtime: those, and the mathematics that may differ."""
    text = (RUNTIME / "approximate.inc").read_text(encoding="utf-8")
    return (
        *_MEMORY,
        *_ENDING,
        *(
            name
            for name in re.findall(r"^HIPPORT_APPROXIMATE\((\w+)", text, re.MULTILINE)
            if name not in {"fast", "contraction"}
        ),
    )


def link_words(compiler: CxxCompiler, width: int) -> list[str]:
    """What every link takes: the runtime, and the functions that lead to it."""
    wraps = [f"-Wl,--wrap={name}" for name in wrapped()]
    return [str(runtime_object(compiler, width)), *wraps, "-lm", "-lpthread", "-ldl"]


def build(source: Path, width: int, *, options: Sequence[str] = (), wanted: tuple[str, ...] = ()) -> Path:
    """The shared object of a source's kernels, from the cache where it has been built before.

    Raises:
        HipportError: it does not compile.
        UntestedError: there is no C++ compiler.
    """
    compiler = cxx_compiler()
    absolute = source.absolute()
    text = preprocessed(compiler, absolute, width, options, ("-DHIPPORT_KERNELS=1",))
    translated = translate(text, kernels=True, wanted=wanted)
    parts = [compiler.path, compiler.version, runtime_digest(), tool_digest(), str(width), *options, translated]
    digest = _digest(parts)
    root = cachedir.root() / "wave"
    final = root / digest[:2] / f"{digest}.so"
    if final.exists():
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root) as folder:
        made = Path(folder) / "module.o"
        object_file(compiler, translated, made, options, source)
        library = Path(folder) / "module.so"
        shared = [compiler.path, "-shared", "-Wl,-Bsymbolic", str(made)]
        ran = _run([*shared, *link_words(compiler, width), "-o", str(library)])
        if ran.returncode:
            raise HipportError(f"it does not link: {ran.stderr.strip()[-600:]}", where=str(source))
        os.chmod(library, 0o644)  # noqa: PTH101
        library.replace(final)
    return final

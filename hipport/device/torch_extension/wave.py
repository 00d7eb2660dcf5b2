"""An extension for `wave:32`: its CUDA source, host and kernels together, for this machine's CPU."""

from __future__ import annotations

import hashlib
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.device.torch_extension import headers, linking
from hipport.device.torch_extension.options import kept
from hipport.device.torch_extension.project import DEVICE_SUFFIXES
from hipport.device.torch_extension.sources import MISSING, Attempt, compiled
from hipport.device.wave import translate as translate_module
from hipport.device.wave.build import compile_flags, defines, link_words, object_file, runtime_digest
from hipport.device.wave.compiler import INCLUDE, CxxCompiler, cxx_compiler, described
from hipport.errors import HipportError, UntestedError, UsageError
from hipport.toolchain.torchheaders import torch_words

if TYPE_CHECKING:
    from hipport.device.torch_extension.project import Library

_OWN = ("-std=c++20", "-g1", "-fPIC", "-w")
# PyTorch's own headers are host code: a CUDA compiler would be sent to Thrust, and nothing in them is to be watched
_FIRST = """#pragma once
#undef __CUDACC__
#undef __CUDA_ARCH__
#undef __NVCC__
#ifdef __clang__
#pragma clang attribute push(__attribute__((no_sanitize("thread"))), apply_to = function)
#endif
#include <{frontend}>
#include <hipport_torch/gpu.h>
#ifdef __clang__
#pragma clang attribute pop
#endif
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDA_ARCH__ 900
"""


_BEFORE = ("-include", "hipport/device.h")
_LEVELS = (headers.Level.SLIM, headers.Level.WHOLE)
_FRONTEND = {headers.Level.THIN: "torch/types.h", headers.Level.WHOLE: "torch/extension.h"}


@dataclass(frozen=True, slots=True)
class WaveBuild:
    """One build: the copy that is compiled, and the folder that it stands for."""

    width: int
    compiler: CxxCompiler
    copy: Path
    original: Path

    def library(self, library: Library, output: Path) -> None:
        """Compile and link one extension module. Raises as IsaBuild.library."""
        objects = [self._object(library, source) for source in library.sources]
        objects.append(self._plain(library, "memory", headers.NATIVE / "memory.cc"))
        runtime, *words = link_words(self.compiler, self.width)
        linking.link([*objects, Path(runtime)], output, (self.compiler.path,), (*words, "-Wl,-Bsymbolic"))

    def _object(self, library: Library, source: str) -> Path:
        path = self.copy / source
        if path.suffix not in DEVICE_SUFFIXES:
            return self._plain(library, source, path)
        words = self._words(library, source, headers.Level.THIN)
        output = headers.object_place(
            source, (*words, *compile_flags(self.compiler, _OWN), runtime_digest(), _translator(), _FIRST), ".o"
        )
        if not output.is_file():
            partial = headers.partial(output)
            try:
                self._watched_object(library, source, headers.Level.THIN, partial)
            except HipportError as error:
                if not re.search(MISSING, error.what):
                    raise
                self._watched_object(library, source, headers.Level.WHOLE, partial)
            partial.replace(output)
        return output

    def _watched_object(self, library: Library, source: str, level: headers.Level, output: Path) -> None:
        """Host code and kernels of a source: preprocessed, translated, compiled with every access shown."""
        shown = self.original / source
        with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
            first, text = Path(scratch) / "first.h", Path(scratch) / f"{shown.stem}.ii"
            first.write_text(_FIRST.format(frontend=_FRONTEND[level]), encoding="utf-8")
            words = [self.compiler.path, "-E", "-x", "c++", *defines(self.width, hip=False)]
            words += ["-isystem", str(INCLUDE), *_BEFORE, "-include", str(first)]
            words += [*self._words(library, source, level), str(self.copy / source), "-o", str(text)]
            compiled(shown, [Attempt(tuple(words))])
            code = translate_module.translate(text.read_text(encoding="utf-8", errors="surrogateescape"), kernels=False)
            options = (*_OWN, f"-ffile-prefix-map={self.copy}={self.original}")
            object_file(self.compiler, code, output, options, shown)

    def _plain(self, library: Library, source: str, path: Path) -> Path:
        """A source that holds host code alone."""

        def words(level: headers.Level) -> tuple[str, ...]:
            own = (*self._words(library, source, level), f"-DHIPPORT_WAVE_SIZE={self.width}")
            return (self.compiler.path, "-x", "c++", "-O1", *own, "-isystem", str(INCLUDE), *_BEFORE, "-c", str(path))

        key = (*words(headers.Level.SLIM), path.read_text(encoding="utf-8", errors="surrogateescape"), runtime_digest())
        output = headers.object_place(source, key, ".o")
        if not output.is_file():
            partial = headers.partial(output)
            attempts = [
                Attempt((*words(level), "-o", str(partial)), only_if)
                for level, only_if in zip(_LEVELS, ("", MISSING), strict=True)
            ]
            compiled(self.original / source, attempts)
            partial.replace(output)
        return output

    def _words(self, library: Library, source: str, level: headers.Level) -> tuple[str, ...]:
        device = Path(source).suffix in DEVICE_SUFFIXES
        return (
            *_OWN,
            *headers.words(level),
            *(word for word in torch_words("cuda", library.stem) if "torch-" not in word),
            *(f"-I{self.copy / path}" for path in library.include_dirs),
            *library.macros,
            *kept(library.device if device else library.cxx),
            f"-ffile-prefix-map={self.copy}={self.original}",
        )


def _translator() -> str:
    """Of the code that rewrites sources for the executor."""
    files = sorted(Path(translate_module.__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def wave_build(width: str, copy: Path, original: Path) -> WaveBuild:
    """See WaveBuild. A clang is taken where there is one: it leaves PyTorch's headers unwatched, and is faster.

    Raises:
        UsageError: no such width.
        UntestedError: there is no C++ compiler.
    """
    if width != "32":
        raise UsageError(
            f"extensions do not run on wave:{width}", next_step="wave:32 for the CUDA source, isa for the port"
        )
    return WaveBuild(32, _compiler(), copy, original)


def _compiler() -> CxxCompiler:
    from hipport.device.program.clang import clang_for

    try:
        clang = clang_for("gfx950")
    except UntestedError:
        return cxx_compiler()
    if len(clang.driver) > 1 or clang.options:
        return cxx_compiler()
    found = described(clang.driver[0])
    return found if found.family == "clang" else cxx_compiler()

"""An extension for `isa:TARGET`: host code by clang against PyTorch's CPU build, device code on the isa executor."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.device.cpu import DEVICE_OPTIONS, lifted
from hipport.device.program import runtime
from hipport.device.program.clang import clang_for
from hipport.device.program.hipcc import IMAGE
from hipport.device.torch_extension import headers, linking
from hipport.device.torch_extension.options import kept
from hipport.device.torch_extension.project import DEVICE_SUFFIXES
from hipport.device.torch_extension.sources import MISSING, Attempt, compiled
from hipport.toolchain.compiler import Kind
from hipport.toolchain.torchheaders import torch_words

if TYPE_CHECKING:
    from hipport.device.torch_extension.project import Library
    from hipport.toolchain.clanghip import ClangHip

# The host's side does not depend on the GPU: one object serves every target.
_HOST_TARGET = "gfx942"
_HOST = ("-std=c++20", "-O1", "-fPIC", "-w", "-Wno-unused-command-line-argument")
_DEVICE = ("-std=c++20", "-O3", "-w", *DEVICE_OPTIONS, "-gline-tables-only")
_NO_CODE = b"\n"


@dataclass(frozen=True, slots=True)
class IsaBuild:
    """One build: the copy that is compiled, and the folder that it stands for."""

    target: str
    compiler: ClangHip
    copy: Path
    original: Path

    def library(self, library: Library, output: Path) -> None:
        """Compile and link one extension module.

        Raises:
            HipportError: it does not compile or link.
            UntestedError: something that it needs is not there.
        """
        units = [_Unit(self, library, source) for source in library.sources]
        objects = [unit.host_object() for unit in units]
        images = {unit.name: unit.image() for unit in units if unit.is_device}
        with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
            driver = (*self.compiler.driver, *self.compiler.options)
            table = linking.images(images, Path(scratch), driver)
            library_of = runtime.library(self.compiler)
            linking.link([*objects, table], output, driver, (str(library_of), f"-Wl,-rpath,{library_of.parent}"))

    @property
    def identity(self) -> tuple[str, ...]:
        """Of the compiler."""
        return (self.compiler.name, *self.compiler.driver, str(self.compiler.rocm))

    def command(self, mode: str, source: Path, output: Path, words: tuple[str, ...]) -> list[str]:
        """The words that compile one side of a source: `c++` or `hip` for the host, else the target's assembly."""
        if mode == "c++":
            start = [*self.compiler.driver, *self.compiler.options, "-x", "c++", *_HOST, *words]
            return [*start, f"-isystem{self.compiler.rocm / 'include'}", "-c", str(source), "-o", str(output)]
        if mode == "hip":
            options = (*_HOST, "--offload-host-only", *words)
            made = self.compiler.command(source, [_HOST_TARGET], Kind.OBJECT, output, options)
        else:
            made = self.compiler.command(source, [self.target], Kind.ASSEMBLY, output, (*_DEVICE, *words))
        return [word for word in made if not word.startswith("-Rpass-analysis")]

    def first(self, mode: str, *, make: bool) -> Path | None:
        """The headers that nearly every source begins with, compiled once for a mode; not made for one source alone."""
        from hipport.toolchain.process import run

        level = _level(mode)
        words = (*headers.words(level), *torch_words("hip", "_C"), "-D__HIP_PLATFORM_AMD__=1")

        def made(header: Path, output: Path) -> bool:
            command = [*self.command(mode, header, output, words), "-Xclang", "-emit-pch"]
            # by -S the driver leaves the output's name alone; what is made is what the last word says
            return run(["-S" if word == "-c" else word for word in command], env=dict(self.compiler.env)).ok

        key = (*self.identity, mode, *words, *_HOST, *_DEVICE)
        return headers.compiled_once(level, key, made if make else None)


def _level(mode: str) -> headers.Level:
    return headers.Level.SLIM if mode == "c++" else headers.Level.THIN


@dataclass(frozen=True, slots=True)
class _Unit:
    """One source of one module."""

    build: IsaBuild
    library: Library
    source: str

    @property
    def is_device(self) -> bool:
        return Path(self.source).suffix in DEVICE_SUFFIXES

    @property
    def name(self) -> str:
        """The same for every target: host code names its device code by it."""
        return hashlib.sha256(f"{self.library.name}\0{self.source}".encode()).hexdigest()[:16]

    def host_object(self) -> Path:
        return self._made("hip" if self.is_device else "c++", ".o")

    def image(self) -> bytes:
        """Compile and lift the device code; what its object reads it by."""
        assembly = self._made(self.build.target, ".s")
        text = assembly.read_bytes()
        if b".amdhsa_kernel" not in text and b"\t.globl\t" not in text:
            return _NO_CODE
        return f"{IMAGE}{lifted(assembly, self.build.target, profile=False)}\n".encode()

    def _words(self, level: headers.Level) -> tuple[str, ...]:
        copy, library = self.build.copy, self.library
        own = kept(library.device if self.is_device else library.cxx)
        return (
            *headers.words(level),
            *torch_words("hip", library.stem),
            "-D__HIP_PLATFORM_AMD__=1",
            *(f"-I{copy / path}" for path in library.include_dirs),
            *library.macros,
            *own,
            f"-cuid={self.name}",
            f"-ffile-prefix-map={copy}={self.build.original}",
        )

    def _made(self, mode: str, suffix: str) -> Path:
        """What the compiler makes of it in a mode, from the cache if it is there."""
        level = _level(mode)
        key = (*self._words(level), mode, *_HOST, *_DEVICE, *self.build.identity)
        output = headers.object_place(self.source, key, suffix)
        if output.is_file():
            return output
        partial = headers.partial(output)
        path = self.build.copy / self.source

        def attempt(level: headers.Level, first: Path | None = None, only_if: str = "") -> Attempt:
            use = ("-Xclang", "-include-pch", "-Xclang", str(first)) if first else ()
            words = self.build.command(mode, path, partial, (*self._words(level), *use))
            return Attempt(tuple(words), only_if)

        first = self.build.first(mode, make=self._like > 1)
        attempts = [attempt(level, first)] if first else []
        attempts += [
            attempt(level, only_if="PCH|precompiled" if first else ""),
            attempt(headers.Level.WHOLE, only_if=MISSING),
        ]
        compiled(self.build.original / self.source, attempts, dict(self.build.compiler.env))
        partial.replace(output)
        return output

    @property
    def _like(self) -> int:
        """How many sources of the module are compiled as this one is."""
        return sum((Path(one).suffix in DEVICE_SUFFIXES) == self.is_device for one in self.library.sources)


def isa_build(target: str, copy: Path, original: Path) -> IsaBuild:
    """See IsaBuild; with this machine's compiler for the target.

    Raises:
        UntestedError: there is none, or the target is not modelled.
    """
    from hipport.device.cpu import executor
    from hipport.device.executor import Limits

    executor(target, Limits())
    return IsaBuild(target, clang_for(target), copy, original)

"""Stands where hipcc would, for one build: device code -> a module, host code -> an object that names it.

Started as `hipcc` by a program's own build; the settings are in the file that $HIPPORT_HIPCC names. An object made here
holds, where the GPU's code object would be, one line with the path of the module.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.device.cpu import assembled, lifted
from hipport.device.isolation import cores
from hipport.device.program import settings as settings_file
from hipport.device.program.clang import clang_for, run_words
from hipport.device.program.commandline import CommandLine, parse
from hipport.device.program.link import link
from hipport.errors import ExitCode, HipportError, UntestedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.device.program.settings import Settings
    from hipport.toolchain.clanghip import ClangHip

IMAGE = "HIPPORT-MODULE 1\n"  # native/hip_runtime/modules.cc reads it


def device_image(source: Path, options: Sequence[str], using: Settings, compiler: ClangHip) -> bytes:
    """Compile and lift the device code of one source; the image that its object will hold."""
    with tempfile.TemporaryDirectory(prefix="hipport-", dir=using.scratch) as scratch:
        assembly = assembled(compiler, source, using.target, Path(scratch), options)
        text = assembly.read_bytes()
        if b".amdhsa_kernel" not in text and b"\t.globl\t" not in text:
            return b"\n"
        module = lifted(assembly, using.target, profile=using.profile)
    note(using, {"event": "module", "source": str(source), "module": str(module)})
    return f"{IMAGE}{module}\n".encode()


def _same_for_both(source: Path, using: Settings) -> tuple[str, ...]:
    """Options that make both sides name static variables alike, and every build of one source the same text."""
    shown = str(source).replace(using.copy, using.original, 1)
    unit = hashlib.sha256(shown.encode()).hexdigest()[:16]
    return (f"-cuid={unit}", f"-ffile-prefix-map={using.copy}={using.original}")


def note(using: Settings, row: dict[str, str]) -> None:
    """Append one line to the build's log, which the tool reads."""
    with (Path(using.scratch) / "build.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(row) + "\n")


def compile_hip(source: Path, output: Path, options: Sequence[str], using: Settings, compiler: ClangHip) -> str:
    """One HIP source -> one host object. Gives the compiler's warnings; raises HipportError with its errors."""
    from hipport.toolchain.compiler import Kind

    options = (*options, *using.cflags, *_same_for_both(source, using))
    host = ("--offload-host-only", "-Wno-unused-command-line-argument")
    with tempfile.TemporaryDirectory(prefix="hipport-", dir=using.scratch) as scratch:
        image = Path(scratch) / "image"
        image.write_bytes(device_image(source, options, using, compiler))
        embed = ("-Xclang", "-fcuda-include-gpubinary", "-Xclang", str(image))
        words = compiler.command(source, [using.target], Kind.OBJECT, output, (*options, *host, *embed))
        ran = run_words([word for word in words if not word.startswith("-Rpass-analysis")], compiler)
    if ran.returncode:
        raise HipportError(f"its host code does not compile:\n{ran.stderr.strip()}", where=str(source))
    return ran.stderr


def compile_plain(source: Path, language: str, output: Path, options: Sequence[str], compiler: ClangHip) -> str:
    """One C or assembly source -> one object, by the same driver."""
    kept = [option for option in options if not (language == "c" and option.startswith("-std=c++"))]
    words = [*compiler.driver, *compiler.options, "-x", language, *kept, "-c", str(source), "-o", str(output)]
    ran = run_words(words, compiler)
    if ran.returncode:
        raise HipportError(f"it does not compile:\n{ran.stderr.strip()}", where=str(source))
    return ran.stderr


def _objects(line: CommandLine, using: Settings, compiler: ClangHip, folder: Path) -> list[str]:
    """An object for each source, in `folder` or at -o."""

    def one(at: int) -> str:
        source, language = line.sources[at]
        output = folder / f"{at}-{Path(source).stem}.o"
        if line.mode == "compile":
            output = Path(line.output) if line.output and len(line.sources) == 1 else Path(f"{Path(source).stem}.o")
        if language == "hip":
            log = compile_hip(Path(source).absolute(), output.absolute(), line.compile_options, using, compiler)
        else:
            log = compile_plain(Path(source), language, output, line.compile_options, compiler)
        sys.stderr.write(log)
        return str(output)

    with ThreadPoolExecutor(max_workers=cores()) as pool:
        return list(pool.map(one, range(len(line.sources))))


def _pass_on(words: Sequence[str], compiler: ClangHip) -> int:
    ran = run_words([*compiler.driver, *compiler.options, *words], compiler)
    sys.stdout.write(ran.stdout)
    sys.stderr.write(ran.stderr)
    return ran.returncode


def work(words: Sequence[str]) -> int:
    """Do what hipcc would for these words."""
    using = settings_file.read()
    compiler = clang_for(using.target)
    line = parse(words)
    if line.mode == "preprocess" or not (line.sources or line.objects):
        return _pass_on(["-x", "hip", "--offload-host-only", "-isystem", str(compiler.rocm / "include"), *words]
                        if line.sources else list(words), compiler)  # fmt: skip
    if line.relocatable:
        raise UntestedError("device code linked across files (-fgpu-rdc) is not there yet")
    if line.mode == "genco":
        source = Path(line.sources[0][0]).absolute()
        options = (*line.compile_options, *using.cflags, *_same_for_both(source, using))
        Path(line.output or f"{source.stem}.co").write_bytes(device_image(source, options, using, compiler))
        return 0
    with tempfile.TemporaryDirectory(prefix="hipport-", dir=using.scratch) as scratch:
        objects = _objects(line, using, compiler, Path(scratch))
        if line.mode == "link":
            output = Path(line.output or "a.out").absolute()
            link([*objects, *line.objects], output, line.link_options, using, compiler)
            shared = "-shared" in line.link_options
            note(using, {"event": "library" if shared else "program", "path": str(output)})
    return 0


def main(words: Sequence[str]) -> int:
    """The wrapper's exit code; its errors on stderr, and in the build's log where it is no plain compile error."""
    for name in (
        "HIP_PATH",
        "ROCM_PATH",
        "HIPCC",
    ):  # ours, for the program's build; clang and the finders read them too
        os.environ.pop(name, None)
    try:
        return work(words)
    except HipportError as error:
        sys.stderr.write(f"hipcc (hipport): {error}\n")
        if error.exit_code == ExitCode.UNTESTED:
            note(settings_file.read(), {"event": "untested", "what": error.what})
        return int(error.exit_code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

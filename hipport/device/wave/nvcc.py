"""Stands where nvcc or hipcc would, for one build: each source through the wave executor's compiler, then one link."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from hipport import cachedir
from hipport.device.isolation import cores
from hipport.device.program import settings as settings_file
from hipport.device.program.commandline import CommandLine, parse
from hipport.device.program.hipcc import note
from hipport.device.wave import build
from hipport.device.wave.compiler import INCLUDE, CxxCompiler, cxx_compiler
from hipport.device.wave.translate import translate
from hipport.errors import ExitCode, HipportError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.device.program.settings import Settings

DEVICE_SUFFIXES = {".cu", ".hip", ".cuh"}
# words of nvcc that say nothing to the compiler of this machine
_DROPPED = re.compile(
    r"-(-gpu-architecture|-gpu-code|arch|code|gencode|-generate-code|rdc|-relocatable-device-code|maxrregcount|-maxrregcount|Xptxas"
    r"|-ptxas-options|Xnvlink|Xcudafe|-default-stream|ccbin|-compiler-bindir|-diag-suppress|-threads|t|-fmad|fmad"
    r"|prec-div|prec-sqrt|ftz|-prec-div|-prec-sqrt|-ftz|cudart|-cudart|-source-in-ptx|-resource-usage|res-usage)(=.*)?"
    r"|-?-(use_fast_math|lineinfo|generate-line-info|expt-.*|extended-lambda|dlink|G|device-debug|keep|verbose)"
    r"|-O\w*|-g\w*|-W(?!l,|a,|p,).*|-w|-pedantic|-ffast-math|-fno-finite.*|-march=.*|-m(?:tune|avx|sse|fma).*|-flto.*|-fsanitize.*"
)
_TAKES_VALUE = re.compile(
    r"-(arch|code|gencode|-generate-code|-gpu-architecture|-gpu-code|maxrregcount|-maxrregcount|Xptxas|-ptxas-options|Xnvlink"
    r"|Xcudafe|-default-stream|ccbin|-compiler-bindir|-diag-suppress|-threads|t|cudart|-cudart)"
)
_HOST = ("-O1", "-g", "-w", "-fPIC", "-fpermissive")
_STANDARD = re.compile(r"--?std[= ]?(?:c|gnu)\+\+(\w+)")


def plain_words(words: Sequence[str]) -> list[str]:
    """Words for nvcc as words for a host compiler: without those that name a GPU, the host's own unwrapped."""
    found: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in {"-Xcompiler", "--compiler-options"} and at < len(words):
            found += plain_words(words[at].strip("\"'").replace(",", " ").split())
            at += 1
        elif match := re.fullmatch(r"(?:-Xcompiler|--compiler-options)[= ](.*)", word):
            found += plain_words(match[1].strip("\"'").replace(",", " ").split())
        elif word == "-dc" or word in {"--compile", "--device-c"}:
            found.append("-c")
        elif word in {"--output-file", "--include-path", "--library"} and at < len(words):
            found += [{"--output-file": "-o", "--include-path": "-I", "--library": "-l"}[word], words[at]]
            at += 1
        elif match := _STANDARD.fullmatch(word):
            found.append(f"-std=c++{match[1]}" if match[1] in {"20", "2a", "23", "2b", "26"} else "-std=c++17")
        elif word in {"-std", "--std"} and at < len(words):
            found += plain_words([f"-std={words[at]}"])
            at += 1
        elif word == "-x" and at < len(words):
            found += ["-x", "hip" if words[at] in {"cu", "hip"} else words[at]]
            at += 1
        elif _DROPPED.fullmatch(word):
            at += "=" not in word and bool(_TAKES_VALUE.fullmatch(word))
        else:
            found.append(word)
    return found


def _object(compiler: CxxCompiler, source: Path, output: Path, options: Sequence[str], using: Settings) -> None:
    """One source -> one object, kept by its content."""
    width = int(using.target)
    text = build.preprocessed(compiler, source, width, options, ())
    parts = [compiler.path, compiler.version, build.runtime_digest(), build.tool_digest(), str(width), *options, text]
    digest = hashlib.sha256(repr(parts).encode("utf-8", "replace")).hexdigest()
    kept = cachedir.root() / "wave" / "objects" / f"{digest}.o"
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            made = Path(folder) / "part.o"
            build.object_file(compiler, translate(text, kernels=False), made, options, source)
            made.replace(kept)
    output.unlink(missing_ok=True)
    output.write_bytes(kept.read_bytes())


def _plain(
    compiler: CxxCompiler, source: Path, language: str, output: Path, options: Sequence[str], width: int
) -> None:
    """A source of the host alone: the host's compiler, with our headers for what it includes of CUDA."""
    defines = build.defines(width, hip=build.is_hip(source))
    own = [*defines, "-isystem", str(INCLUDE)] if language != "c" else []
    kept = [word for word in options if not (language == "c" and word.startswith("-std=c++"))]
    words = [
        compiler.path,
        "-x",
        language,
        *own,
        *kept,
        "-O1",
        "-g",
        "-w",
        "-fPIC",
        "-c",
        str(source),
        "-o",
        str(output),
    ]
    ran = subprocess.run(words, check=False, capture_output=True, text=True, errors="replace")
    if ran.returncode:
        raise build.compile_errors(ran.stderr, source)


def _compiled(line: CommandLine, using: Settings, compiler: CxxCompiler, folder: Path) -> list[str]:
    """An object for each source."""
    options = [*line.compile_options, *using.cflags]

    def one(at: int) -> str:
        path, language = line.sources[at]
        source = Path(path).absolute()
        output = folder / f"{at}-{source.stem}.o"
        if line.mode == "compile":
            output = Path(line.output) if line.output and len(line.sources) == 1 else Path(f"{source.stem}.o")
        same = [f"-I{source.parent}", *_same_for_both(source, using)]
        if source.suffix in DEVICE_SUFFIXES or (language == "hip" and _has_kernels(source)):
            _object(compiler, source, output.absolute(), [*options, *same], using)
        else:
            kind = {"hip": "c++"}.get(language, language)
            _plain(compiler, source, kind, output.absolute(), [*options, *same], int(using.target))
        return str(output)

    with ThreadPoolExecutor(max_workers=cores()) as pool:
        return list(pool.map(one, range(len(line.sources))))


def _has_kernels(source: Path) -> bool:
    data = source.read_bytes()
    return b"__global__" in data or b"<<<" in data or b"__device__" in data


def _same_for_both(source: Path, using: Settings) -> list[str]:
    """The copy's paths stand as the original's in what is said of lines."""
    return (
        [f"-ffile-prefix-map={using.copy}={using.original}"] if using.copy and source.is_relative_to(using.copy) else []
    )


def work(words: Sequence[str]) -> int:
    """Do what nvcc would for these words."""
    using = settings_file.read()
    compiler = cxx_compiler()
    line = parse(plain_words(words))
    if "--version" in words or not (line.sources or line.objects):
        sys.stdout.write("hipport: nvcc of the wave executor\nCuda compilation tools, release 13.0, V13.0.0\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="hipport-", dir=using.scratch) as scratch:
        objects = _compiled(line, using, compiler, Path(scratch))
        if line.mode == "compile":
            return 0
        output = Path(line.output or "a.out").absolute()
        kept = [
            word for word in line.link_options if not re.fullmatch(r"-l(cuda|cudart|nvToolsExt|cudadevrt)\w*", word)
        ]
        kept = [word for word in kept if not word.startswith(("-O", "-std", "-g"))]
        # what a header defines for the device is each file's own to nvcc: the first serves for all
        end = [*kept, "-Wl,-z,muldefs", *build.link_words(compiler, int(using.target))]
        command = [compiler.path, *objects, *line.objects, *end, "-o", str(output)]
        ran = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")
        if ran.returncode:
            raise HipportError(f"it does not link:\n{ran.stderr.strip()[-3000:]}", where=str(output))
        note(using, {"event": "library" if "-shared" in kept else "program", "path": str(output)})
    return 0


def main(words: Sequence[str]) -> int:
    """The wrapper's exit code; its errors on stderr, and in the build's log where it is no plain compile error."""
    os.environ.pop("HIPCC", None)
    try:
        return work(words)
    except HipportError as error:
        sys.stderr.write(f"nvcc (hipport): {error}\n")
        if error.exit_code == ExitCode.UNTESTED:
            note(settings_file.read(), {"event": "untested", "what": error.what})
        return int(error.exit_code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

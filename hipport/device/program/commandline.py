"""hipcc's command line: which words are sources, objects, options of the compiler, options of the linker."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

HIP_SUFFIXES = {".cu", ".hip", ".cpp", ".cc", ".cxx", ".C", ".cp", ".c++"}  # hipcc compiles all of these as HIP
_OBJECTS = {".o", ".a", ".so", ".lo", ".obj"}
_WITH_VALUE = {
    "-I",
    "-D",
    "-U",
    "-include",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-Xclang",
    "-mllvm",
    "-MF",
    "-MT",
    "-MQ",
}
_WITH_VALUE |= {"-Xcompiler", "-target", "-imacros", "--param"}
_LINK_WITH_VALUE = {"-L", "-l", "-Xlinker", "-rpath", "-T", "-z", "-u"}
# What names the GPU, relocatable device code or the tool's own verbosity: this build decides
_DROPPED = re.compile(
    r"--?(offload-arch|amdgpu-target|gpu-architecture|offload-compress|hip-link|hip-path|rocm-path|save-temps|arch)(=.*)?"
    r"|-f(no-)?gpu-rdc|--hip-device-lib-path=.*|-parallel-jobs=.*|--gcc-toolchain=.*"
)
# libraries of the platform: what they lack is answered by "not provided"
PLATFORM_LIBRARY = re.compile(r"(amdhip64|hip|roc|rccl|MIOpen|hsa|amd_|hiprtc|nccl)\w*")


@dataclass(frozen=True, slots=True)
class CommandLine:
    """One call of hipcc, taken apart. `mode` is `link`, `compile` (-c), `preprocess` (-E, -M) or `genco`."""

    mode: str
    sources: tuple[tuple[str, str], ...]  # (path, language: hip | c | c++ | assembler)
    objects: tuple[str, ...]
    output: str
    compile_options: tuple[str, ...]
    link_options: tuple[str, ...]
    relocatable: bool  # device code that is linked across files


def parse(words: Sequence[str]) -> CommandLine:
    """The words after `hipcc`."""
    sources: list[tuple[str, str]] = []
    objects: list[str] = []
    compiling: list[str] = []
    linking: list[str] = []
    mode, output, language, relocatable = "link", "", "", False
    at = 0
    while at < len(words):
        word = words[at]
        value = words[at + 1] if at + 1 < len(words) else ""
        at += 1
        if word in {"-c", "-dc"}:
            mode, relocatable = "compile", relocatable or word == "-dc"
        elif word in {"-E", "-M", "-MM", "-S", "-fsyntax-only"}:
            mode = "preprocess"
            compiling.append(word)
        elif word == "--genco":
            mode = "genco"
        elif word in {"-fgpu-rdc", "-rdc=true"}:
            relocatable = True
        elif word == "-o":
            output, at = value, at + 1
        elif word.startswith("-o") and len(word) > 2 and not word.startswith("-offload"):
            output = word[2:]
        elif word == "-x":
            language, at = value, at + 1
        elif word in _WITH_VALUE:
            compiling += [word, value]
            at += 1
        elif word in _LINK_WITH_VALUE:
            linking += _link(word, value)
            at += 1
        elif word.startswith(("-l", "-L", "-Wl,")) or word in {
            "-shared",
            "-static",
            "-rdynamic",
            "-s",
            "-pie",
            "-no-pie",
        }:
            linking += _link(word[:2], word[2:]) if word[:2] in {"-l", "-L"} else [word]
        elif _DROPPED.fullmatch(word):
            at += word in {"--offload-arch", "-arch", "--amdgpu-target"}
        elif word.startswith("-") and word != "-":
            compiling.append(word)
            linking += (
                [word] if word.startswith(("-fopenmp", "-pthread", "-m", "-fsanitize", "-O", "-g", "-std")) else []
            )
        elif Path(word).suffix in _OBJECTS or re.search(r"\.so(\.\d+)*$", word):
            objects.append(word)
        else:
            sources.append((word, language or _language(word)))
    return CommandLine(mode, tuple(sources), tuple(objects), output, tuple(compiling), tuple(linking), relocatable)


def _link(option: str, value: str) -> list[str]:
    if option == "-l" and PLATFORM_LIBRARY.fullmatch(value):
        return []
    return [f"{option}{value}"] if option in {"-l", "-L"} else [option, value]


def _language(path: str) -> str:
    suffix = Path(path).suffix
    if suffix in HIP_SUFFIXES:
        return "hip"
    return {".c": "c", ".s": "assembler", ".S": "assembler-with-cpp"}.get(suffix, "hip")

"""Commands that CMake runs at build or configure time with nvcc: `add_custom_command(... COMMAND nvcc ...)`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.buildfiles import flags
from hipport.buildfiles.findings import edited, left
from hipport.buildfiles.words import Word, finding_of, word_edits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hipport.buildfiles.cmake_command import Port
    from hipport.buildfiles.cmake_parse import Arg, Command
    from hipport.model import Finding

_RUNNING = {"add_custom_command", "add_custom_target", "execute_process"}
_NVCC = re.compile(
    r"(?:.*/)?(nvcc)(?:\.exe)?|\$\{(?:CMAKE_CUDA_COMPILER|CUDA_NVCC_EXECUTABLE|CUDAToolkit_NVCC_EXECUTABLE)\}"
)
# a word in capitals that ends a COMMAND: the next part of the CMake command
_PART = re.compile(r"[A-Z][A-Z_]+")


def run_findings(port: Port, command: Command) -> Iterator[Finding]:
    """What becomes of the words of nvcc's commands."""
    if command.name not in _RUNNING:
        return
    for words in _commands(command.args):
        match = _NVCC.fullmatch(words[0].text)
        if match is None:
            continue
        if command.name == "execute_process":
            message = "this asks nvcc, which is not there on an AMD machine"
            span = port.span(words[0].start, words[-1].end)
            yield left("build-compiler", span, message, "ask hipcc or leave the value out")
            continue
        if match[1]:
            at = port.text.index("nvcc", words[0].start + match.start(1))
            span = port.span(at, at + len("nvcc"))
            yield edited("build-compiler", span, "hipcc", "`nvcc` becomes `hipcc`")
        changes = list(flags.translate([w.text for w in words], targets=port.config.targets, owned=True))
        for change, edit in word_edits(port.text, port.path, words, changes):
            yield finding_of(change, edit, "build-flag")


def _commands(args: Sequence[Arg]) -> Iterator[list[Word]]:
    """The words of each COMMAND."""
    words: list[Word] | None = None
    for arg in args:
        if arg.text == "COMMAND" or _PART.fullmatch(arg.text):
            if words:
                yield words
            words = [] if arg.text == "COMMAND" else None
        elif words is not None:
            words.append(Word(arg.value, arg.start, arg.end))
    if words:
        yield words

"""Compiler options in CMake commands, also inside of generator expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.buildfiles import flags
from hipport.buildfiles.cmake_names import linked, variable
from hipport.buildfiles.cmake_parse import ArgKind, masked_genex
from hipport.buildfiles.findings import edited
from hipport.buildfiles.words import Word, finding_of, word_edits
from hipport.model import Edit, Safety

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.buildfiles.cmake_command import Port
    from hipport.buildfiles.cmake_parse import Arg, Command
    from hipport.model import Finding

_COMMANDS = {
    *("set", "list", "string", "add_compile_options", "target_compile_options", "set_property"),
    *("set_target_properties", "set_source_files_properties", "add_link_options", "target_link_options"),
    *("target_link_libraries", "link_libraries", "add_definitions", "set_directory_properties"),
}
_PAIRED = {"set_target_properties", "set_source_files_properties", "set_directory_properties"}
_STRINGS = {"COMPILE_FLAGS", "LINK_FLAGS"}  # properties that are one string
_SHELL = "SHELL:"  # one argument of several words that stay together
_LINKING = {"target_link_libraries", "link_libraries", "target_link_options", "add_link_options"}
_OURS = re.compile(r"CUDA|NVCC", re.IGNORECASE)
_SKIPPED = {"PRIVATE", "PUBLIC", "INTERFACE", "APPEND", "APPEND_STRING", "PROPERTY", "PROPERTIES", "TARGET", "CACHE"}


def option_findings(port: Port, command: Command, done: set[Arg]) -> Iterator[Finding]:
    """What becomes of the options among a command's arguments."""
    if command.name not in _COMMANDS or len(command.args) < 1 + (not command.name.startswith("add_")):
        return
    nvcc = any(a.value.startswith("CUDA_NVCC_FLAGS") for a in command.args[:2])
    if command.name in {"set", "list"} and nvcc and not port.own_flags:
        yield from _nvcc_flags(port, command)
        return
    first = command.args[1 if command.name in {"list", "string"} and len(command.args) > 1 else 0]
    mine = command.name in {"set", "list", "string"} and _OURS.search(first.value) is not None
    start, end = command.args[0].start, command.args[-1].end
    genex = masked_genex(port.text, start, end)
    masked = _without_comments(genex.masked, command, start)
    for group, owned in _groups(masked, start, genex.cuda, mine=mine):
        written = [w.text for w in group]
        changes = list(flags.translate(written, targets=(), owned=owned, keep_arch=False))
        for change, edit in word_edits(masked_text(port.text, start, masked), port.path, group, changes):
            inside = any(a <= edit.span.start < b for a, b in genex.inside)
            yield finding_of(change, _quoted(port.text, command, _fitted(command, edit, inside=inside)), "build-flag")
    if command.name in _LINKING:
        yield from _libraries(port, command, done)


def _fitted(command: Command, edit: Edit, *, inside: bool) -> Edit:
    """The new words as their argument takes them: `;` parts those of a list, and a property keeps a value."""
    start, end = edit.span.start, edit.span.end
    arg = next((a for a in command.args if a.start < end and start < a.end), None)
    if arg is None or _SHELL in arg.value:
        return edit
    if not edit.text:
        whole = start <= arg.start and arg.end <= end
        return edit._replace(text=b' ""'[start == arg.start :]) if whole and command.name in _PAIRED else edit
    of_list = arg.kind is ArgKind.QUOTED and command.name not in {"set", "string"} and not re.search(r"\s", arg.value)
    listed = of_list and command.args[command.args.index(arg) - 1].value not in _STRINGS
    return edit._replace(text=edit.text.replace(b" ", b";")) if inside or listed else edit


def _quoted(text: str, command: Command, edit: Edit) -> Edit:
    """An edit that begins or ends inside of a quoted argument: what is left of that keeps its quotes, or loses both."""
    start, end = edit.span.start, edit.span.end
    if text.count('"', start, end) % 2 == 0:
        return edit
    if any(a.kind is ArgKind.QUOTED and a.start < start < a.end for a in command.args):
        if text[start - 1] == '"':
            return edit._replace(span=edit.span._replace(start=start - 1))
        return edit._replace(text=edit.text + b'"')
    if text[end] == '"':
        return edit._replace(span=edit.span._replace(end=end + 1))
    return edit._replace(text=b' "'[not text[start].isspace() :] + edit.text)


def masked_text(text: str, start: int, masked: str) -> str:
    """The file with a command's arguments masked, for the places of blanks."""
    return text[:start] + masked + text[start + len(masked) :]


def _without_comments(masked: str, command: Command, start: int) -> str:
    """The masked arguments with what lies between them blanked: comments."""
    out = list(masked)
    for before, after in zip(command.args, command.args[1:], strict=False):
        for spot in range(before.end, after.start):
            if out[spot - start] not in "\n\r\t ":
                out[spot - start] = " "
    return "".join(out)


def _groups(
    masked: str, start: int, cuda: tuple[tuple[int, int], ...], *, mine: bool
) -> Iterator[tuple[list[Word], bool]]:
    """The words of the arguments, in runs that are nvcc's or not."""
    run: list[Word] = []
    was = mine
    for match in re.finditer(r'[^\s;"]+', masked):
        skipped = len(_SHELL) if match[0].startswith(_SHELL) else 0
        word = Word(match[0][skipped:], start + match.start() + skipped, start + match.end())
        owned = mine or any(a <= word.start < b for a, b in cuda)
        if run and owned != was:
            yield run, was
            run = []
        was = owned
        if word.text and word.text not in _SKIPPED:
            run.append(word)
    if run:
        yield run, was


def _libraries(port: Port, command: Command, done: set[Arg]) -> Iterator[Finding]:
    """Libraries that are linked by their bare names: `cublas`."""
    for arg in command.args[1:]:
        found = linked(arg.value) if arg not in done else None
        if found is None:
            continue
        target, package = found
        finding = edited("build-library", port.span(arg.start, arg.end), target, f"`{arg.value}` is `{target}` in ROCm")
        before = () if package == "hip" else port.package(command, package)
        yield _also(finding, before)


def _also(finding: Finding, edits: tuple[Edit, ...]) -> Finding:
    return finding._replace(edits=(*edits, *finding.edits))


def _nvcc_flags(port: Port, command: Command) -> Iterator[Finding]:
    """`set(CUDA_NVCC_FLAGS ...)` and `list(APPEND CUDA_NVCC_FLAGS ...)`: a list there, a string for HIP."""
    place = next(i for i, a in enumerate(command.args) if a.value.startswith("CUDA_NVCC_FLAGS"))
    name = command.args[place].value
    new_name = variable(name)
    appends = command.name == "list" and command.args[0].value == "APPEND"
    words = [w for a in command.args[place + 1 :] for w in re.findall(r'[^\s;"]+', a.value)]
    if (command.name == "list" and not appends) or {"CACHE", "PARENT_SCOPE"} & set(words):
        return
    before = words and words[0] == f"${{{name}}}"
    words = words[1:] if before else words
    changes = list(flags.translate(words, targets=(), owned=True, keep_arch=False))
    rest = " ".join(flags.replaced(words, changes)).replace("CUDA_NVCC_FLAGS", "CMAKE_HIP_FLAGS")
    if appends and not rest:
        new = ""
    elif appends:
        new = f'string(APPEND {new_name} " {rest}")'
    else:
        new = f'set({new_name} "{f"${{{new_name}}} " if before else ""}{rest}")'
    review = any(c.safety is not Safety.SAFE for c in changes)
    message = "; ".join((f"`{name}` is `{new_name}` for HIP", *(c.message for c in changes)))
    yield edited("build-flag", port.span(command.start, command.end), new, message, review=review)

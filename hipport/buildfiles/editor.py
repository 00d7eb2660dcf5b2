"""compile_commands.json and .clangd: the commands that editors and tools read."""

from __future__ import annotations

import json
import re
from posixpath import basename
from typing import TYPE_CHECKING

from hipport.buildfiles import flags
from hipport.buildfiles.findings import edited
from hipport.buildfiles.kinds import BuildKind, kind_of
from hipport.buildfiles.locations import CUDA_ROOT, ROCM_ROOT, Sources
from hipport.buildfiles.words import Word, finding_of, split_words, word_edits
from hipport.model import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.config import Config
    from hipport.model import Finding, SourceFile

_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_COMMAND = re.compile(r'"command"\s*:\s*"((?:[^"\\]|\\.)*)"')
_LIST = re.compile(r'"arguments"\s*:\s*\[(.*?)\]', re.DOTALL)
_FILE = re.compile(r'"(?:file|output)"\s*:\s*"((?:[^"\\]|\\.)*)"')


def find(source: SourceFile, config: Config, renamed: Mapping[str, str]) -> Iterator[Finding]:
    """What becomes of the options of CUDA commands."""
    text = source.data.decode("latin-1")
    if kind_of(source.path) is BuildKind.CLANGD:
        yield from _clangd(text, source.path, config)
        return
    sources = Sources(renamed, source.path)
    for match in _COMMAND.finditer(text):
        words = list(split_words(text, match.start(1), match.end(1)))
        if words and _is_cuda(words):
            yield from _command(text, source.path, words, config, sources)
    for match in _LIST.finditer(text):
        words = [Word(m[1], match.start(1) + m.start(1), match.start(1) + m.end(1)) for m in _STRING.finditer(match[1])]
        if words and _is_cuda(words):
            yield from _arguments(source.path, words, config, sources, match.start(1), text)
    for match in _FILE.finditer(text):
        new = sources.new_name(match[1])
        if new:
            span = Span(source.path, match.start(1), match.end(1))
            yield edited("build-source", span, new, f"`{match[1]}` is ported to `{new}`")


def _is_cuda(words: list[Word]) -> bool:
    return basename(words[0].text) in {"nvcc", "nvcc.exe"} or any(w.text.endswith(".cu") for w in words)


def _command(text: str, path: str, words: list[Word], config: Config, sources: Sources) -> Iterator[Finding]:
    written = [w.text for w in words]
    changes = list(flags.translate(written, targets=config.targets, owned=True))
    for change, edit in word_edits(text, path, words, changes):
        yield finding_of(change, edit, "build-flag")
    yield from _names(path, words, sources, {i for c in changes for i in range(c.first, c.last)})


def _arguments(
    path: str, words: list[Word], config: Config, sources: Sources, start: int, text: str
) -> Iterator[Finding]:
    """The array is written anew where an option changes, since its words are strings of their own."""
    written = [json.loads(f'"{w.text}"') for w in words]
    changes = list(flags.translate(written, targets=config.targets, owned=True))
    applied = [c for c in changes if c.words != tuple(written[c.first : c.last])]
    for change in applied:
        first, last = words[change.first], words[change.last - 1]
        begin, end = first.start - 1, last.end + 1
        if not change.words:  # with the comma before it
            begin = text.rfind(",", start, begin) if change.first else begin
        new = ", ".join(json.dumps(w) for w in change.words)
        yield edited("build-flag", Span(path, begin, end), new, change.message, review=change.safety.value == "review")
    yield from _names(path, words, sources, {i for c in applied for i in range(c.first, c.last)})


def _names(path: str, words: list[Word], sources: Sources, taken: set[int]) -> Iterator[Finding]:
    for index, word in enumerate(words):
        if index in taken:
            continue
        if index == 0 and basename(word.text) == "nvcc":
            new_name = CUDA_ROOT.sub(ROCM_ROOT, word.text)[: -len("nvcc")] + "hipcc"
            span = Span(path, word.start, word.end)
            yield edited("build-compiler", span, new_name, f"`{word.text}` becomes `{new_name}`")
        new = sources.new_name(word.text)
        if new:
            span = Span(path, word.start, word.end)
            yield edited("build-source", span, new, f"`{word.text}` is ported to `{new}`")


def _clangd(text: str, path: str, config: Config) -> Iterator[Finding]:
    """CompileFlags of a .clangd file: one option a change, lists in YAML's flow or block form."""
    for match in re.finditer(r"(?:--?[A-Za-z][\w-]*(?:=[^\s,\]'\"]+)?)", text):
        word = match[0]
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if "#" in line:
            continue
        change = next(iter(flags.translate([word], targets=config.targets[:1], owned=False)), None)
        if change is None or len(change.words) != 1:
            continue
        span = Span(path, match.start(), match.end())
        yield edited("build-flag", span, change.words[0], change.message)

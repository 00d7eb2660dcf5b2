"""Makefiles: the compiler, its options, libraries, folders and `.cu` patterns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.buildfiles import flags
from hipport.buildfiles.findings import edited, left
from hipport.buildfiles.locations import AFTER_ROOT, CUDA_ROOT, NO_COUNTERPART, ROCM_ROOT, ROOT_NAME, SUFFIX, Sources
from hipport.buildfiles.make_dual import dual
from hipport.buildfiles.make_lines import Line, LineKind, lines
from hipport.buildfiles.words import Word, finding_of, split_words, word_edits
from hipport.config import Config, Style
from hipport.model import Finding, SourceFile, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_NVCC = re.compile(r"(?:.*/)?(nvcc)(?:\.exe)?")
_WHICH = re.compile(r"\$\(shell\s+(?:which|command -v|type -p)\s+(nvcc)\b[^)]*\)")
_REF = re.compile(r"\$[({]([\w.-]+)[)}]")
_CU = re.compile(r"\S*\.cu(?![\w])")
_OWNED_NAME = re.compile(r"NVCC|CUDA|NVFLAGS|CUFLAGS|CU_FLAGS|GENCODE|NVLD|SMS?$", re.IGNORECASE)
_HOST = re.compile(r"(?:.*/)?(?:g\+\+|gcc|cc|c\+\+|clang(?:\+\+)?|ld|ar|mpicc|mpicxx|mpic\+\+|icpc|icpx)(?:-[\d.]+)?")
_HOST_NAMES = {"CC", "CXX", "LD", "CPP", "MPICC", "MPICXX", "HOSTCXX", "HOST_COMPILER", "GCC", "GXX", "LINKER"}
_TOOLS = {
    "nvprof": "rocprofv3 --sys-trace",
    "ncu": "rocprof-compute profile",
    "nsys": "rocprofv3 --sys-trace",
    "cuda-memcheck": "a build with -fsanitize=address for a target of xnack+",
    "compute-sanitizer": "a build with -fsanitize=address for a target of xnack+",
    "nvidia-smi": "amd-smi",
    "cuobjdump": "llvm-objdump --offloading",
    "nvdisasm": "llvm-objdump -d",
    "ptxas": "clang's assembler; PTX does not exist on AMD GPUs",
}
_ARCH_VALUE = re.compile(r"(?:sm|compute)_\w+")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a first pass over the lines tells about a Makefile's variables."""

    compilers: frozenset[str]  # variables that hold nvcc
    owned: frozenset[str]  # variables whose words go to nvcc alone
    roots: frozenset[str]  # variables that hold a CUDA toolkit's folder
    rename_roots: bool  # no condition asks for them: they become ROCM_PATH
    arch: frozenset[str]  # variables whose whole value is one architecture
    cu_lists: frozenset[str]  # variables whose words all end in .cu


def find(source: SourceFile, config: Config, renamed: Mapping[str, str]) -> Iterable[Finding]:
    """What a Makefile needs for hipcc."""
    text = source.data.decode("latin-1")
    if not re.search(r"nvcc|cuda|\.cu\b|-lcu|-gencode|NVCC", text, re.IGNORECASE):
        return ()
    parsed = list(lines(text))
    facts = _facts(text, parsed)
    port = _Port(text, source.path, config, Sources(renamed, source.path), facts)
    findings = [f for line in parsed for f in port.line(line)]
    if config.style is Style.DUAL:
        return dual(text, source.path, parsed, findings)
    return [*findings, *port.rocm_path(parsed, findings)]


def _facts(text: str, parsed: Sequence[Line]) -> Facts:
    values: dict[str, list[str]] = {}
    for line in parsed:
        if line.kind is LineKind.ASSIGN:
            values.setdefault(line.name, []).extend(w.text for w in line.words)
    compilers = {n for n, ws in values.items() if ws and (_NVCC.fullmatch(ws[0]) or _WHICH.fullmatch(ws[0]))}
    compilers |= {"NVCC"} - (values.keys() - compilers)
    roots = {n for n, ws in values.items() if len(ws) == 1 and _is_root(n, ws[0])}
    roots |= {m[1] for m in _REF.finditer(text) if ROOT_NAME.fullmatch(m[1]) and m[1] not in values}
    asked = {
        n
        for line in parsed
        if line.kind is LineKind.DIRECTIVE
        for n in roots
        if re.search(rf"\b{re.escape(n)}\b", text[line.start : line.end])
    }
    return Facts(
        compilers=frozenset(compilers),
        owned=frozenset(_owned(parsed, values, compilers)),
        roots=frozenset(roots),
        rename_roots=not asked,
        arch=frozenset(n for n, ws in values.items() if ws and all(_ARCH_VALUE.fullmatch(w) for w in ws)),
        cu_lists=frozenset(n for n, ws in values.items() if ws and all(w.endswith(".cu") for w in ws)),
    )


def _is_root(name: str, value: str) -> bool:
    if CUDA_ROOT.fullmatch(value.rstrip("/")):
        return True
    return bool(ROOT_NAME.fullmatch(name)) and ("nvcc" in value or "cuda" in value.lower() or value.startswith("$("))


def _owned(parsed: Sequence[Line], values: Mapping[str, list[str]], compilers: set[str]) -> set[str]:
    """The variables that reach nvcc's command lines and no other compiler's, through other variables too."""
    ours: set[str] = {n for n in values if _OWNED_NAME.search(n)} - compilers
    theirs: set[str] = set()
    for line in parsed:
        for command in line.commands:
            names = {m[1] for w in command if "$" in w.text for m in _REF.finditer(w.text)}
            if _compiler(command, compilers):
                ours |= names
            elif command and (_HOST.fullmatch(command[0].text) or _ref_name(command[0].text) in _HOST_NAMES):
                theirs |= names
    implicit = {"CC": {"CFLAGS"}, "CXX": {"CXXFLAGS"}}
    for name, used in implicit.items():
        if name in compilers:
            ours |= used | {"LDFLAGS", "LDLIBS", "CPPFLAGS"}
    return _reached(ours, values) - _reached(theirs, values)


def _reached(names: set[str], values: Mapping[str, list[str]]) -> set[str]:
    """The variables, and those that their values refer to."""
    reached, todo = set(names), list(names)
    while todo:
        for word in values.get(todo.pop(), ()):
            new = {m[1] for m in _REF.finditer(word)} - reached if "$" in word else set()
            reached |= new
            todo += new
    return reached


def _ref_name(word: str) -> str:
    match = _REF.fullmatch(word) if word.startswith("$") else None
    return match[1] if match else ""


def _compiler(command: Sequence[Word], compilers: Iterable[str]) -> Word | None:
    """The word of a command that names nvcc: the first, or after `time`, `ccache` and settings of the environment."""
    for word in command:
        if _NVCC.fullmatch(word.text) or _ref_name(word.text) in compilers:
            return word
        if not (re.match(r"\w+=", word.text) or word.text in {"time", "ccache", "sccache", "env", "exec", "if"}):
            return None
    return None


@dataclass(frozen=True, slots=True)
class _Port:
    """The findings of one Makefile, line by line."""

    text: str
    path: str
    config: Config
    sources: Sources
    facts: Facts

    def span(self, start: int, end: int) -> Span:
        return Span(self.path, start, end)

    def line(self, line: Line) -> Iterator[Finding]:
        if line.kind is LineKind.ASSIGN:
            yield from self._assign(line)
        elif line.kind is LineKind.RULE:
            yield from self._rule(line)
        elif line.kind is LineKind.RECIPE:
            yield from self._recipe(line)
        elif line.kind is LineKind.OTHER:
            yield from self._other(line)

    def _assign(self, line: Line) -> Iterator[Finding]:
        words = line.words
        if line.name in self.facts.roots:
            yield from self._root(line, words)
            return
        if line.name in self.facts.arch and words:
            span = self.span(words[0].start, words[-1].end)
            new = ",".join(self.config.targets)
            yield edited("build-arch", span, new, f"`{line.name}` names NVIDIA architectures: the AMD targets")
            return
        yield from self._command(words, owned=line.name in self.facts.owned, value=True)

    def _root(self, line: Line, words: Sequence[Word]) -> Iterator[Finding]:
        message = f"`{line.name}` is a CUDA toolkit's folder: ROCm's is {ROCM_ROOT}"
        if words and not self.facts.rename_roots:
            yield edited("build-path", self.span(words[0].start, words[-1].end), ROCM_ROOT, message, review=True)
        elif words:
            end = words[-1].end
            gap = self.text[line.name_start + len(line.name) : words[0].start]
            yield edited("build-path", self.span(line.name_start, end), f"ROCM_PATH{gap}{ROCM_ROOT}", message)

    def _rule(self, line: Line) -> Iterator[Finding]:
        colon = line.prerequisites[0].start if line.prerequisites else line.body
        for word in split_words(self.text, line.start, colon):
            yield from self._source(word)
        for word in line.prerequisites:
            yield from self._source(word)
        yield from self._recipe(line)

    def _recipe(self, line: Line) -> Iterator[Finding]:
        for command in line.commands:
            if not command or command[0].text in {"echo", "printf", "@echo", "#", ":"}:
                continue
            compiler = _compiler(command, self.facts.compilers)
            if compiler:
                yield from self._command(command, owned=True, value=False)
                yield from self._language(command, line)
            elif _HOST.fullmatch(command[0].text) or _ref_name(command[0].text) in _HOST_NAMES | {"LINK"}:
                yield from self._command(command, owned=False, value=False)
            elif command[0].text in _TOOLS:
                word = command[0]
                message = f"`{word.text}` is a tool of NVIDIA"
                yield left("build-tool", self.span(word.start, word.end), message, f"use {_TOOLS[word.text]}")
            else:
                for word in command:
                    yield from self._source(word)

    def _command(self, words: Sequence[Word], *, owned: bool, value: bool) -> Iterator[Finding]:
        """The words of a command (or of a variable's value): compiler, options, folders, sources."""
        written = [w.text for w in words]
        owned = owned or bool(value and words and _NVCC.fullmatch(written[0]))
        changes = list(flags.translate(written, targets=self.config.targets, owned=owned, arch=self._arch(written)))
        taken = {i for c in changes for i in range(c.first, c.last)}
        for change, edit in word_edits(self.text, self.path, words, changes):
            yield finding_of(change, edit, "build-flag")
        for index, word in enumerate(words):
            if index in taken:
                continue
            yield from self._name(word, first=index == 0 or not value)
            yield from self._source(word)
            yield from self._folder(word)
            yield from self._inside(word)

    def _arch(self, written: Sequence[str]) -> str:
        """`$(ARCH)` where the command's only architecture is that variable and its value was changed to the targets."""
        values = {u.value for u in flags.uses(written, owned=True) if u.option.action == "architecture"}
        name = _ref_name(next(iter(values))) if len(values) == 1 else ""
        return next(iter(values)) if name and name in self.facts.arch else ""

    def _name(self, word: Word, *, first: bool) -> Iterator[Finding]:
        match = _NVCC.fullmatch(word.text) or _WHICH.fullmatch(word.text)
        if match and first:
            span = self.span(word.start + match.start(1), word.start + match.end(1))
            yield edited("build-compiler", span, "hipcc", "`nvcc` becomes `hipcc`")
        elif "nvcc" in word.text and "$(shell" in word.text:
            message = "this asks nvcc, which is not there on an AMD machine"
            yield left("build-compiler", self.span(word.start, word.end), message, "ask hipcc or leave the value out")

    def _source(self, word: Word) -> Iterator[Finding]:
        new = self.sources.new_name(word.text)
        if new is not None:
            yield edited("build-source", self.span(word.start, word.end), new, f"`{word.text}` is ported to `{new}`")
        elif self.sources.uniform and self._is_pattern(word.text):
            for match in SUFFIX.finditer(word.text):
                span = self.span(word.start + match.start(), word.start + match.end())
                yield edited("build-source", span, ".hip", "ported sources end in `.hip`")

    @staticmethod
    def _is_pattern(word: str) -> bool:
        return bool(re.search(r"[%*]\.cu(?!\w)|:\.cu\s*=|(?:^|\s|,)\.cu(?!\w)|\$[({@*<][^)}]*[)}]?\.cu(?!\w)", word))

    def _folder(self, word: Word) -> Iterator[Finding]:
        names = self.facts.roots
        spots = [(m.start(), m.end(), m[0]) for m in CUDA_ROOT.finditer(word.text)]
        if "$" in word.text:
            spots += [(m.start(), m.end(), m[0]) for m in _REF.finditer(word.text) if m[1] in names]
        for start, end, old in spots:
            after = AFTER_ROOT.match(word.text, end)
            if NO_COUNTERPART.match(word.text, end):
                span = self.span(word.start, word.end)
                yield left("build-path", span, f"`{word.text}` has no counterpart in ROCm", "take the headers along")
                continue
            new = old if old.startswith("$") and not self.facts.rename_roots else self._new_root(old)
            new += "/lib" if after else ""
            stop = after.end() if after else end
            if new != word.text[start:stop]:
                span = self.span(word.start + start, word.start + stop)
                yield edited("build-path", span, new, f"`{word.text[start:stop]}` becomes `{new}`")

    @staticmethod
    def _new_root(old: str) -> str:
        if not old.startswith("$"):
            return ROCM_ROOT
        return "$(ROCM_PATH)" if old[1] == "(" else "${ROCM_PATH}"

    def _inside(self, word: Word) -> Iterator[Finding]:
        """Options inside a call of make: `$(foreach sm,$(SMS),-gencode arch=compute_$(sm),code=sm_$(sm))`."""
        if not word.text.startswith("$(") or "-gencode" not in word.text:
            return
        span = self.span(word.start, word.end)
        if word.text.startswith(("$(foreach ", "$(addprefix ", "$(patsubst ")):
            new = " ".join(f"--offload-arch={t}" for t in self.config.targets)
            yield edited("build-flag", span, new, "a list of NVIDIA architectures becomes the AMD targets", review=True)
        else:
            step = "write --offload-arch= and the AMD targets"
            yield left("build-flag", span, "options for NVIDIA architectures in a call of make", step)

    def _language(self, command: Sequence[Word], line: Line) -> Iterator[Finding]:
        """`-x hip` before inputs that keep their `.cu` names: clang takes those for CUDA."""
        inputs = [w for w in command if self._is_cu(w, line)]
        if not inputs or any(w.text in {"-x", "--x"} for w in command):
            return
        compile_only = next((w for w in command if w.text in {"-c", "-dc", "--compile", "--device-c", "-dw"}), None)
        if compile_only:
            at = self.span(compile_only.start, compile_only.start)
            yield edited("build-language", at, "-x hip ", "clang takes `.cu` for CUDA: the input's language is HIP")
            return
        at = self.span(inputs[0].start, inputs[0].start)
        yield edited("build-language", at, "-x hip ", "clang takes `.cu` for CUDA: the input's language is HIP")
        if inputs[-1].end < command[-1].end:
            stop = self.span(inputs[-1].end, inputs[-1].end)
            yield edited("build-language", stop, " -x none", "files after the sources have their own languages")

    def _is_cu(self, word: Word, line: Line) -> bool:
        """Whether a command's input is CUDA source under the name that it keeps."""
        if word.text in {"$<", "$^", "$+", "$?"}:
            names = [w.text for w in line.prerequisites]
            names = names[:1] if word.text == "$<" else names
            return bool(names) and all(self._keeps_cu(n) for n in names)
        return self._keeps_cu(word.text)

    def _keeps_cu(self, name: str) -> bool:
        if _ref_name(name) in self.facts.cu_lists:
            return not self.sources.uniform
        if not name.endswith(".cu") or name.startswith("-"):
            return False
        return self.sources.new_name(name) is None and not (self.sources.uniform and self._is_pattern(name))

    def _other(self, line: Line) -> Iterator[Finding]:
        """Lines of a `define`, calls of eval: nothing is edited, options of nvcc are named."""
        found = re.search(r"\bnvcc\b|-gencode|compute_\d|sm_\d\d|\$\(NVCC\)", self.text[line.start : line.end])
        if found and not self.text[line.start : line.end].lstrip().startswith("#"):
            span = self.span(line.start + found.start(), line.start + found.end())
            step = "`hipport explain -- OPTION` says what each option becomes"
            yield left("build-flag", span, f"`{found[0]}` inside a `define` or a call of make", step)

    def rocm_path(self, parsed: Sequence[Line], findings: Sequence[Finding]) -> Iterator[Finding]:
        """The definition of ROCM_PATH, where the file uses it and has none."""
        new = b"".join(e.text for f in findings for e in f.edits)
        if b"(ROCM_PATH)" not in new and b"{ROCM_PATH}" not in new:
            return
        if b"ROCM_PATH " in new or b"ROCM_PATH:" in new or b"ROCM_PATH?" in new or b"ROCM_PATH=" in new:
            return
        if any(line.kind is LineKind.ASSIGN and line.name == "ROCM_PATH" for line in parsed):
            return
        first = next((line for line in parsed if line.kind is not LineKind.BLANK), None)
        if first:
            at = self.span(first.start, first.start)
            yield edited("build-path", at, f"ROCM_PATH ?= {ROCM_ROOT}\n", "ROCM_PATH is where ROCm lies")

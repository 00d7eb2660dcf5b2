"""One CMake command at a time: what it becomes with HIP as a language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.buildfiles import flags
from hipport.buildfiles.cmake_names import (
    LEFT,
    LEFT_COMMANDS,
    LEFT_PACKAGES,
    PROPERTIES,
    TARGETS,
    library_variable,
    linked,
    variable,
)
from hipport.buildfiles.cmake_options import option_findings
from hipport.buildfiles.cmake_run import run_findings
from hipport.buildfiles.findings import edited, left
from hipport.buildfiles.locations import SUFFIX
from hipport.config import Style
from hipport.model import Edit, Finding, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.buildfiles.cmake_parse import Arg, Command
    from hipport.buildfiles.locations import Sources
    from hipport.config import Config

PREFIX = "list(APPEND CMAKE_PREFIX_PATH $ENV{ROCM_PATH} /opt/rocm)"
_MINIMUM = (3, 21, 3)
_REF = re.compile(r"\$\{([\w.]+)\}")
_TARGET = re.compile(r"\bCUDA::(\w+)")
_LANGUAGE = re.compile(r"(?<=[:,])CUDA(?=[,>])")
_GENEX_HEAD = re.compile(r"\$<(?:COMPILE_LANGUAGE|LINK_LANGUAGE|COMPILE_LANG_AND_ID|LINK_LANG_AND_ID):[\w,]*>")
_OWN_FLAGS = re.compile(r"(?:compile_options|COMPILE_OPTIONS)[^()]*\$\{CUDA_NVCC_FLAGS")
_FINDCUDA = {
    "cuda_add_library": "add_library",
    "cuda_add_executable": "add_executable",
    "cuda_include_directories": "include_directories",
}
_COMPARISONS = {
    "STREQUAL",
    "MATCHES",
    "EQUAL",
    "LESS",
    "GREATER",
    "LESS_EQUAL",
    "GREATER_EQUAL",
    "VERSION_LESS",
    "IN_LIST",
}
_ADDING = {"add_library", "add_executable", "target_sources", "cuda_add_library", "cuda_add_executable"}
_QUIET = {"message", "option", "function", "macro", "install", "include"}
_OFF = {"OFF", "FALSE", "NO", "0"}
_CONDITIONS = {"if", "elseif", "while", "else", "endif", "endwhile"}


class Port:
    """The findings of one file's commands."""

    def __init__(
        self, text: str, path: str, config: Config, sources: Sources, set_here: frozenset[str], *, enables: bool
    ) -> None:
        self.text = text
        self.path = path
        self.config = config
        self.sources = sources
        self.set_here = set_here
        self.enables = enables
        self._prefixed = False
        # FindCUDA reads CUDA_NVCC_FLAGS; elsewhere it is a list of the project's own
        self.own_flags = not re.search(r"find_package\s*\(\s*CUDA\b", text) or bool(_OWN_FLAGS.search(text))

    def span(self, start: int, end: int) -> Span:
        """Those bytes of the file."""
        return Span(self.path, start, end)

    def command(self, command: Command) -> Iterator[Finding]:
        """What one command becomes."""
        if command.name in LEFT_COMMANDS:
            span = self.span(command.start, command.end)
            message = f"`{command.name}` has no counterpart with HIP"
            yield left("build-language", span, message, LEFT_COMMANDS[command.name])
            return
        handler = getattr(self, f"_{command.name}", None)
        if handler is not None:
            yield from handler(command)
        if command.name in _QUIET:
            return
        if command.name in {"if", "elseif"}:
            yield from self._compared(command)
        done: set[Arg] = set()
        for finding, arg in self._named(command):
            done.add(arg)
            yield finding
        if command.name in _FINDCUDA:
            yield from self._findcuda(command)
        yield from option_findings(self, command, done)
        yield from run_findings(self, command)
        if command.name not in _CONDITIONS:
            yield from self._sources(command)

    # languages and packages

    def _cmake_minimum_required(self, command: Command) -> Iterator[Finding]:
        if not self.enables or self.config.style is Style.DUAL:
            return
        version = next((a for a in command.args if re.match(r"\d+\.\d", a.value)), None)
        if version is None:
            return
        first, dots, last = version.value.partition("...")
        if tuple(int(n) for n in re.findall(r"\d+", first)) >= _MINIMUM:
            return
        keep = dots and tuple(int(n) for n in re.findall(r"\d+", last)) > _MINIMUM
        new = "3.21.3" + (dots + last if keep else "")
        span = self.span(version.start, version.start + len(version.value))
        yield edited("build-language", span, new, "HIP is a language since CMake 3.21.3")

    def _project(self, command: Command) -> Iterator[Finding]:
        yield from self._languages(command, first=1)

    def _enable_language(self, command: Command) -> Iterator[Finding]:
        yield from self._languages(command, first=0)

    def _languages(self, command: Command, first: int) -> Iterator[Finding]:
        for arg in command.args[first:]:
            if arg.text == "CUDA":
                others = {a.text for a in command.args[first:]}
                alone = command.name == "project" and not others & {"C", "CXX"}
                finding = edited(
                    "build-language",
                    self.span(arg.start, arg.end),
                    "CXX HIP" if alone else "HIP",
                    "HIP is the language instead of CUDA; its targets are named before it is enabled",
                )
                yield _with(finding, self.before(command, self._architectures()))

    def _architectures(self) -> str:
        targets = ";".join(self.config.targets)
        return f'set(CMAKE_HIP_ARCHITECTURES "{targets}" CACHE STRING "AMD GPU targets")'

    def _check_language(self, command: Command) -> Iterator[Finding]:
        for arg in command.args:
            if arg.text == "CUDA":
                span = self.span(arg.start, arg.end)
                yield edited("build-language", span, "HIP", "HIP is the language instead of CUDA")

    def _find_package(self, command: Command) -> Iterator[Finding]:
        name = command.args[0].value if command.args else ""
        if name.lower() in LEFT_PACKAGES:
            span = self.span(command.args[0].start, command.args[0].end)
            yield left("build-library", span, f"`{name}` is a package of NVIDIA", LEFT_PACKAGES[name.lower()])
        if name not in {"CUDA", "CUDAToolkit"}:
            return
        required = "REQUIRED" in command.values()
        new = "find_package(hip REQUIRED)" if required else "find_package(hip QUIET)"
        span = self.span(command.start, command.end)
        finding = edited("build-language", span, new, f"ROCm's package is `hip`; `{name}` is CUDA's")
        finding = _with(finding, *self.prefix(command))
        if name == "CUDA":
            line = "enable_language(HIP)"
            pad = self.pad(command)
            after = line if required else f"if(hip_FOUND)\n{pad}  {line}\n{pad}endif()"
            finding = _with(finding, self.before(command, self._architectures()), self.after(command, after))
        yield finding

    def _findcuda(self, command: Command) -> Iterator[Finding]:
        span = self.span(command.start, command.name_end)
        new = _FINDCUDA[command.name]
        finding = edited("build-language", span, new, f"`{command.name}` is FindCUDA's: HIP is a language")
        place = next((i for i, a in enumerate(command.args) if a.text == "OPTIONS"), 0)
        if not place:
            yield finding
            return
        words = [w for a in command.args[place + 1 :] for w in re.split(r"[;\s]+", a.value) if w]
        changes = list(flags.translate(words, targets=(), owned=True, keep_arch=False))
        rest = ";".join(flags.replaced(words, changes))
        drop = Edit(self.span(command.args[place - 1].end, command.args[-1].end), b"")
        more: tuple[Edit, ...] = ()
        if rest and new != "include_directories":
            target = command.args[0].text
            line = f'target_compile_options({target} PRIVATE "$<$<COMPILE_LANGUAGE:HIP>:{rest}>")'
            more = (self.after(command, line),)
        message = "; ".join((finding.message, *(c.message for c in changes)))
        yield _with(finding._replace(message=message), drop, *more)

    def _cuda_add_cublas_to_target(self, command: Command) -> Iterator[Finding]:
        target = command.args[0].text if command.args else ""
        new = f"target_link_libraries({target} roc::hipblas)"
        finding = edited("build-library", self.span(command.start, command.end), new, "cuBLAS becomes hipBLAS")
        yield _with(finding, *self.package(command, "hipblas"))

    def _cuda_add_cufft_to_target(self, command: Command) -> Iterator[Finding]:
        target = command.args[0].text if command.args else ""
        new = f"target_link_libraries({target} hip::hipfft)"
        finding = edited("build-library", self.span(command.start, command.end), new, "cuFFT becomes hipFFT")
        yield _with(finding, *self.package(command, "hipfft"))

    def _target_compile_features(self, command: Command) -> Iterator[Finding]:
        for arg in command.args:
            match = re.fullmatch(r"cuda_(std_\d+)", arg.value)
            if match:
                span = self.span(arg.start, arg.end)
                yield edited("build-language", span, f"hip_{match[1]}", "the feature of the HIP language")

    def _set_target_properties(self, command: Command) -> Iterator[Finding]:
        yield from self._properties(command)

    def _set_property(self, command: Command) -> Iterator[Finding]:
        yield from self._properties(command)

    def _set_source_files_properties(self, command: Command) -> Iterator[Finding]:
        yield from self._properties(command)

    def _properties(self, command: Command) -> Iterator[Finding]:
        for name, value in zip(command.args, (*command.args[1:], None), strict=True):
            new = PROPERTIES.get(name.value)
            if new:
                span = self.span(name.start, name.end)
                finding = edited("build-language", span, new, f"`{name.value}` is `{new}` for HIP")
                if new == "HIP_ARCHITECTURES" and value is not None:
                    edit = Edit(self.span(value.start, value.end), b'"${CMAKE_HIP_ARCHITECTURES}"')
                    rest = command.args[command.args.index(value) + 1 :]
                    more = command.name == "set_property" and rest
                    if more:  # set_property takes a list: one value of all
                        edit = Edit(self.span(value.start, rest[-1].end), edit.text)
                    finding = _with(finding, edit)
                yield finding
            elif name.value in {"LANGUAGE", "LINKER_LANGUAGE"} and value is not None and value.value == "CUDA":
                span = self.span(value.start, value.end)
                yield edited("build-language", span, "HIP", "the sources' language is HIP")
            elif name.value in LEFT and name.value.isidentifier() and value is not None and value.value not in _OFF:
                span = self.span(name.start, name.end)
                yield left("build-language", span, f"`{name.value}` has no counterpart with HIP", LEFT[name.value])

    def _set(self, command: Command) -> Iterator[Finding]:
        if not command.args or command.args[0].value != "CMAKE_CUDA_ARCHITECTURES":
            return
        values = command.args[1:]
        if any("CMAKE_CUDA_ARCHITECTURES" in a.value for a in values):
            return
        stop = next((i for i, a in enumerate(values) if a.text in {"CACHE", "PARENT_SCOPE"}), len(values))
        if stop:
            span = self.span(values[0].start, values[stop - 1].end)
            new = f'"{";".join(self.config.targets)}"'
            yield edited("build-arch", span, new, "the AMD targets")

    def _list(self, command: Command) -> Iterator[Finding]:
        values = command.values()
        if len(values) > 2 and values[1] == "CMAKE_CUDA_ARCHITECTURES" and values[0] in {"APPEND", "PREPEND"}:
            span = self.span(command.args[1].end, command.args[-1].end)
            yield edited("build-arch", span, "", "an NVIDIA architecture: the AMD targets are set before", review=True)
        elif len(values) > 1 and values[1] == "CMAKE_CUDA_ARCHITECTURES":
            message = f"`list({values[0]})` of architectures: their numbers mean nothing for AMD GPUs"
            span = self.span(command.start, command.end)
            yield left("build-arch", span, message, "decide by the names in CMAKE_HIP_ARCHITECTURES, or leave it out")

    def _compared(self, command: Command) -> Iterator[Finding]:
        """Conditions that compare architectures with numbers of NVIDIA's."""
        values = command.values()
        if any("CMAKE_CUDA_ARCHITECTURES" in v for v in values) and _COMPARISONS & set(values):
            span = self.span(command.start, command.end)
            step = "decide by the names in CMAKE_HIP_ARCHITECTURES, or leave it out"
            yield left("build-arch", span, "a comparison of architectures: NVIDIA's numbers mean nothing for AMD", step)

    # names inside of arguments

    def _named(self, command: Command) -> Iterator[tuple[Finding, Arg]]:
        """Variables, targets and languages in the arguments, each with its argument."""
        condition = command.name in _CONDITIONS
        for index, arg in enumerate(command.args):
            for finding in self._references(command, arg):
                yield finding, arg
            bare = (index == 0 and command.name in {"set", "unset"}) or (
                command.name in {"list", "string"} and index == 1
            )
            if (bare or condition) and (finding_ := self._bare(command, arg, condition=condition)):
                yield finding_, arg
            yield from ((f, arg) for f in self._targets(command, arg))

    def variable(self, name: str) -> str:
        """The variable that stands for one of CUDA's here, or nothing."""
        return "" if self.own_flags and name.startswith("CUDA_NVCC_FLAGS") else variable(name)

    def _bare(self, command: Command, arg: Arg, *, condition: bool) -> Finding | None:
        name = arg.value
        span = self.span(arg.start, arg.end)
        new = self.variable(name)
        if name in {"CUDA_FOUND", "CUDAToolkit_FOUND"} and condition and self.config.style is Style.DUAL:
            return edited("build-language", span, f"({name} OR hip_FOUND)", "the condition also holds for HIP")
        if new and not (name in self.set_here and new in {"hip_INCLUDE_DIRS", "hip_FOUND"}):
            if condition and self.config.style is Style.DUAL:
                return None
            if name.startswith("CUDA_NVCC_FLAGS") and not condition:
                return None  # the whole command is written anew
            return edited("build-language", span, new, f"`{name}` is `{new}` for HIP")
        if name in LEFT and name.isidentifier() and (condition or command.name == "set"):
            return left("build-language", span, f"`{name}` has no counterpart with HIP", LEFT[name])
        if condition and name == "NVIDIA" and any("CUDA_COMPILER_ID" in v for v in command.values()):
            return (
                None if self.config.style is Style.DUAL else edited("build-language", span, '"Clang"', "HIP's compiler")
            )
        return None

    def _references(self, command: Command, arg: Arg) -> Iterator[Finding]:
        for match in _REF.finditer(arg.text):
            name = match[1]
            span = self.span(arg.start + match.start(), arg.start + match.end())
            library = library_variable(name)
            new = self.variable(name)
            if name in self.set_here and not (new.startswith("CMAKE_HIP") if new else False):
                continue
            if library:
                yield self._linked(command, span, library, name)
            elif new:
                if command.name in _CONDITIONS and self.config.style is Style.DUAL:
                    continue
                text = f"${{{new}}}"
                if not (name.startswith("CUDA_NVCC_FLAGS") and command.name in {"set", "list"}):
                    yield edited("build-language", span, text, f"`{name}` is `{new}` for HIP")
            elif name in LEFT:
                yield left("build-language", span, f"`{name}` has no counterpart with HIP", LEFT[name])

    def _targets(self, command: Command, arg: Arg) -> Iterator[Finding]:
        for match in _TARGET.finditer(arg.text):
            span = self.span(arg.start + match.start(), arg.start + match.end())
            name = TARGETS.get(match[1], match[1])
            yield self._linked(command, span, name or "cudart", match[0])
        for head in _GENEX_HEAD.finditer(arg.text):
            for match in _LANGUAGE.finditer(arg.text, head.start(), head.end()):
                span = self.span(arg.start + match.start(), arg.start + match.end())
                yield edited("build-language", span, "HIP", "the sources' language is HIP")
            if "NVIDIA" in head[0]:
                at = arg.start + arg.text.index("NVIDIA", head.start())
                yield edited("build-language", self.span(at, at + 6), "Clang", "HIP's compiler is clang")

    def _linked(self, command: Command, span: Span, library: str, written: str) -> Finding:
        """A library of CUDA where it is linked."""
        found = linked(library)
        if found is None:
            known = flags.table().libraries.get(library)
            step = known.note if known and known.note else "find its counterpart, or leave it out"
            return left("build-library", span, f"`{written}` has no counterpart target in ROCm", step)
        target, package = found
        finding = edited("build-library", span, target, f"`{written}` is `{target}` in ROCm")
        if command.name in _CONDITIONS or package == "hip":
            return finding
        return _with(finding, *self.package(command, package))

    # sources

    def _sources(self, command: Command) -> Iterator[Finding]:
        kept: list[str] = []
        for arg in command.args:
            new = self.sources.new_name(arg.value)
            inner = arg.start + arg.text.index(arg.value) if arg.value else arg.start
            if new is not None:
                span = self.span(inner, inner + len(arg.value))
                yield edited("build-source", span, new, f"`{arg.value}` is ported to `{new}`")
            elif self.sources.uniform and re.search(r"[*}]\.cu(?!\w)|^\.cu$|\\\.cu\$", arg.value):
                for match in SUFFIX.finditer(arg.value):
                    span = self.span(inner + match.start(), inner + match.end())
                    yield edited("build-source", span, ".hip", "ported sources end in `.hip`")
            elif arg.value.endswith(".cu") and "*" not in arg.value:
                kept.append(arg.text)
        yield from self._kept(command, kept)

    def _kept(self, command: Command, kept: list[str]) -> Iterator[Finding]:
        """Sources that keep their `.cu` names are told to be HIP."""
        if (command.name in _ADDING and kept) or (command.name == "set" and kept and len(command.args) > 1):
            line = f"set_source_files_properties({' '.join(kept)} PROPERTIES LANGUAGE HIP)"
        elif command.name == "file" and self._globs(command):
            name = command.args[1].value
            pad = self.pad(command)
            line = (
                f"set(hip_sources ${{{name}}})\n{pad}"
                f'list(FILTER hip_sources INCLUDE REGEX "\\\\.cu$")\n{pad}'
                "set_source_files_properties(${hip_sources} PROPERTIES LANGUAGE HIP)"
            )
        else:
            return
        if self._told(command):
            return
        edit = self.after(command, line)
        span = self.span(command.start, command.end)
        finding = edited("build-source", edit.span, edit.text.decode("latin-1"), "these `.cu` sources are HIP")
        yield Finding(finding.rule, span, finding.message, finding.safety, finding.status, "build", edits=finding.edits)

    def _globs(self, command: Command) -> bool:
        values = command.values()
        pattern = any(re.search(r"\*\.cu$", v) for v in values)
        return len(values) > 1 and values[0].startswith("GLOB") and pattern and not self.sources.uniform

    def _told(self, command: Command) -> bool:
        """Whether the next command tells the sources' language already."""
        after = self.text[command.end : command.end + 400].lstrip()
        return after.startswith(("set_source_files_properties", "set(hip_sources"))

    # places

    def pad(self, command: Command) -> str:
        """The blanks before the line of a command."""
        line = self.text.rfind("\n", 0, command.start) + 1
        return re.match(r"[ \t]*", self.text[line : command.start])[0]  # type: ignore[index]  # an empty match is a match

    def package(self, command: Command, name: str) -> tuple[Edit, ...]:
        """A package found before a command, and where ROCm lies before the first one."""
        line = f"find_package({name} REQUIRED)"
        if not self._prefixed and PREFIX not in self.text:
            self._prefixed = True
            line = f"{PREFIX}\n{self.pad(command)}{line}"
        return (self.before(command, line),)

    def prefix(self, command: Command) -> tuple[Edit, ...]:
        """Where ROCm's packages lie, said once a file."""
        if self._prefixed or PREFIX in self.text:
            return ()
        self._prefixed = True
        return (self.before(command, PREFIX),)

    def before(self, command: Command, line: str) -> Edit:
        """A line of its own before a command."""
        at = self.text.rfind("\n", 0, command.start) + 1
        if self.text[at : command.start].strip():
            at = command.start
        end = "\r\n" if "\r\n" in self.text[:4096] else "\n"
        return Edit(self.span(at, at), f"{self.pad(command)}{line}{end}".encode("latin-1"))

    def after(self, command: Command, line: str) -> Edit:
        """A line of its own after a command."""
        end = "\r\n" if "\r\n" in self.text[:4096] else "\n"
        return Edit(self.span(command.end, command.end), f"{end}{self.pad(command)}{line}".encode("latin-1"))


def _with(finding: Finding, *edits: Edit) -> Finding:
    return finding._replace(edits=(*edits, *finding.edits))

"""Compiler and linker words: what each word of an nvcc command becomes for clang and hipcc (rules/flags.yaml)."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from hipport.errors import DataError
from hipport.model import Safety
from hipport.resources import data_dir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_JOINED = "DUIlLOt"  # one-letter options whose value may follow without a space
_ARCHITECTURE = re.compile(r"arch=|code=|(?:sm|compute|lto)_|\[|native|all|[^A-Za-z]*\$|\d")
_ACTIONS = {"keep", "rename", "drop", "manual"}
_HANDLED = {
    *("architecture", "cudart", "define", "fatbin", "language", "library", "linker", "ptxas", "unpack", "werror"),
}


@dataclass(frozen=True, slots=True)
class Option:
    """One option of nvcc or of clang's CUDA mode, as rules/flags.yaml has it."""

    names: tuple[str, ...]
    value: str
    action: str
    hip: tuple[str, ...]
    by_value: Mapping[str, tuple[str, ...]]
    safety: Safety
    shared: bool
    note: str


@dataclass(frozen=True, slots=True)
class Library:
    """A CUDA library: `hip` is the name to link (empty: none is needed), with its CMake package and target."""

    hip: str
    package: str
    target: str
    manual: bool
    note: str


@dataclass(frozen=True, slots=True)
class Table:
    """rules/flags.yaml, by spelling."""

    options: Mapping[str, Option]
    macros: Mapping[str, str]
    device_macros: Mapping[str, str]
    libraries: Mapping[str, Library]


class Change(NamedTuple):
    """`old[first:last]` of a command's words becomes `words`; MANUAL changes nothing and says what to do."""

    first: int
    last: int
    words: tuple[str, ...]
    safety: Safety
    message: str
    next_step: str = ""


@functools.cache
def table() -> Table:
    """The table, read once.

    Raises:
        DataError: an entry does not fit the schema.
    """
    path = data_dir("rules") / "flags.yaml"
    raw = yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - safe loaders
    options: dict[str, Option] = {}
    for section in ("options", "unlisted", "clang"):
        for entry in raw[section]:
            option = _option(entry, str(path))
            for name in option.names:
                if name in options:
                    raise DataError(f"`{name}` is listed twice", where=str(path))
                options[name] = option
    libraries = {
        name: Library(e["hip"], e.get("package", ""), e.get("target", ""), bool(e.get("manual")), e.get("note", ""))
        for name, e in raw["libraries"].items()
    }
    return Table(options, raw["macros"], raw["device_macros"], libraries)


def _option(entry: Mapping[str, Any], where: str) -> Option:
    known = {"names", "value", "action", "hip", "map", "safety", "shared", "note"}
    action = entry["action"]
    if set(entry) - known or action not in _ACTIONS | _HANDLED:
        raise DataError(f"{entry['names'][0]}: unknown key or action", where=where)
    by_value = {str(key): tuple(words) for key, words in entry.get("map", {}).items()}
    return Option(
        names=tuple(entry["names"]),
        value=entry["value"],
        action=action,
        hip=tuple(entry.get("hip", ())),
        by_value=by_value,
        safety=Safety.MANUAL if action == "manual" else Safety(entry.get("safety", "safe")),
        shared=bool(entry.get("shared")),
        note=entry.get("note", ""),
    )


class Use(NamedTuple):
    """An option as a command uses it: `old[first:last]` with its value, quotes removed."""

    option: Option
    name: str
    value: str
    first: int
    last: int


def unquoted(word: str) -> str:
    """The word without the quotes around it or around a value: `"-a,-b"` and `-D"X"` -> `-a,-b`, `-DX`."""
    return word.replace('"', "").replace("'", "").replace("\\", "") if '"' in word or "'" in word else word


def uses(words: Sequence[str], *, owned: bool) -> Iterator[Use]:
    """The options among a command's words.

    Args:
        words: the words as written, quotes included.
        owned: the words are nvcc's. Otherwise options that gcc and clang have too are passed over.
    """
    options = table().options
    index = 0
    while index < len(words):
        use = _use(words, index, options)
        index = max(index + 1, use.last if use else 0)
        if use and (owned or not use.option.shared or use.option.action in {"library", "define"}) and _nvidia(use):
            yield use


def _nvidia(use: Use) -> bool:
    """Whether an architecture option names a GPU: Apple's compilers have `-arch arm64`."""
    return use.option.action != "architecture" or not use.value or _ARCHITECTURE.match(use.value) is not None


def _use(words: Sequence[str], index: int, options: Mapping[str, Option]) -> Use | None:
    word = unquoted(words[index])
    if not word.startswith("-"):
        return None
    option = options.get(word)
    if option is not None:
        if option.value == "none":
            return Use(option, word, "", index, index + 1)
        follower = unquoted(words[index + 1]) if index + 1 < len(words) else ""
        if option.value == "bool" and follower not in {"true", "false"}:
            return Use(option, word, "true", index, index + 1)
        if not follower or (follower.startswith("-") and not _takes_options(option)):
            return Use(option, word, "", index, index + 1)
        return Use(option, word, follower, index, index + 2)
    name, equals, value = word.partition("=")
    option = options.get(name)
    if equals and value and option is not None and option.value != "none":
        return Use(option, name, value, index, index + 1)
    option = options.get(word[:2])
    if option is not None and word[1] in _JOINED and not word.startswith("--"):
        return Use(option, word[:2], word[2:], index, index + 1)
    return None


def _takes_options(option: Option) -> bool:
    return option.action in {"unpack", "linker", "ptxas", "fatbin"} or option.names[0].startswith(("-X", "--nvlink"))


def translate(
    words: Sequence[str], *, targets: Sequence[str], owned: bool, keep_arch: bool = True, arch: str = ""
) -> Iterator[Change]:
    """What becomes of a command's words; words that stay give nothing.

    Args:
        words: the words as written, quotes included.
        targets: the gfx targets that an architecture option becomes.
        owned: the words are nvcc's (see `uses`).
        keep_arch: False where the build system names the targets itself (CMake, torch).
        arch: what `--offload-arch=` gets instead of the targets, if anything.
    """
    seen: set[str] = set()
    offload = tuple(f"--offload-arch={t}" for t in ([arch] if arch else targets)) if keep_arch else ()
    for use in uses(words, owned=owned):
        new = _becomes(use, offload, owned=owned)
        old = tuple(words[use.first : use.last])
        if use.option.action in {"architecture", "rename"} and set(new) <= seen:
            new = ()
        seen |= set(new)
        if use.option.action == "unpack" and use.value.startswith("/"):
            step = "clang-cl takes it; clang's other drivers do not"
            yield Change(use.first, use.last, old, Safety.MANUAL, f"`{' '.join(old)}` is an option of MSVC", step)
        elif use.option.safety is Safety.MANUAL:
            message = f"`{' '.join(old)}` has no mechanical counterpart for AMD GPUs"
            yield Change(use.first, use.last, old, Safety.MANUAL, message, use.option.note)
        elif change := _change(use, old, new, keep_arch=keep_arch):
            yield change


def _change(use: Use, old: tuple[str, ...], new: tuple[str, ...], *, keep_arch: bool) -> Change | None:
    library = table().libraries.get(use.value) if use.option.action == "library" else None
    if library is not None and library.manual:
        message = f"`{' '.join(old)}`: {library.note}"
        return Change(use.first, use.last, old, Safety.MANUAL, message, f"then link `{library.hip or 'nothing'}`")
    if new == old or (use.option.action == "keep" and _natural(use, old)):
        return None
    note = (library.note if library else "") or use.option.note
    if use.option.action == "architecture" and not keep_arch:
        note = "the build system names the AMD targets"
    if use.option.action == "ptxas":
        note = "options of NVIDIA's assembler"
    tail = f": {note}" if note else ""
    verb = f"becomes `{' '.join(new)}`" if new else "is dropped"
    return Change(use.first, use.last, new, use.option.safety, f"`{' '.join(old)}` {verb}{tail}")


def _natural(use: Use, old: tuple[str, ...]) -> bool:
    """Whether clang reads a kept option as it is written: its short name, and a value where clang takes it."""
    if use.name != use.option.names[-1]:
        return False
    form = use.option.hip[0] if use.option.hip else ""
    return "=" not in old[0] if len(old) == 1 else "=" not in form and not form.startswith("-O")


def _becomes(use: Use, offload: tuple[str, ...], *, owned: bool) -> tuple[str, ...]:
    option, value = use.option, use.value
    if option.action in {"keep", "rename"}:
        words = option.by_value.get(value, option.hip) if option.by_value else option.hip
        return tuple(word.replace("{value}", value) for word in words)
    if option.action in {"drop", "manual"}:
        return ()
    if option.action == "architecture":
        return offload
    if option.action in {"cudart", "language", "werror"}:
        parts = value.split(",") if option.action == "werror" else [value]
        default = ("-x", value) if option.action == "language" else (f"-Werror={value}",) if value else ("-Werror",)
        return tuple(word for part in parts for word in option.by_value.get(part, default))
    if option.action in {"library", "define"}:
        return _named(use, owned=owned)
    return _phase(option.action, value)


def _named(use: Use, *, owned: bool) -> tuple[str, ...]:
    """-l, -D and -U: the name decides."""
    if use.option.action == "library":
        library = table().libraries.get(use.value)
        if library is None:
            return (f"-l{use.value}",)
        return (f"-l{library.hip}",) if library.hip else ()
    name, equals, rest = use.value.partition("=")
    renamed = table().macros.get(name, name)
    flag = use.option.names[-1]
    if owned and flag == "-D" and name in table().device_macros:
        return (table().device_macros[name],)
    return (f"{flag}{renamed}{equals}{rest}",) if renamed else ()


def _phase(action: str, value: str) -> tuple[str, ...]:
    """-Xcompiler, -Xlinker, -Xptxas and -Xfatbin."""
    parts = split_list(value)
    if action == "unpack":
        return parts
    if action == "linker":
        return (f"-Wl,{','.join(parts)}",)
    if action == "ptxas":
        return ("-Rpass-analysis=kernel-resource-usage",) if {"-v", "--verbose"} & set(parts) else ()
    return ("--offload-compress",) if "-compress-all" in parts else ()


def split_list(value: str) -> tuple[str, ...]:
    """A list of nvcc, split at its commas (and blanks): not inside `$(...)`, and `-Wl,...` is one part."""
    if value.startswith("-Wl,"):
        return tuple(value.split())
    parts, depth, start = [], 0, 0
    for index, char in enumerate(value):
        depth += (char in "({") - (char in ")}")
        if depth == 0 and (char in ", \t"):
            parts.append(value[start:index])
            start = index + 1
    parts.append(value[start:])
    return tuple(part for part in parts if part)


def replaced(words: Sequence[str], changes: Sequence[Change]) -> list[str]:
    """The words after those changes."""
    out: list[str] = []
    at = 0
    for change in changes:
        out += words[at : change.first]
        out += change.words
        at = change.last
    return out + list(words[at:])


@dataclass(frozen=True, slots=True)
class Answer:
    """What `hipport explain` says of one option or library: `becomes` has the value's place as VALUE."""

    names: tuple[str, ...]
    becomes: str
    safety: Safety
    note: str


def explain(word: str) -> Answer | None:
    """What an option (`--use_fast_math`, `-gencode`, `-rdc=true`), a macro or a library (`-lcublas`) becomes."""
    use = next(uses([word], owned=True), None)
    if use is None:
        return None
    option = use.option
    if use.value and option.action == "library" and (library := table().libraries.get(use.value)):
        safety = Safety.MANUAL if library.manual else Safety.SAFE
        return Answer((word,), f"-l{library.hip}" if library.hip else "", safety, library.note)
    given = use.value or "VALUE"
    new = _becomes(Use(option, use.name, given, 0, 1), ("--offload-arch=gfx...",), owned=True)
    if option.by_value and "=" not in word:
        new = tuple(f"{key}: {' '.join(words) or 'dropped'};" for key, words in option.by_value.items())
    return Answer(option.names, " ".join(new).rstrip(";"), option.safety, option.note)

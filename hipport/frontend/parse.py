"""One file -> Tree, by libclang, with a prelude in place of CUDA's, the standard library's and PyTorch's headers.

Nothing is read from disk but the prelude: the file and the tree's headers that it includes come from memory. An include
that the tree has no file for is answered by the prelude, or on request by the system's headers. All text stays at its
offset.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import tempfile
from ctypes import byref, c_char_p, c_void_p
from pathlib import Path
from typing import TYPE_CHECKING

from hipport import cachedir
from hipport.frontend import libclang, system
from hipport.frontend.tree import EMPTY
from hipport.frontend.walk import Walker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipport.frontend.libclang import Library
    from hipport.frontend.tree import Tree

PRELUDE = Path(__file__).with_name("prelude")
_PARTS = ("core.h", "types.h", "std.h", "libraries.h")
_SYSTEM_PARTS = ("core.h", "types.h", "system.h", "libraries.h")
_INCLUDE = re.compile(rb'^([ \t]*#[ \t]*(?:include|include_next|import)[ \t]*)([<"])([^>"\n]*)([>"])', re.MULTILINE)
_TORCH = re.compile(rb"\btorch[/:]|\bATen/|\bc10[/:]|\bat::|\bAT_DISPATCH")
_KEEP_GOING = 0x200
_FOR_SERIALIZATION = 0x04
_ARGUMENTS = (
    *("-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib"),
    *(
        "--cuda-path=/nonexistent",
        "-nostdinc",
        "-nostdinc++",
        "-ferror-limit=0",
        "-Wno-everything",
        "-fno-spell-checking",
    ),
)
_NEWER = re.compile(r"-std=(?:c|gnu)\+\+(2[0-9a-z])")
_NAMED = {"2a": "20", "2b": "23", "2c": "26"}
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def prepared(data: bytes, answer: Mapping[str, str], *, system_headers: bool = False) -> bytes:
    """The text with each include pointing into memory, or blanked; as long as before.

    `answer` maps an include operand to the short name of a file in memory. With `system_headers` the includes of the
    system stay.
    """

    def replace(match: re.Match[bytes]) -> bytes:
        head, _, operand, _ = match.groups()
        name = answer.get(operand.decode("utf-8", "replace"))
        if name is None or len(name) > len(operand):
            stays = system_headers and system.has(operand.decode("utf-8", "replace"))
            return match.group() if stays else b" " * len(match.group())
        return head + b'"' + name.encode() + b'"' + b" " * (len(operand) - len(name))

    return _INCLUDE.sub(replace, data)


def short_names(count: int) -> list[str]:
    """Names of files in memory, absolute and of two or three characters, so that they fit over any include operand."""
    names = ["/" + a for a in _DIGITS]
    names += ["/" + a + b for a in _DIGITS for b in _DIGITS]
    return names[:count]


def parse(
    data: bytes,
    headers: Mapping[str, bytes],
    focus: str = "",
    words: tuple[str, ...] = (),
    *,
    system_headers: bool = False,
) -> Tree:
    """What clang sees of `data`, or of the header `focus` as it is included there; empty without libclang.

    `headers` are the files in memory by short name, `words` the file's own `-D`, `-U`, `-std=` and `-include/NAME` of a
    file in memory.
    """
    library = libclang.load()
    if library is None:
        return EMPTY
    standard = _standard(words)
    arguments = [*_arguments(standard, system_headers=system_headers)]
    arguments += [*_prelude(library, standard, system_headers=system_headers), *_usable(words)]
    if _TORCH.search(data) or any(_TORCH.search(text) for text in headers.values()):
        arguments += ["-include", str(PRELUDE / "torch.h")]
    files = {"/m.cu": data, **headers}
    unit = _translated(library, "/m.cu", arguments, files, _KEEP_GOING)
    if unit is None:
        return EMPTY
    try:
        return Walker(library, unit, (focus or "/m.cu").encode(), files).tree()
    finally:
        library.call.clang_disposeTranslationUnit(unit)


def _usable(words: tuple[str, ...]) -> list[str]:
    """The words of a compilation that are given to clang: macros, and files in memory that come first."""
    return [word for word in words if word.startswith(("-D", "-U", "-include/"))]


def _standard(words: tuple[str, ...]) -> str:
    """The C++ standard of a compilation; the prelude needs C++17, which reads what is older."""
    asked = [found.group(1) for word in words if (found := _NEWER.fullmatch(word))]
    return f"c++{_NAMED.get(asked[-1], asked[-1])}" if asked else "c++17"


def _arguments(standard: str, *, system_headers: bool) -> tuple[str, ...]:
    """What clang is called with for every file."""
    if not system_headers:
        return (*_ARGUMENTS, f"-std={standard}")
    places = (word for folder in system.folders() for word in ("-isystem", folder))
    return (*_ARGUMENTS, f"-std={standard}", "-DHIPPORT_SYSTEM", *places)


def _translated(
    library: Library, name: str, arguments: list[str], files: Mapping[str, bytes], options: int
) -> c_void_p | None:
    unsaved = (libclang.Unsaved * len(files))()
    for slot, (path, text) in zip(unsaved, files.items(), strict=True):
        slot.name, slot.contents, slot.length = path.encode(), text, len(text)
    argv = (c_char_p * len(arguments))(*(a.encode() for a in arguments))
    unit = c_void_p()
    failed = library.call.clang_parseTranslationUnit2(
        _index(), name.encode(), argv, len(arguments), unsaved, len(files), options, byref(unit)
    )
    return None if failed else unit


@functools.cache
def _index() -> int:
    library = libclang.load()
    assert library is not None  # noqa: S101  only asked once it is there
    return int(library.call.clang_createIndex(1, 0))


@functools.cache
def fingerprint(*, system_headers: bool = False) -> bytes:
    """What a parse depends on apart from its files: the prelude, the arguments, libclang, the system's headers."""
    library = libclang.load()
    version = library.version if library else ""
    torch = (PRELUDE / "torch.h").read_bytes()
    there = system.version() if system_headers else ""
    return (
        prelude_text(system_headers=system_headers)
        + torch
        + version.encode()
        + repr(_ARGUMENTS).encode()
        + there.encode()
    )


@functools.cache
def prelude_text(*, system_headers: bool = False) -> bytes:
    """The prelude as one header."""
    parts = _SYSTEM_PARTS if system_headers else _PARTS
    return b"".join((PRELUDE / part).read_bytes().replace(b"#pragma once", b"") for part in parts)


@functools.cache
def _prelude(library: Library, standard: str, *, system_headers: bool) -> tuple[str, ...]:
    """How the prelude is given to clang: precompiled in the cache folder, or as text where nothing can be written."""
    folder = cachedir.writable()
    if folder is not None:
        key = hashlib.sha256(fingerprint(system_headers=system_headers) + standard.encode()).hexdigest()[:24]
        compiled = folder / f"prelude-{key}.pch"
        if compiled.is_file() or _precompile(library, compiled, standard, system_headers=system_headers):
            return ("-Xclang", "-fno-validate-pch", "-include-pch", str(compiled))
    parts = _SYSTEM_PARTS if system_headers else _PARTS
    return tuple(word for part in parts for word in ("-include", str(PRELUDE / part)))


def _precompile(library: Library, target: Path, standard: str, *, system_headers: bool) -> bool:
    cachedir.tidy()
    arguments = [*_arguments(standard, system_headers=system_headers)]
    text = prelude_text(system_headers=system_headers)
    unit = _translated(library, "/p.h", arguments, {"/p.h": text}, _KEEP_GOING | _FOR_SERIALIZATION)
    if unit is None:
        return False
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".prelude-")
        os.close(handle)
        if library.call.clang_saveTranslationUnit(unit, temporary.encode(), 0):
            Path(temporary).unlink()
            return False
        Path(temporary).replace(target)
    except OSError:
        return False
    finally:
        library.call.clang_disposeTranslationUnit(unit)
    return True

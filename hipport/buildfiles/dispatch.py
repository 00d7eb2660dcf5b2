"""From a kind of build file to its reader, imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import cast

from hipport.buildfiles.kinds import BuildKind
from hipport.config import Config
from hipport.model import Finding, SourceFile

Reader = Callable[[SourceFile, Config, Mapping[str, str]], Iterable[Finding]]

_READERS: dict[BuildKind, str] = {
    BuildKind.PYTHON: "python_build",
    BuildKind.CMAKE: "cmake",
    BuildKind.MAKE: "makefile",
    BuildKind.PROJECT: "lines",
    BuildKind.IMAGE: "lines",
    BuildKind.MESON: "lines",
    BuildKind.BAZEL: "lines",
    BuildKind.COMPILE_COMMANDS: "editor",
    BuildKind.CLANGD: "editor",
}


def reader(kind: BuildKind) -> Reader | None:
    """The `find` of the module that reads that kind, or None."""
    if kind is BuildKind.NONE or kind not in _READERS:
        return None
    return cast("Reader", import_module(f"hipport.buildfiles.{_READERS[kind]}").find)

"""Which kind of build file a path is, by its name alone."""

from __future__ import annotations

from enum import Enum
from posixpath import basename, splitext


class BuildKind(Enum):
    """A kind of build file; each has one reader."""

    NONE = "none"
    PYTHON = "python"
    PROJECT = "project"  # pyproject.toml, setup.cfg, requirements: dependencies and settings
    CMAKE = "cmake"
    MAKE = "make"
    MESON = "meson"
    BAZEL = "bazel"
    IMAGE = "image"  # Dockerfile and CI: lines that name CUDA images or packages
    COMPILE_COMMANDS = "compile_commands"
    CLANGD = "clangd"


_NAMES = {
    "cmakelists.txt": BuildKind.CMAKE,
    "makefile": BuildKind.MAKE,
    "gnumakefile": BuildKind.MAKE,
    "pyproject.toml": BuildKind.PROJECT,
    "setup.cfg": BuildKind.PROJECT,
    "environment.yml": BuildKind.PROJECT,
    "environment.yaml": BuildKind.PROJECT,
    "meson.build": BuildKind.MESON,
    "meson_options.txt": BuildKind.MESON,
    "meson.options": BuildKind.MESON,
    "build": BuildKind.BAZEL,
    "build.bazel": BuildKind.BAZEL,
    "workspace": BuildKind.BAZEL,
    "workspace.bazel": BuildKind.BAZEL,
    "module.bazel": BuildKind.BAZEL,
    ".bazelrc": BuildKind.BAZEL,
    "dockerfile": BuildKind.IMAGE,
    "containerfile": BuildKind.IMAGE,
    "jenkinsfile": BuildKind.IMAGE,
    ".gitlab-ci.yml": BuildKind.IMAGE,
    ".travis.yml": BuildKind.IMAGE,
    "azure-pipelines.yml": BuildKind.IMAGE,
    "appveyor.yml": BuildKind.IMAGE,
    "docker-compose.yml": BuildKind.IMAGE,
    "docker-compose.yaml": BuildKind.IMAGE,
    "compose.yml": BuildKind.IMAGE,
    "compose.yaml": BuildKind.IMAGE,
    "compile_commands.json": BuildKind.COMPILE_COMMANDS,
    ".clangd": BuildKind.CLANGD,
}
_SUFFIXES = {
    ".py": BuildKind.PYTHON,
    ".cmake": BuildKind.CMAKE,
    ".mk": BuildKind.MAKE,
    ".mak": BuildKind.MAKE,
    ".bzl": BuildKind.BAZEL,
    ".bazel": BuildKind.BAZEL,
    ".dockerfile": BuildKind.IMAGE,
}
_CI_FOLDERS = (".github/workflows/", ".circleci/", ".gitlab/", ".buildkite/", ".ci/", ".devcontainer/")


def kind_of(path: str) -> BuildKind:
    """The kind of the file at that POSIX path."""
    name = basename(path).lower()
    if name in _NAMES:
        # Bazel's BUILD is upper case: a file `build` is a script or a program
        return BuildKind.NONE if name in {"build", "workspace"} and not basename(path).isupper() else _NAMES[name]
    stem, suffix = splitext(name)
    if stem == "requirements" or (name.startswith("requirements") and suffix in {".txt", ".in"}):
        return BuildKind.PROJECT
    if stem in {"dockerfile", "makefile", "containerfile"}:
        return BuildKind.MAKE if stem == "makefile" else BuildKind.IMAGE
    if suffix in {".yml", ".yaml"}:
        return BuildKind.IMAGE if any(f"/{folder}" in f"/{path}" for folder in _CI_FOLDERS) else BuildKind.NONE
    return _SUFFIXES.get(suffix, BuildKind.NONE)

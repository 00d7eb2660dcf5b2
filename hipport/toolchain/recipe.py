"""rules/toolchain.yaml -> what to fetch, with the checksums of the versions that were tried."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hipport.errors import DataError, HipportError
from hipport.resources import data_dir

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Package:
    """A package to fetch.

    `name` may hold NN, an LLVM major version; `sha256` is keyed by architecture or file name. Of a wheel, `unpack` says
    which of its folders goes where below the prefix's root, and `native` whether it must be this machine's.
    """

    name: str
    required: bool
    gives: str
    recorded_name: str
    version: str
    sha256: Mapping[str, str]
    native: bool = True
    unpack: tuple[tuple[str, str], ...] = ()

    def named(self, major: int) -> str:
        """The name for that LLVM major version."""
        return self.name.replace("NN", str(major))


@dataclass(frozen=True, slots=True)
class Recipe:
    """Both routes. Debian: `headers` from `suites`, `compiler` from the machine's own suites. PyPI: `wheels`."""

    suites: tuple[str, ...]
    oldest_clang: int
    headers: tuple[Package, ...]
    compiler: tuple[Package, ...]
    wheels: tuple[Package, ...]
    wheel_python: str
    wheel_platforms: tuple[str, ...]
    code_by_header: Mapping[str, str]


def load_recipe(path: Path | None = None) -> Recipe:
    """The recipe of rules/toolchain.yaml.

    Raises:
        DataError: it does not fit.
    """
    import yaml

    path = path or data_dir("rules") / "toolchain.yaml"
    try:
        value = yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
        debian, pypi = value["debian"], value["pypi"]
        return Recipe(
            tuple(debian["suites"]),
            int(debian["oldest_clang"]),
            tuple(_package(row) for row in debian["headers"]),
            tuple(_package(row) for row in debian["compiler"]),
            tuple(_package(row) for row in pypi["wheels"]),
            str(pypi["python"]),
            tuple(pypi["platforms"]),
            dict(value["code_by_header"]),
        )
    except (yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"does not fit its schema: {error!r}", where=str(path)) from error


def _package(row: Mapping[str, Any]) -> Package:
    recorded = row["recorded"]
    return Package(
        str(row["name"]),
        bool(row.get("required", False)),
        str(row.get("gives", "")),
        str(recorded.get("name", row["name"])),
        str(recorded["version"]),
        dict(recorded["sha256"]),
        bool(row.get("native", True)),
        tuple(dict(row.get("unpack", {})).items()),
    )


def lacking(recipe: Recipe, include: Path) -> tuple[str, ...]:
    """What code cannot be compiled because `include` has no header for it."""
    return tuple(
        f"{what} (no {header})" for header, what in recipe.code_by_header.items() if not (include / header).is_file()
    )


def file_sha256(path: Path) -> str:
    """The sha256 of a file in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def verify(package: Package, name: str, version: str, key: str, path: Path) -> str:
    """Compare a fetched file with its record; gives a warning, or "" where all is as recorded.

    Args:
        package: the record.
        name: the package's real name.
        version: the version that was fetched.
        key: architecture (Debian) or file name (PyPI) under which the checksum is recorded.
        path: the file.

    Raises:
        HipportError: the version is the recorded one and the bytes are not.
    """
    if name != package.recorded_name or version != package.version:
        return (
            f"{name} {version} is not the recorded {package.recorded_name} {package.version}: taken, not verified by us"
        )
    expected = package.sha256.get(key)
    if expected is None:
        return f"{name} {version} has no recorded checksum for {key}: taken as the package manager verified it"
    if file_sha256(path) != expected:
        path.unlink()
        raise HipportError(
            f"{path.name} is not the file that was recorded for {name} {version}: its sha256 differs",
            next_step="it was deleted; run the command again, and if it repeats do not trust that package source",
        )
    return ""

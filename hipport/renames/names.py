"""rules/tables/*.tsv: which names, values and headers each ROCm release has, and where CUDA differs from them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from hipport.errors import HipportError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

HEADERS_OF = "7.2"  # the release whose headers were read
BINDINGS_OF = "10.0"  # the release whose Python bindings were read: names, signatures and values, of some headers only


class HipName(NamedTuple):
    """One name of the ROCm headers: `text` is a signature, a value, fields or an underlying type, by `kind`."""

    name: str
    kind: str
    header: str
    text: str


class HipNames(NamedTuple):
    """What the tables say. `added`, `gone` and `changed` compare the release of BINDINGS_OF with that of HEADERS_OF."""

    names: Mapping[str, HipName]
    files: frozenset[str]
    added: Mapping[str, HipName]
    gone: frozenset[str]
    differences: Mapping[str, str]  # CUDA name -> what differs from the HIP name of its rule
    changed: Mapping[str, str] = MappingProxyType({})  # HIP name -> its later value or signature


def load_names(folder: Path) -> HipNames:
    """The tables below `folder` (rules/)."""
    tables = folder / "tables"
    names, files = _read_table(_text(tables / f"rocm-{HEADERS_OF}.tsv"))
    added, gone, changed = _read_changes(_text(tables / f"rocm-{BINDINGS_OF}.tsv"))
    lines = _text(tables / "differences.tsv").splitlines()
    differences = dict(line.split("\t", 1) for line in lines if line and not line.startswith("#"))
    return HipNames(names, files, added, gone, differences, changed)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise HipportError(f"cannot read {path.name}: {error.strerror}", next_step="reinstall hipport") from error


def _read_table(text: str) -> tuple[dict[str, HipName], frozenset[str]]:
    names: dict[str, HipName] = {}
    files: set[str] = set()
    header = ""
    for line in text.splitlines():
        if line.startswith("["):
            header = line.strip("[]")
        elif header == "files":
            files.add(line)
        elif line and not line.startswith("#"):
            name, kind, *rest = line.split("\t")
            names[name] = HipName(name, kind, header, rest[0] if rest else "")
    return names, frozenset(files)


def _read_changes(text: str) -> tuple[dict[str, HipName], frozenset[str], dict[str, str]]:
    added: dict[str, HipName] = {}
    gone: set[str] = set()
    changed: dict[str, str] = {}
    for line in text.splitlines():
        sign, name, *rest = line[:1], *line[1:].split("\t")
        if sign == "-":
            gone.add(name)
        elif sign == "~":
            changed[name] = rest[1]
        elif sign == "+":
            added[name] = HipName(name, rest[0], "", rest[1] if len(rest) > 1 else "")
    return added, frozenset(gone), changed

"""`[[device]]` of hipport.toml: a name for a device of this or another machine, and how to reach it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hipport import config
from hipport.errors import DataError, UsageError

_KEYS = {"name", "device", "host", "ssh", "python"}


@dataclass(frozen=True, slots=True)
class Place:
    """A device and where it is. `host` is empty for this machine; `ssh` are words for ssh; `python` is the host's."""

    name: str
    device: str
    host: str = ""
    ssh: tuple[str, ...] = ()
    python: str = "python3"


def places(start: Path | None = None) -> tuple[Place, ...]:
    """The devices of the nearest configuration file.

    Raises:
        DataError: a [[device]] does not fit; with file and number.
    """
    path = config.find(start or Path())
    if path is None:
        return ()
    table = config.parsed(path.read_text(encoding="utf-8"), path)
    if path.name == "pyproject.toml":
        table = table.get("tool", {}).get("hipport", {})
    rows = table.get("device", [])
    if not isinstance(rows, list):
        raise DataError("devices are [[device]] tables", where=str(path))
    return tuple(_place(row, f"{path}: device {number}") for number, row in enumerate(rows, 1))


def _place(row: Any, where: str) -> Place:
    if not isinstance(row, dict) or set(row) - _KEYS:
        unknown = ", ".join(sorted(set(row) - _KEYS)) if isinstance(row, dict) else "it"
        raise DataError(f"unknown key {unknown}", where=where, next_step=f"the keys are {', '.join(sorted(_KEYS))}")
    texts = {
        key: row.get(key, default)
        for key, default in (("name", ""), ("device", ""), ("host", ""), ("python", "python3"))
    }
    ssh = row.get("ssh", [])
    if not all(isinstance(value, str) for value in texts.values()) or not isinstance(ssh, list):
        raise DataError("name, device, host and python are texts, ssh is a list of words", where=where)
    if not texts["name"] or not texts["device"]:
        raise DataError("a device needs a name and a device", where=where, next_step='name = "mi300", device = "hip"')
    if "@" in texts["device"] or texts["host"].startswith("-") or not all(isinstance(word, str) for word in ssh):
        raise DataError("the host stands in `host`, and its options in `ssh`", where=where)
    return Place(texts["name"], texts["device"], texts["host"], tuple(ssh), texts["python"])


def resolved(spec: str, start: Path | None = None) -> Place:
    """What a spelling means: a configured name, `hip@mi300` of a configured name or a host, or a device of here.

    Raises:
        UsageError: `@` without a device or a host.
    """
    kind, at, host = spec.partition("@")
    known = {place.name: place for place in places(start)}
    if not at:
        return known.get(spec) or Place(spec, spec)
    if not kind or not host or host.startswith("-"):
        raise UsageError(f"`{spec}` is no device", next_step="for example isa:gfx950@host")
    near = known.get(host)
    return Place(spec, kind, near.host or host, near.ssh, near.python) if near else Place(spec, kind, host)

"""Ports kept in the cache: one for each content of a folder and each setting, ready to be built again and again."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hipport import cachedir
from hipport.diffing.cases import digest_of
from hipport.diffing.verify import Ported

if TYPE_CHECKING:
    from collections.abc import Callable


def kept(folder: Path, key: str, make: Callable[[Path], tuple[dict[str, str], dict[str, tuple[str, ...]]]]) -> Ported:
    """The port of a folder from the cache, or made now by `make(out)` -> (names, suspects)."""
    place = cachedir.root() / "ports" / digest_of(folder, key)[:32]
    if not (place / "port.json").is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix="port-", dir=place.parent))
        try:
            names, suspects = make(scratch / "port")
            (scratch / "port.json").write_text(json.dumps({"names": names, "suspects": suspects}), encoding="utf-8")
            _settle(scratch, place)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    row = json.loads((place / "port.json").read_text(encoding="utf-8"))
    return Ported(place / "port", row["names"], {name: tuple(rules) for name, rules in row["suspects"].items()})


def _settle(scratch: Path, place: Path) -> None:
    """Move the finished port to its place; another process may have been first."""
    try:
        scratch.rename(place)
    except OSError:
        if not (place / "port.json").is_file():
            raise

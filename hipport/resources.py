"""Finds rules/, shims/, templates/ and examples/ in an installed wheel or in a checkout."""

from __future__ import annotations

from pathlib import Path

from hipport.errors import HipportError

_PACKAGE = Path(__file__).resolve().parent


def data_dir(name: str) -> Path:
    """The folder `name`: `rules`, `shims`, `templates` or `examples`."""
    for root in (_PACKAGE / "_data", _PACKAGE.parent):
        folder = root / name
        if folder.is_dir():
            return folder
    raise HipportError(f"the package data folder `{name}` is missing", next_step="reinstall hipport")

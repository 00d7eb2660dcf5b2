"""Puts what a compiler wrote in its place, whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def put_in_place(data: bytes, output: Path) -> None:
    """Write `data` to `output` by way of a file beside it."""
    output.parent.mkdir(parents=True, exist_ok=True)
    partial = output.with_name(f".{output.name}.partial")
    partial.write_bytes(data)
    partial.replace(output)

"""How an edit is written: its AMD text alone, or both vendors' texts side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.config import Style
from hipport.source.edits import plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from hipport.model import Edit


def renderer(style: Style) -> Callable[[bytes, Edit], bytes]:
    """The renderer of a style."""
    if style is Style.HIP:
        return plain
    raise NotImplementedError(style)

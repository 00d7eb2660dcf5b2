"""How edits are written: the AMD text alone, or both vendors' texts side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.config import Style
from hipport.source.edits import plain

if TYPE_CHECKING:
    from hipport.source.edits import Renderer


def renderer(style: Style) -> Renderer:
    """What turns the edits of a file into those of its style."""
    if style is Style.HIP:
        return plain
    from hipport.porting.dual import guarded

    return guarded

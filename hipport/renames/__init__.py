"""rules/*.yaml -> RenameRule, and their matching on tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.renames.match import find
    from hipport.renames.scopes import declared

__all__ = ["declared", "find"]


def __getattr__(name: str) -> object:
    if name == "find":
        from hipport.renames.match import find

        return find
    if name == "declared":
        from hipport.renames.scopes import declared

        return declared
    raise AttributeError(name)

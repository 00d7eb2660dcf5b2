"""The words by which findings are selected or ignored: rule ids and families."""

from __future__ import annotations

import difflib
import pkgutil
from typing import TYPE_CHECKING

from hipport.errors import UsageError
from hipport.renames.pages import PAGES
from hipport.renames.user import user_rules

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

# families of findings that no rename or rewrite has
_OTHERS = frozenset({"build", "files", "include"})


def check(words: Iterable[str], folder: Path) -> None:
    """Every word is the id or the family of a rule, ours or one that `folder` has of its own.

    Raises:
        UsageError: one is not; the message has what it may have meant.
    """
    left = set(words) - PAGES.keys() - _OTHERS
    if left:
        left -= {rule.family for rule in user_rules(folder)} | _rewrites()
    if not left:
        return
    families = _families() | _OTHERS
    left -= families
    for word in sorted(left):
        close = difflib.get_close_matches(word, sorted({*PAGES, *_rewrites(), *families}), 3)
        raise UsageError(
            f"there is no rule or family `{word}`",
            next_step=f"did you mean {', '.join(f'`{one}`' for one in close)}?"
            if close
            else f"families are {', '.join(sorted(families))}",
        )


def _rewrites() -> frozenset[str]:
    """The ids of the rewrites, which are the names of their packages."""
    import hipport.rewrites

    found = pkgutil.iter_modules(hipport.rewrites.__path__)
    return frozenset(module.name.replace("_", "-") for module in found if module.ispkg)


def _families() -> frozenset[str]:
    """The families of all renames and rewrites."""
    from hipport.renames.table import load
    from hipport.rewrites.rule import rules

    table = load()
    maps = (table.names, table.includes, table.namespaces, table.qualified)
    return frozenset(each[name].family for each in maps for name in each) | {rule.family for rule in rules()}

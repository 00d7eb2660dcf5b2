"""Which files git ignores, by the .gitignore files of a work tree; no process is started."""

from __future__ import annotations

import re
from pathlib import Path  # noqa: TC003
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_SUBMODULE_PATH = re.compile(r"^\s*path\s*=\s*(.+?)\s*$", re.MULTILINE)


class Ignores(NamedTuple):
    """The ignore files in force in one folder, the innermost last; `base` is relative to the root, `` or `a/b/`."""

    layers: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def extended(self, folder: Path, base: str) -> Ignores:
        """These with the `.gitignore` of `folder`, where it has one."""
        spec = read_spec(folder / ".gitignore")
        return self if spec is None else Ignores((*self.layers, (base, spec)))

    def ignored(self, path: str) -> bool:
        """Whether `path` (relative to the root; a folder ends in `/`) is ignored: the innermost word decides."""
        for base, spec in reversed(self.layers):
            if path.startswith(base):
                verdict = spec.check_file(path[len(base) :]).include
                if verdict is not None:
                    return verdict
        return False


def read_spec(path: Path) -> GitIgnoreSpec | None:
    """The patterns of one ignore file; None where it is missing, empty or unreadable."""
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not lines:
        return None
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)


def inherited(root: Path, top: Path) -> Ignores:
    """The ignore files above `root`, moved to it; none where they ignore `root` itself: it was asked for by name."""
    inner = root.relative_to(top).parts
    layers = Ignores()
    exclude = read_spec(top / ".git" / "info" / "exclude")
    if exclude is not None:
        layers = Ignores((("", exclude),))
    for depth in range(len(inner)):
        layers = layers.extended(top.joinpath(*inner[:depth]), "".join(f"{part}/" for part in inner[:depth]))
        if layers.ignored("/".join(inner[: depth + 1]) + "/"):
            return Ignores()
    return layers


def submodules(top: Path) -> frozenset[str]:
    """The paths of a work tree's submodules, relative to its top."""
    try:
        text = (top / ".gitmodules").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return frozenset()
    return frozenset(match.rstrip("/") for match in _SUBMODULE_PATH.findall(text))

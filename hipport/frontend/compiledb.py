"""compile_commands.json: the macros, include folders and language standard that each file is compiled with.

The database is only read. Folders and files outside the repository are left out: nothing there is looked at.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "compile_commands.json"
# words with a value, apart or joined, by what they become; nvcc's long spellings beside those of gcc and clang
_VALUED = {
    **dict.fromkeys(("-D", "--define-macro="), "-D"),
    **dict.fromkeys(("-U", "--undefine-macro="), "-U"),
    **dict.fromkeys(("-isystem", "-iquote", "--include-path=", "--system-include=", "-I"), "-I"),
    **dict.fromkeys(("-include", "--pre-include=", "-imacros"), "-include"),
    **dict.fromkeys(("-std=", "--std=", "-std", "--std"), "-std="),
}
_SPELLED = sorted(_VALUED, key=len, reverse=True)


def read(root: Path) -> dict[str, tuple[str, ...]]:
    """The words of each file by its path relative to `root`; empty without a readable database.

    They are `-DX`, `-UX`, `-std=X`, and `-IFOLDER` and `-includeFILE` with paths relative to `root`. The database is
    looked for in the root and in `build/`. A file that is compiled twice keeps its first words.
    """
    for path in (root / NAME, root / "build" / NAME):
        try:
            entries: Any = json.loads(path.read_bytes())
        except (OSError, ValueError):
            continue
        if isinstance(entries, list):
            return _words(root.resolve(), [e for e in entries if isinstance(e, dict)])
    return {}


def _words(root: Path, entries: list[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        try:
            words = entry.get("arguments") or shlex.split(str(entry.get("command", "")))
            folder = Path(root, str(entry.get("directory", "")))
            if not isinstance(entry["file"], str):
                continue
            name = Path(folder, entry["file"]).resolve().relative_to(root).as_posix()
        except (KeyError, ValueError, OSError, TypeError):
            continue
        if name not in found and isinstance(words, list):
            found[name] = tuple(_kept(root, folder, [str(word) for word in words]))
    return found


def _kept(root: Path, folder: Path, words: list[str]) -> Iterator[str]:
    """The words that matter, in one spelling."""
    rest = iter(words)
    for word in rest:
        spelled = next((s for s in _SPELLED if word.startswith(s)), None)
        if spelled is None:
            continue
        value = word[len(spelled) :] or next(rest, "")
        kind = _VALUED[spelled]
        if kind in ("-I", "-include"):
            inside = _inside(root, folder, value)
            if inside is not None:
                yield kind + inside
        elif value and (kind != "-std=" or "++" in value):
            yield kind + value


def _inside(root: Path, folder: Path, value: str) -> str | None:
    """A path relative to the repository; None where it lies outside."""
    try:
        return Path(folder, value).resolve().relative_to(root).as_posix()
    except (ValueError, OSError):
        return None

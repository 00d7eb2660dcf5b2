"""compile_commands.json: the macros and the language standard that each file is compiled with."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

_KEPT = ("-D", "-U", "-std=")
NAME = "compile_commands.json"


def read(root: Path) -> dict[str, tuple[str, ...]]:
    """The `-D`, `-U` and `-std=` words of each file by its path relative to `root`; empty without a readable database.

    The database is looked for in the root and in `build/`. A file that is compiled twice keeps its first words.
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
            file = Path(str(entry.get("directory", "")), str(entry["file"])).resolve()
            name = file.relative_to(root).as_posix()
        except (KeyError, ValueError, OSError):
            continue
        found.setdefault(name, tuple(_kept([str(word) for word in words])))
    return found


def _kept(words: list[str]) -> list[str]:
    out: list[str] = []
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word in ("-D", "-U"):
            out.append(word + following)
        elif word.startswith(_KEPT) and word not in _KEPT:
            out.append(word)
    return out

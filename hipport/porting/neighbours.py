"""What one file includes from its repository: read for what it declares, no part of the port."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from hipport.porting.includes import spellings
from hipport.source import discover
from hipport.source.discover import Entry, Tree

if TYPE_CHECKING:
    from pathlib import Path

# Where a single file's own headers are looked for, relative to it, as its -I options are not known.
FOLDERS = (".", "include", "inc", "..", "../include", "../inc", "../common")
MOST_FILES = 200
MOST_BYTES = 8 << 20


def with_neighbours(tree: Tree) -> Tree:
    """The tree of one file, and in `context` the headers of its own that it reaches."""
    todo = [entry.path for entry in tree.entries]
    seen = set(todo)
    context: list[Entry] = []
    room = MOST_BYTES
    while todo and len(context) < MOST_FILES and room > 0:
        path = todo.pop(0)
        try:
            source = discover.read(tree.root, path)
        except OSError:
            continue
        room -= len(source.data)
        for spelling in spellings(source.data):
            found = _found(tree.root, path, spelling)
            if found is not None and found.path not in seen:
                seen.add(found.path)
                context.append(found)
                todo.append(found.path)
    return tree._replace(context=tuple(context))


def _found(root: Path, includer: str, spelling: str) -> Entry | None:
    """The file that an include operand means, by the includer's folder and then by FOLDERS."""
    operand = spelling[1:-1].replace("\\", "/")
    if operand.startswith("/"):
        return None
    beside = [posixpath.dirname(includer)] if spelling[0] == '"' else []
    for folder in dict.fromkeys((*beside, *FOLDERS)):
        path = posixpath.normpath(posixpath.join(folder, operand))
        try:
            info = (root / path).stat()
        except OSError:
            continue
        if (root / path).is_file():
            return Entry(path, info.st_size, info.st_mode)
    return None

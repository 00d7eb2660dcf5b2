"""Which files of a set include which, told by the longest matching path."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hipport.frontend.text import CodeText

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


FORCED = "-include "  # begins the operand of a file that the command line includes


def edges(
    texts: Sequence[CodeText], commands: Mapping[str, tuple[str, ...]] | None = None
) -> dict[str, dict[str, str]]:
    """For each file its include operands and the files of the set that they mean.

    `commands` are the words that files are compiled with (compiledb.read): their `-I` folders are looked through first,
    those of all files for a header. Else the longest matching path tells.
    """
    by_name: dict[str, list[str]] = {}
    for text in texts:
        by_name.setdefault(text.path.rsplit("/", 1)[-1], []).append(text.path)
    paths = {text.path for text in texts}
    known = commands or {}
    everywhere = tuple(dict.fromkeys(folder for words in known.values() for folder in _folders(words)))
    out: dict[str, dict[str, str]] = {}
    for text in texts:
        words = known.get(text.path)
        folders = everywhere if words is None else _folders(words)
        found = {FORCED + w[8:]: w[8:] for w in words or () if w.startswith("-include") and w[8:] in paths}
        for match in _INCLUDE.finditer(text.data):
            asked = match.group(1).decode("utf-8", "replace")
            path = asked.replace("\\", "/")
            target = _in_folders(text.path, path, folders, paths) or next(_resolved(text.path, path, by_name), None)
            if target is not None:
                found[asked] = target
        out[text.path] = found
    return out


def _folders(words: Iterable[str]) -> tuple[str, ...]:
    """The folders of `-I` words, in their order."""
    return tuple(word[2:] for word in words if word.startswith("-I"))


def _in_folders(includer: str, asked: str, folders: tuple[str, ...], paths: set[str]) -> str | None:
    """The file beside the includer, or the first in the folders of the command line."""
    if not folders:
        return None
    beside = posixpath.dirname(includer)
    candidates = (posixpath.normpath(posixpath.join(folder, asked)) for folder in (beside, *folders))
    return next((path for path in candidates if path in paths and path != includer), None)


def visible(included: Mapping[str, Mapping[str, str]]) -> dict[str, frozenset[str]]:
    """For each file those of the set that it includes, directly or not."""
    out: dict[str, frozenset[str]] = {}
    for path in included:
        seen: set[str] = set()
        todo = [path]
        while todo:
            for other in set(included.get(todo.pop(), {}).values()) - seen:
                seen.add(other)
                todo.append(other)
        out[path] = frozenset(seen)
    return out


def _resolved(path: str, asked: str, by_name: Mapping[str, list[str]]) -> Iterator[str]:
    parts = [p for p in asked.split("/") if p not in (".", "..")]
    if not parts:
        return
    tail = "/".join(parts)
    found = [p for p in by_name.get(parts[-1], ()) if p == tail or p.endswith("/" + tail)]
    if not found:
        return
    here = path.rsplit("/", 1)[0] if "/" in path else ""
    yield max(found, key=lambda p: (len(_common(here, p)), -len(p)))


def _common(a: str, b: str) -> str:
    size = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        size += 1
    return a[:size]

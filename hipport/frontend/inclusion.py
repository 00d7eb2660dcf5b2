"""Which files of a set include which, told by the longest matching path."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hipport.frontend.text import CodeText

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


def edges(texts: Sequence[CodeText]) -> dict[str, dict[str, str]]:
    """For each file its include operands and the files of the set that they mean, told by the longest matching path."""
    by_name: dict[str, list[str]] = {}
    for text in texts:
        by_name.setdefault(text.path.rsplit("/", 1)[-1], []).append(text.path)
    out: dict[str, dict[str, str]] = {}
    for text in texts:
        found: dict[str, str] = {}
        for match in _INCLUDE.finditer(text.data):
            asked = match.group(1).decode("utf-8", "replace")
            for target in _resolved(text.path, asked.replace("\\", "/"), by_name):
                found[asked] = target
        out[text.path] = found
    return out


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

"""The symbolic links of a tree in its port: those that stay inside follow what they mean to its new name."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from hipport.source.filetypes import hip_name, is_cuda

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from hipport.source.discover import Link


class PortedLink(NamedTuple):
    """A link of the port, and the path that it had in the source."""

    source: str
    path: str
    text: str


def plan_links(links: Iterable[Link], files: Collection[str], renamed: Mapping[str, str]) -> tuple[PortedLink, ...]:
    """The links to files of the port, or to folders that hold some; a link to a renamed source is renamed with it."""
    folders = {posixpath.dirname(path) for path in files}
    folders |= {parent for folder in tuple(folders) for parent in _above(folder)}
    taken = set(files) | set(renamed.values())
    planned = []
    for link in links:
        new = renamed.get(link.target)
        if not link.target or (link.target not in files and link.target not in folders):
            continue
        if new is None:
            planned.append(PortedLink(link.path, link.path, link.text))
            continue
        path = hip_name(link.path) if is_cuda(link.path) else link.path
        if path in taken:
            path = link.path
        text = posixpath.join(posixpath.dirname(link.text), posixpath.basename(new))
        planned.append(PortedLink(link.path, path, text))
    return tuple(planned)


def _above(folder: str) -> list[str]:
    parts = folder.split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts))]

"""What a port will do, before any file is edited: names, include graph, and what each file must know of the others."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from hipport.buildfiles import is_buildfile
from hipport.porting import includes, references
from hipport.porting.links import plan_links
from hipport.porting.names import plan_names
from hipport.porting.pipeline import Surroundings
from hipport.source.filetypes import is_code

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hipport.config import Config
    from hipport.model import Finding
    from hipport.porting.links import PortedLink
    from hipport.porting.scanning import Scan
    from hipport.renames.table import RuleTable
    from hipport.source.discover import Entry, Tree

# A header that more files include than this is judged by the nearest of them.
MAX_INCLUDERS = 24


class Job(NamedTuple):
    """One file to read for findings, and what it must know."""

    path: str
    size: int
    digest: str
    around: Surroundings


class Plan(NamedTuple):
    """A port before its edits: `jobs` are read for findings, `copies` taken as they are, `failed` could not be read.

    `digests` are the sha256 of all code files by path.
    """

    jobs: tuple[Job, ...]
    copies: tuple[Entry, ...]
    renamed: dict[str, str]
    links: tuple[PortedLink, ...]
    failed: tuple[Scan, ...]
    notes: tuple[str, ...]
    digests: Mapping[str, str]


def in_scope(entry: Entry, config: Config) -> bool:
    """Whether a port reads a file for findings."""
    read = is_code(entry.path) or is_buildfile(entry.path) or references.wanted(entry.path)
    return read and (config.vendored or not entry.vendored)


def make_plan(tree: Tree, graph: Graph, config: Config, *, rename: bool = True, beside: bool = False) -> Plan:
    """The plan of a tree whose code files have been scanned.

    `rename` is false where files keep their names; `beside` says that ports are written beside their sources, where a
    file that git ignores may have the name already.
    """
    scans = graph.scans
    scoped = [e for e in tree.entries if in_scope(e, config)]
    present = [e.path for e in tree.entries] + [link.path for link in tree.links]
    ported = [e.path for e in scoped if e.path not in scans or not scans[e.path].error] if rename else []
    names = plan_names(ported, present, config.style, lambda path: beside and (tree.root / path).exists())
    links = plan_links(tree.links, {e.path for e in tree.entries}, names.renamed)
    renamed = names.renamed | {link.source: link.path for link in links if link.path != link.source}
    unported = {
        e.path: "is vendored code, which is not ported" for e in tree.entries if e.vendored and not config.vendored
    }
    shared = graph.included()
    jobs = []
    for entry in scoped:
        scan = scans.get(entry.path)
        if scan is not None and scan.error:
            continue
        about = (names.findings[entry.path],) if entry.path in names.findings else ()
        around = Surroundings(about=about)
        if scan is not None:
            around = graph.surroundings(entry.path, renamed, unported, about, included=entry.path in shared)
        jobs.append(Job(entry.path, entry.size, scan.digest if scan else "", around))
    copies = tuple(e for e in tree.entries if not in_scope(e, config))
    digests = {path: scan.digest for path, scan in scans.items()}
    failed = tuple(scans[e.path] for e in scoped if e.path in scans and scans[e.path].error)
    return Plan(tuple(jobs), copies, names.renamed, links, failed, tuple(_notes(tree, scans, config)), digests)


class Graph:
    """Who includes whom in one tree."""

    def __init__(self, tree: Tree, scans: Mapping[str, Scan], table: RuleTable) -> None:
        self.scans = dict(scans)
        paths = [entry.path for entry in (*tree.entries, *tree.context)]
        self._links = {link.path: link.target for link in tree.links if link.target}
        self._index = includes.Index((*paths, *self._links), table.includes)
        self._edges: dict[str, dict[str, str]] = {}
        self._reverse: dict[str, set[str]] | None = None

    def edges(self, path: str) -> dict[str, str]:
        """Include operand -> file of the tree."""
        if path not in self._edges:
            scan = self.scans.get(path)
            found = {s: self._index.resolve(path, s) for s in scan.includes} if scan else {}
            self._edges[path] = {s: target for s, target in found.items() if target is not None}
        return self._edges[path]

    def included(self) -> frozenset[str]:
        """The files that others include."""
        return frozenset(self._links.get(to, to) for path in self.scans for to in self.edges(path).values())

    def declared(self, path: str) -> frozenset[bytes]:
        """The names that the headers which `path` reaches declare."""
        seen = {path}
        todo = list(self.edges(path).values())
        names: set[bytes] = set()
        while todo:
            header = todo.pop()
            header = self._links.get(header, header)
            if header in seen:
                continue
            seen.add(header)
            if header in self.scans:
                names |= self.scans[header].declared
            todo += self.edges(header).values()
        return frozenset(names)

    def kin(self, path: str) -> tuple[str, ...]:
        """The files that share kernels with `path`: those that it reaches by includes, and those that reach it."""
        if self._reverse is None:
            self._reverse = {}
            for source in self.scans:
                for target in self.edges(source).values():
                    self._reverse.setdefault(self._links.get(target, target), set()).add(source)
        down = self._closure(path, lambda p: [self._links.get(t, t) for t in self.edges(p).values()])
        reverse = self._reverse
        up = self._closure(path, lambda p: sorted(reverse.get(p, ())))
        near = sorted(up, key=lambda p: (-len(posixpath.commonpath(["/" + p, "/" + path])), p))[:MAX_INCLUDERS]
        return tuple(sorted({*down, *near} - {path}))

    @staticmethod
    def _closure(path: str, following: Callable[[str], list[str]]) -> set[str]:
        seen: set[str] = set()
        todo = [path]
        while todo:
            for other in following(todo.pop()):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen

    def surroundings(
        self,
        path: str,
        renamed: Mapping[str, str],
        unported: Mapping[str, str],
        about: tuple[Finding, ...],
        *,
        included: bool,
    ) -> Surroundings:
        """What the tree says about `path`: `unported` are the paths of files that stay CUDA, and why."""
        local: dict[str, str] = {}
        foreign: dict[str, str] = {}
        for spelling, target in self.edges(path).items():
            new = renamed.get(target)
            local[spelling] = includes.respelled(spelling, posixpath.basename(new)) if new else spelling
            if target in unported and target in self.scans and self.scans[target].cuda:
                foreign[spelling] = unported[target]
        return Surroundings(self.declared(path), local, foreign, about, self.kin(path), included)


def _notes(tree: Tree, scans: Mapping[str, Scan], config: Config) -> list[str]:
    """What is in the tree and not in the port."""
    notes = [f"{found.path}: left out, {found.reason}" for found in tree.left_out]
    around = [
        entry.path for entry in tree.context if entry.path in scans
    ]  # an included text may be no code by its name
    notes += [f"{path}: holds CUDA and is no part of this port" for path in around if scans[path].cuda]
    astray = (link.path for link in tree.links if not link.target)
    notes += [f"{path}: a symbolic link out of the tree or to nothing, left out" for path in astray]
    if config.vendored:
        return notes
    folders: dict[str, int] = {}
    for entry in tree.entries:
        if entry.vendored and entry.path in scans and scans[entry.path].cuda:
            top = entry.path.split("/")[0] + "/"
            folders[top] = folders.get(top, 0) + 1
    return notes + [
        f"{top}: {n} vendored files with CUDA in them are copied as they are (--vendored ports them)"
        for top, n in sorted(folders.items())
    ]

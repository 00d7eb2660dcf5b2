"""Paths -> the files of a port: a walk that knows git's ignores, symlinks, vendored code and earlier ports."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hipport.errors import UsageError
from hipport.model import SourceFile
from hipport.source import git, ignores

if TYPE_CHECKING:
    from collections.abc import Iterator

VENDORED_NAMES = frozenset(
    {
        "third_party", "third-party", "thirdparty", "3rdparty", "3rd_party", "3rd-party",
        "vendor", "vendored", "vendors", "external", "externals", "extern", "submodules", "_deps",
    }
)  # fmt: skip
NEVER_NAMES = frozenset({".git", ".hg", ".svn", ".hipport", "__pycache__", "node_modules"})
# A folder that holds one of these is made, not written: a virtual environment, a CMake build tree, an earlier port.
MADE_BY = ("pyvenv.cfg", "CMakeCache.txt", ".hipport/map.json")


class Entry(NamedTuple):
    """A regular file of the tree. `path` is relative and POSIX; bytes that are no UTF-8 are surrogate escapes."""

    path: str
    size: int
    mode: int
    vendored: bool = False


class Link(NamedTuple):
    """A symbolic link; `target` is the file or folder of the tree that it means, or empty where it leaves the tree."""

    path: str
    text: str
    target: str


class Problem(NamedTuple):
    """A path that could not be read, and why."""

    path: str
    reason: str


class LeftOut(NamedTuple):
    """A folder that is no part of the source, and why."""

    path: str
    reason: str


class Tree(NamedTuple):
    """The files of one port in a fixed order; `context` are files that are only read for what they declare."""

    root: Path
    entries: tuple[Entry, ...]
    links: tuple[Link, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    context: tuple[Entry, ...] = ()


Found = Entry | Link | Problem | LeftOut


def discover(root: Path, *, skip: Path | None = None) -> Tree:
    """Every file below the folder `root` that git does not ignore; the folder `skip` is left out.

    Raises:
        UsageError: `root` is no folder.
    """
    if not root.is_dir():
        raise UsageError(f"`{root}` is no folder")
    walk = _Walk(root.resolve(), skip.resolve() if skip else None)
    found = sorted(walk.files(), key=lambda item: os.fsencode(item.path))
    return Tree(
        walk.root,
        tuple(item for item in found if isinstance(item, Entry)),
        tuple(item for item in found if isinstance(item, Link)),
        tuple(item for item in found if isinstance(item, Problem)),
        tuple(item for item in found if isinstance(item, LeftOut)),
    )


def single(path: Path) -> Tree:
    """A tree of one file; its root is the file's folder.

    Raises:
        UsageError: `path` is no regular file.
    """
    try:
        info = path.stat()
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(info.st_mode):
        raise UsageError(f"`{path}` is neither a file nor a folder")
    return Tree(path.resolve().parent, (Entry(path.name, info.st_size, info.st_mode),))


def read(root: Path, path: str) -> SourceFile:
    """The file `path` of a tree.

    Raises:
        OSError: it cannot be read, or is no regular file any more.
    """
    descriptor = os.open(f"{root}/{path}", os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0))
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            raise OSError(None, "not a regular file", path)
        data = os.read(descriptor, info.st_size + 1)
        while len(data) > info.st_size and (more := os.read(descriptor, 1 << 20)):  # it grows, or has no size (/proc)
            data += more
    finally:
        os.close(descriptor)
    return SourceFile(path, data)


class _Walk:
    """One walk over a tree."""

    def __init__(self, root: Path, skip: Path | None) -> None:
        self.root = root
        self._skip = skip
        self._top = git.top(root)
        self._prefix = "" if self._top is None else "".join(f"{p}/" for p in root.relative_to(self._top).parts)
        self._submodules = frozenset() if self._top is None else ignores.submodules(self._top)
        self._kept = frozenset() if self._top is None else git.tracked_though_ignored(root)
        self._kept_folders = frozenset(p for path in self._kept for p in _parents(path))

    def files(self) -> Iterator[Found]:
        start = ignores.Ignores() if self._top is None else ignores.inherited(self.root, self._top)
        yield from self._folder("", start, vendored=False)

    def _folder(self, base: str, above: ignores.Ignores, *, vendored: bool) -> Iterator[Found]:
        folder = self.root / base
        try:
            with os.scandir(folder) as found:
                children = sorted(found, key=lambda child: os.fsencode(child.name))
        except OSError as error:
            yield Problem(base or "./", f"cannot be listed: {error.strerror}")
            return
        rules = above.extended(folder, self._prefix + base)
        for child in children:
            path = base + child.name
            try:
                info = child.stat(follow_symlinks=False)
            except OSError as error:
                yield Problem(path, f"{error.strerror}")
                continue
            if stat.S_ISDIR(info.st_mode):
                yield from self._subfolder(path + "/", child.name, rules, vendored=vendored)
            elif not self._ignored(path, rules):
                yield self._leaf(path, info, vendored=vendored)

    def _subfolder(self, base: str, name: str, rules: ignores.Ignores, *, vendored: bool) -> Iterator[Found]:
        folder = self.root / base
        if name in NEVER_NAMES or folder == self._skip:
            return
        made_by = next((mark for mark in MADE_BY if (folder / mark).exists()), None)
        if made_by is not None:
            yield LeftOut(base, f"made by a tool ({made_by})")
            return
        inner_git = (folder / ".git").exists()
        if self._ignored(base, rules) and base not in self._kept_folders:
            return
        apart = name.lower() in VENDORED_NAMES or self._prefix + base[:-1] in self._submodules or inner_git
        yield from self._folder(base, rules, vendored=vendored or apart)

    def _ignored(self, path: str, rules: ignores.Ignores) -> bool:
        return bool(rules.layers) and path not in self._kept and rules.ignored(self._prefix + path)

    def _leaf(self, path: str, info: os.stat_result, *, vendored: bool) -> Found:
        if stat.S_ISLNK(info.st_mode):
            return self._link(path)
        if not stat.S_ISREG(info.st_mode):
            return LeftOut(path, "not a regular file")
        return Entry(path, info.st_size, info.st_mode, vendored)

    def _link(self, path: str) -> Link:
        text = str((self.root / path).readlink())
        if Path(text).is_absolute():
            return Link(path, text, "")
        try:
            target = (self.root / path).resolve(strict=True).relative_to(self.root).as_posix()
        except (OSError, ValueError, RuntimeError):  # dangling, out of the tree, or a circle
            return Link(path, text, "")
        return Link(path, text, target)


def _parents(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: n + 1]) + "/" for n in range(len(parts))]

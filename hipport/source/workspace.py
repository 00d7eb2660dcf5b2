"""The only writer of files: atomic, locked, never outside its folder, never over a file that it did not write."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import time
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.errors import HipportError, UsageError
from hipport.source import sourcemap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from hipport.source.sourcemap import SourceMap

STATE = ".hipport"
JOURNAL = f"{STATE}/journal"
_CHUNK = 1 << 20


class Written(str, Enum):
    """What became of one write."""

    WRITTEN = "written"
    SAME = "same"
    KEPT = "kept"  # the file there is not ours, and stays


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What became of one write, with the reason where the file there was kept."""

    what: Written
    reason: str = ""
    digest: str = ""  # sha256 of what was to be written


@contextlib.contextmanager
def opened(root: Path, *, force: bool = False, wait_seconds: float = 600.0) -> Iterator[Workspace]:
    """The folder `root`, made if need be, for this process alone until the block ends.

    Raises:
        UsageError: `root` is a file.
        HipportError: it cannot be made, or another run holds it for longer than `wait_seconds`.
    """
    if root.exists() and not root.is_dir():
        raise UsageError(f"`{root}` is a file; a folder is ported into a folder")
    try:
        (root / STATE).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HipportError(f"the output folder cannot be made: {error.strerror}", where=str(root)) from None
    if (root / STATE).is_symlink():
        raise UsageError(f"`{root / STATE}` is a symbolic link", next_step="remove it")
    with locked(root / STATE, wait_seconds):
        workspace = Workspace(root.resolve(), force=force)
        try:
            yield workspace
        finally:
            workspace.close()


@contextlib.contextmanager
def locked(folder: Path, wait_seconds: float = 600.0) -> Iterator[None]:
    """Hold the advisory lock of a folder; where the system has none (Windows) files are still whole, not runs."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        deadline = time.monotonic() + wait_seconds
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise HipportError("another hipport is writing here", where=str(folder)) from None
                time.sleep(0.05)
        yield
    finally:
        os.close(descriptor)


class Workspace:
    """An output folder that this process holds the lock of. Paths are relative and POSIX."""

    def __init__(self, root: Path, *, force: bool = False) -> None:
        self.root = root
        self.previous: SourceMap = sourcemap.load(root)
        self._force = force
        self._ours: dict[str, set[str]] = {name: {f.digest} for name, f in self.previous.files.items()}
        for name, text in self.previous.links.items():
            self._ours.setdefault(name, set()).add("->" + text)
        self._read_journal()
        for left in (root / STATE).glob("tmp-*"):  # of a killed run: we hold the lock
            left.unlink(missing_ok=True)
        self._journal: int | None = None
        self._real: set[Path] = {root}
        self._count = 0

    def write(self, path: str, data: bytes, mode: int = 0o644) -> WriteResult:
        """Put `data` at `path`, whole or not at all.

        Raises:
            OSError: disk full, no permission, a folder in the way.
        """
        target = self._place(path)
        digest = _digest(data)
        there = _identity(target)
        if there == digest:
            _set_mode(target, mode)
            return WriteResult(Written.SAME, digest=digest)
        if kept := self._kept(path, there):
            return WriteResult(Written.KEPT, kept, digest)
        self._note(path, digest)
        _write_whole(self._temporary(), target, (data,), mode)
        return WriteResult(Written.WRITTEN, digest=digest)

    def copy(self, path: str, source: Path, mode: int) -> WriteResult:
        """Put the bytes of the file `source` at `path`, whole or not at all, however large it is.

        Raises:
            OSError: as `write`; or the source cannot be read, or changes while it is.
        """
        target = self._place(path)
        with source.open("rb") as handle:
            digest = _file_digest(handle)
            there = _identity(target)
            if there == digest:
                _set_mode(target, mode)
                return WriteResult(Written.SAME, digest=digest)
            if kept := self._kept(path, there):
                return WriteResult(Written.KEPT, kept, digest)
            self._note(path, digest)
            handle.seek(0)
            _write_whole(self._temporary(), target, iter(lambda: handle.read(_CHUNK), b""), mode)
        return WriteResult(Written.WRITTEN, digest=digest)

    def _temporary(self) -> Path:
        self._count += 1
        return self.root / STATE / f"tmp-{os.getpid()}-{self._count}"

    def link(self, path: str, text: str) -> WriteResult:
        """Make the symbolic link `path` that says `text`."""
        target = self._place(path)
        there = _identity(target)
        if there == "->" + text:
            return WriteResult(Written.SAME)
        if kept := self._kept(path, there):
            return WriteResult(Written.KEPT, kept)
        self._note(path, "->" + text)
        temporary = self._temporary()
        temporary.unlink(missing_ok=True)
        temporary.symlink_to(text)
        temporary.replace(target)
        return WriteResult(Written.WRITTEN)

    def remove(self, path: str) -> bool:
        """Remove a file of an earlier port, unless someone changed it since; whether it is gone."""
        target = self._place(path, make=False)
        there = _identity(target)
        if there is None:
            return True
        if there not in self._ours.get(path, ()):
            return False
        target.unlink()
        with contextlib.suppress(OSError):  # the folder holds more
            target.parent.rmdir()
        return True

    def holds(self, path: str, mode: int) -> bool:
        """Whether `path` is just as the last port left it; its mode is made `mode` then."""
        mapped = self.previous.files.get(path)
        if mapped is None or _identity(self.root / path) != mapped.digest:
            return False
        _set_mode(self.root / path, mode)
        return True

    def write_state(self, name: str, data: bytes) -> None:
        """Put a file of our own beside the source map."""
        path = self.root / STATE / name
        if not path.is_file() or path.read_bytes() != data:
            _write_whole(self._temporary(), path, (data,), 0o644)

    def commit(self, source_map: SourceMap) -> None:
        """Record what this run wrote.

        Raises:
            HipportError: the map cannot be written; the files are there, and the journal still knows them.
        """
        data = sourcemap.dump(source_map)
        path = self.root / sourcemap.MAP_PATH
        try:
            self.write_state(path.name, data)
            self.close()
            (self.root / JOURNAL).unlink(missing_ok=True)
        except OSError as error:
            raise HipportError(f"the source map cannot be written: {error.strerror}", where=str(path)) from None

    def close(self) -> None:
        """Close the journal."""
        if self._journal is not None:
            os.close(self._journal)
            self._journal = None

    def _place(self, path: str, *, make: bool = True) -> Path:
        """The absolute path of `path`, its folders made; refuses every way out of the root."""
        parts = path.split("/")
        if path.startswith("/") or ".." in parts or parts[0] == STATE:
            raise OSError(None, "a path outside of the output folder", path)
        folder = self.root
        for part in parts[:-1]:
            folder /= part
            if folder in self._real:
                continue
            if folder.is_symlink():
                raise OSError(None, f"`{folder.relative_to(self.root)}` is a symbolic link in the output folder", path)
            if make:
                folder.mkdir(exist_ok=True)
                self._real.add(folder)
        return folder / parts[-1]

    def _kept(self, path: str, there: str | None) -> str:
        """Why the file that is there must stay; empty if it may be replaced."""
        ours = self._ours.get(path)
        if there is None or self._force or (ours is not None and there in ours):
            return ""
        return "was changed by hand since hipport wrote it" if ours else "exists and is not hipport's"

    def _note(self, path: str, digest: str) -> None:
        """Say on disk what will be written before it is, so that a killed run leaves no file that nobody owns."""
        self._ours.setdefault(path, set()).add(digest)
        if self._journal is None:
            self._journal = os.open(self.root / JOURNAL, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.write(self._journal, json.dumps([path, digest]).encode() + b"\n")

    def _read_journal(self) -> None:
        try:
            lines = (self.root / JOURNAL).read_bytes().splitlines()
        except OSError:
            return
        for line in lines:
            with contextlib.suppress(ValueError):  # the last line of a killed run may be torn
                path, digest = json.loads(line)
                self._ours.setdefault(path, set()).add(digest)


def make_folder(folder: Path) -> None:
    """Make a folder of a port's own among other files, if it is not there.

    Raises:
        HipportError: a symbolic link or a file has its name, or it cannot be made.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise HipportError("is no folder, and the port needs one of this name", where=str(folder))
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise HipportError(f"cannot be made: {error.strerror}", where=str(folder)) from None


def write_file(path: Path, data: bytes, *, mode: int = 0o644, force: bool = False) -> WriteResult:
    """Write one file that the user named, whole or not at all; an existing other file is kept unless `force`.

    Raises:
        OSError: disk full, no permission, no such folder.
    """
    there = _identity(path)
    if there == _digest(data):
        return WriteResult(Written.SAME)
    if there is not None and not force and path.lstat().st_size:
        return WriteResult(Written.KEPT, "exists and is not hipport's")
    import tempfile

    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".hipport-")
    os.close(descriptor)
    _write_whole(Path(temporary), path, (data,), mode)
    return WriteResult(Written.WRITTEN)


def _write_whole(temporary: Path, target: Path, chunks: Iterable[bytes], mode: int) -> None:
    """Write a new file beside the old one and put it in its place in one step; on any fault nothing has changed."""
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(descriptor, "wb") as handle:
            handle.writelines(chunks)
        _set_mode(temporary, mode)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _set_mode(path: Path, mode: int) -> None:
    wanted = stat.S_IMODE(mode) & 0o777
    if stat.S_IMODE(path.stat().st_mode) != wanted:
        path.chmod(wanted)


def _identity(path: Path) -> str | None:
    """The sha256 of a regular file, `->text` of a link, `other` of anything else; None where nothing is."""
    try:
        info = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISLNK(info.st_mode):
        return "->" + str(path.readlink())
    if not stat.S_ISREG(info.st_mode):
        return "other"
    with path.open("rb") as handle:
        return _file_digest(handle)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _file_digest(handle: BinaryIO) -> str:
    total = hashlib.sha256()
    while chunk := handle.read(_CHUNK):
        total.update(chunk)
    return total.hexdigest()

"""What a user names as a repository -> a folder: a path, an archive (unpacked beside), or a git address (cloned)."""

from __future__ import annotations

import os
import shutil
import stat
import tarfile
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from hipport.errors import HipportError, UsageError
from hipport.source import git

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCHEMES = ("https://", "http://", "ssh://", "git://", "git@", "file://")
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst", ".zip")
_MOST_BYTES = 4 << 30  # an archive that unpacks to more is refused
_MOST_FILES = 1_000_000


@dataclass(frozen=True, slots=True)
class Repository:
    """One repository of a batch: what it is called, and where it comes from."""

    name: str
    source: str


def listed(arguments: list[str], list_file: Path | None) -> tuple[Repository, ...]:
    """The repositories of the command line and of a list file (one a line, `#` comments), each once, in order."""
    sources = list(arguments)
    if list_file is not None:
        try:
            lines = list_file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        except OSError as error:
            raise UsageError(f"the list cannot be read: {error.strerror}", where=str(list_file)) from None
        sources += [line.split(" #")[0].strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not sources:
        raise UsageError("no repository is named", next_step="name folders, archives or git addresses, or use --from")
    return _named(list(dict.fromkeys(sources)))


def _named(sources: list[str]) -> tuple[Repository, ...]:
    """Each source with its shortest ending that no other shares."""
    parts = [source.rstrip("/").removesuffix(".git").replace("\\", "/").lstrip("/").split("/") for source in sources]
    names = []
    for mine in parts:
        depth = 1
        while depth < len(mine) and sum(other[-depth:] == mine[-depth:] for other in parts) > 1:
            depth += 1
        names.append("/".join(mine[-depth:]))
    return tuple(Repository(name, source) for name, source in zip(names, sources, strict=True))


@contextmanager
def folder(repository: Repository) -> Iterator[Path]:
    """The repository as a folder, while the context lasts."""
    source = repository.source
    remote = source.startswith(_SCHEMES)
    path = Path(source)
    if not remote and path.is_dir():
        yield path
        return
    if not remote and not (path.is_file() and source.lower().endswith(_ARCHIVES)):
        raise HipportError(f"`{source}` is no folder, archive or git address")
    made = Path(mkdtemp(prefix="hipport-report-"))
    try:
        if remote:
            git.clone(source, made / "repository")
        else:
            _unpack(path, made / "repository")
        yield made / "repository"
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _unpack(archive: Path, target: Path) -> None:
    """Unpack regular files and folders that stay below `target`; links and devices are left out."""
    target.mkdir()
    try:
        if archive.name.lower().endswith(".zip"):
            with zipfile.ZipFile(archive) as packed:
                _unzip(packed, target)
        else:
            with tarfile.open(archive) as packed_tar:
                _untar(packed_tar, target)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, ValueError) as error:
        raise HipportError(f"the archive cannot be unpacked: {error}", where=str(archive)) from error


def _unzip(packed: zipfile.ZipFile, target: Path) -> None:
    room = _Room()
    for item in packed.infolist():
        place = _inside(target, item.filename)
        if place is None or item.is_dir() or stat.S_ISLNK(item.external_attr >> 16):
            continue
        room.take(item.file_size)
        place.parent.mkdir(parents=True, exist_ok=True)
        with packed.open(item) as reader, place.open("wb") as writer:
            shutil.copyfileobj(reader, writer)


def _untar(packed: tarfile.TarFile, target: Path) -> None:
    room = _Room()
    for item in packed:
        place = _inside(target, item.name)
        reader = packed.extractfile(item) if item.isreg() and place is not None else None
        if reader is None or place is None:
            continue
        room.take(item.size)
        place.parent.mkdir(parents=True, exist_ok=True)
        with reader, place.open("wb") as writer:
            shutil.copyfileobj(reader, writer)


class _Room:
    """What may still be unpacked."""

    def __init__(self) -> None:
        self._bytes, self._files = _MOST_BYTES, _MOST_FILES

    def take(self, size: int) -> None:
        self._bytes -= size
        self._files -= 1
        if self._bytes < 0 or self._files < 0:
            raise ValueError(f"it holds more than {_MOST_BYTES} bytes or {_MOST_FILES} files")


def _inside(target: Path, name: str) -> Path | None:
    """Where a member goes; None where that is not below `target`."""
    if not name or "\0" in name or name.startswith(("/", "\\")) or ":" in name.split("/", maxsplit=1)[0]:
        return None
    place = Path(os.path.normpath(target / name))
    return place if target in place.parents else None

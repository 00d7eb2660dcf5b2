"""What git knows about a folder: its top, whether it is clean, what it tracks although it is ignored."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hipport.errors import HipportError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

# A repository that is only read must not run programs that its configuration names.
_QUIET = ("--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


def top(folder: Path) -> Path | None:
    """The closest folder at or above `folder` that holds `.git`; None outside a work tree."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return candidate
    return None


def changes(folder: Path, path: str = ".") -> tuple[str, ...]:
    """Paths at or below `path` in `folder` that differ from the last commit, untracked ones included.

    They are relative to the work tree's top.

    Raises:
        HipportError: git is missing, or `folder` is in no work tree.
    """
    fields = _git(folder, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", path)
    return tuple(os.fsdecode(field[3:]) for field in fields)


def tracked_though_ignored(folder: Path) -> frozenset[str]:
    """Files below `folder` that are tracked and match an ignore pattern; empty where git cannot tell."""
    try:
        fields = _git(folder, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard", "--", ".")
    except HipportError:
        return frozenset()
    return frozenset(os.fsdecode(field) for field in fields)


def diff(folder: Path, base: str = "", *, staged: bool = False) -> bytes:
    """A diff without context of everything below `folder`, paths relative to it: against `base`, or of the index.

    Raises:
        HipportError: git is missing, `folder` is in no work tree, or `base` names no commit.
    """
    what = ["--cached"] if staged else []
    if base:
        what.append(_commit(folder, base))
    shape = ("--unified=0", "--relative", "--no-color", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/")
    flags = (*shape, "--no-ext-diff", "--no-textconv")
    return _run(folder, "-c", "core.quotePath=false", "diff", *flags, *what, "--", ".")


def untracked(folder: Path) -> tuple[str, ...]:
    """Files below `folder` that git neither tracks nor ignores; relative to it."""
    fields = _git(folder, "ls-files", "-z", "--others", "--exclude-standard", "--", ".")
    return tuple(os.fsdecode(field) for field in fields)


def staged_content(folder: Path, path: str) -> bytes:
    """The bytes of a file, relative to `folder`, as they are in the index."""
    return _run(folder, "cat-file", "blob", f":./{path}")


def clone(address: str, target: Path) -> None:
    """A shallow copy of the repository at `address`, with no work tree filters, hooks or submodules run.

    Raises:
        HipportError: git is missing, or the repository cannot be had.
    """
    flags = ("--quiet", "--depth=1", "--no-tags", "--single-branch", "--no-recurse-submodules", "--template=")
    _run(target.parent, "-c", "protocol.ext.allow=never", "clone", *flags, "--", address, str(target))


def _commit(folder: Path, name: str) -> str:
    """The hash of the commit that `name` means; a name that looks like an option is no commit."""
    try:
        return os.fsdecode(_run(folder, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}").strip())
    except HipportError:
        raise UsageError(f"`{name}` is no commit here", where=str(folder)) from None


def _git(folder: Path, *arguments: str) -> list[bytes]:
    """The NUL-separated fields that a git command prints."""
    return [field for field in _run(folder, *arguments).split(b"\0") if field]


def _run(folder: Path, *arguments: str) -> bytes:
    """What a git command prints."""
    import subprocess  # most runs ask git nothing

    try:
        run = subprocess.run(["git", *_QUIET, "-C", str(folder), *arguments], capture_output=True, check=False)
    except OSError as error:
        raise HipportError(f"git cannot be run: {error.strerror}", next_step="install git") from None
    if run.returncode:
        said = run.stderr.decode(errors="replace").strip().splitlines()
        raise HipportError(f"git: {said[-1] if said else 'failed'}", where=str(folder))
    return run.stdout

"""What a user asks of a port -> the tree, the writer and the checks that fit it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.errors import UsageError
from hipport.porting.neighbours import with_neighbours
from hipport.porting.run import Settings, run_port
from hipport.porting.writer import Nowhere
from hipport.porting.writing import AsPatch, InPlace, IntoFile, IntoFolder
from hipport.source import discover, git, workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hipport.config import Config
    from hipport.model import Report
    from hipport.porting.writer import Writer


@dataclass(frozen=True, slots=True)
class Request:
    """One port as it was asked for."""

    src: Path
    out: Path | None = None
    in_place: bool = False
    patch: bool = False
    force: bool = False
    detail: bool = False
    progress: Callable[[str, int, int], None] | None = None


def serve(request: Request, config: Config) -> tuple[Report, bytes]:
    """The report of a port and its patch (empty unless asked for).

    Raises:
        UsageError: the source cannot be read, the output does not fit it, or the git tree is not clean.
        HipportError: the output folder or its source map cannot be written.
    """
    if request.src.is_dir():
        return _folder(request, config)
    return _file(request, config)


def _folder(request: Request, config: Config) -> tuple[Report, bytes]:
    settings = Settings(request.detail, beside=request.out is None, shared=True, progress=request.progress)
    if request.out is not None:
        _check_apart(request.src, request.out)
        with workspace.opened(request.out, force=request.force) as output:
            tree = discover.discover(request.src, skip=request.out)
            return run_port(tree, config, IntoFolder(tree.root, output, tree.problems), settings), b""
    tree = discover.discover(request.src)
    if request.in_place:
        with workspace.locked(tree.root):
            _check_clean(tree.root)
            return run_port(tree, config, InPlace(tree.root), settings), b""
    return _report_or_patch(request, config, tree, settings)


def _file(request: Request, config: Config) -> tuple[Report, bytes]:
    tree = with_neighbours(discover.single(request.src))
    settings = Settings(request.detail, rename=request.out is not None, progress=request.progress)
    if request.out is not None:
        out = request.out
        if out.is_dir():
            raise UsageError(
                f"`{out}` is a folder; a file is ported into a file", next_step=f"name it: -o {out}/NAME.hip"
            )
        if not out.parent.is_dir():
            raise UsageError(f"`{out.parent}` is no folder", next_step="make it first")
        if out.exists() and out.samefile(request.src):
            raise UsageError(f"`{out}` is the source itself", next_step="write over it with --in-place")
        return run_port(tree, config, IntoFile(tree.root, out, force=request.force), settings), b""
    if request.in_place:
        with workspace.locked(tree.root):
            _check_clean(tree.root, tree.entries[0].path)
            return run_port(tree, config, InPlace(tree.root), settings), b""
    return _report_or_patch(request, config, tree, settings)


def _report_or_patch(request: Request, config: Config, tree: discover.Tree, settings: Settings) -> tuple[Report, bytes]:
    if not request.patch:
        writer: Writer = Nowhere()
        return run_port(tree, config, writer, settings), b""
    gathered = AsPatch(tree.root)
    report = run_port(tree, config, gathered, settings)
    return report, gathered.patch


def _check_apart(src: Path, out: Path) -> None:
    """Refuse an output folder that is the source, or holds it."""
    source, output = src.resolve(), out.resolve()
    if source == output:
        raise UsageError(f"`{out}` is the source itself", next_step="write over it with --in-place")
    if output in source.parents:
        raise UsageError(f"`{out}` holds the source `{src}`", next_step="port into a folder of its own")


def _check_clean(root: Path, path: str = ".") -> None:
    """Refuse to write over what git could not bring back."""
    if git.top(root) is None:
        raise UsageError(f"`{root}` is in no git tree", next_step="use -o OUT, or commit it to git first")
    changed = git.changes(root, path)
    if changed:
        shown = ", ".join(changed[:3]) + (", ..." if len(changed) > 3 else "")
        raise UsageError(f"the git tree is not clean: {shown}", next_step="commit or stash first, or use -o OUT")

"""A whole check: paths to files, files to findings over processes, findings to an answer."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hipport.checking import baseline
from hipport.checking.answer import CheckAnswer, Problem
from hipport.checking.severity import Selection
from hipport.checking.work import Checked, Checking
from hipport.config import Config, Stage, Style
from hipport.model import SourceFile
from hipport.porting import build_facts
from hipport.porting.pipeline import Port, Surroundings
from hipport.porting.pool import mapped
from hipport.porting.scanning import scanned_plan
from hipport.renames.table import load
from hipport.renames.user import user_rules
from hipport.source import discover
from hipport.source.discover import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hipport.model import Safety


class Wanted(NamedTuple):
    """What a check is asked for, besides the settings that a port has too.

    `changed` is the git commit to compare with, or None for everything; `staged` looks at what git's index holds.
    """

    paths: tuple[Path, ...] = (Path(),)
    selection: Selection = Selection()
    fast: bool = False
    changed: str | None = None
    staged: bool = False
    known: Mapping[str, int] | None = None
    fix: frozenset[Safety] = frozenset()
    exclude: tuple[str, ...] = ()
    path_ignores: tuple[tuple[str, frozenset[str]], ...] = ()
    progress: Callable[[str, int, int], None] | None = None


def check(wanted: Wanted, config: Config, folder: Path) -> CheckAnswer:
    """Check files and folders; paths in the answer are relative to `folder` where they lie below it."""
    config = lexical(config) if wanted.fast else reading(config)
    checked: list[Checked] = []
    problems: list[Problem] = []
    for tree in trees(wanted.paths, folder.resolve()):
        problems += [Problem(problem.path, problem.reason) for problem in tree.problems]
        checked += _tree(_kept(tree, wanted.exclude), wanted, config, problems)
    return answer(checked, problems, wanted)


def check_text(path: str, data: bytes, wanted: Wanted, config: Config) -> CheckAnswer:
    """Check one text that need not be on disk, as an editor's buffer."""
    config = lexical(config) if wanted.fast else reading(config)
    work = _checking(Path(), Port(config, load(config.rocm, user_rules(Path()), config.torch), {}), wanted, (path,))
    return answer([work.judge(SourceFile(path, data), Surroundings())], [], wanted)


def answer(checked: Iterable[Checked], problems: Iterable[Problem], wanted: Wanted) -> CheckAnswer:
    """The answer from all files; what the baseline knows is counted, not shown."""
    files = sorted(checked, key=lambda file: os.fsencode(file.path))
    shown = tuple(found for file in files for found in file.shown)
    fresh = shown if wanted.known is None else baseline.new(shown, wanted.known)
    return CheckAnswer(
        shown=fresh,
        selection=wanted.selection,
        files=len(files),
        renames=sum(file.renames for file in files),
        excused=sum(file.excused for file in files),
        known=len(shown) - len(fresh),
        fixed=sum(file.fixed for file in files),
        problems=(*problems, *(Problem(file.path, file.error) for file in files if file.error)),
    )


def reading(config: Config) -> Config:
    """The settings for looking at everything: what is selected is decided after the excuses."""
    return replace(config, select=(), ignore=(), style=Style.HIP, only=tuple(Stage))


def lexical(config: Config) -> Config:
    """The settings for what needs no parse of the code."""
    return replace(reading(config), only=(Stage.RENAME, Stage.BUILD))


def trees(paths: tuple[Path, ...], folder: Path) -> tuple[Tree, ...]:
    """The trees that the paths mean; those below `folder` are one tree with `folder` as its root."""
    inside: list[Tree] = []
    outside: list[Tree] = []
    for path in paths:
        there = folder / path
        tree = discover.discover(there) if there.is_dir() else discover.single(there)
        if tree.root == folder or folder in tree.root.parents:
            inside.append(_rooted(tree, folder))
        else:
            outside.append(tree)
    return (*((_joined(inside, folder),) if inside else ()), *outside)


def _rooted(tree: Tree, folder: Path) -> Tree:
    """The same tree seen from a folder above its root."""
    below = tree.root.relative_to(folder).as_posix()
    prefix = "" if below == "." else f"{below}/"
    entries = tuple(entry._replace(path=prefix + entry.path) for entry in tree.entries)
    problems = tuple(problem._replace(path=prefix + problem.path) for problem in tree.problems)
    return Tree(folder, entries, (), problems)


def _joined(parts: list[Tree], folder: Path) -> Tree:
    """One tree of several; a file that two of them hold is there once."""
    entries = {entry.path: entry for tree in parts for entry in tree.entries}
    problems = {problem.path: problem for tree in parts for problem in tree.problems}
    return Tree(folder, tuple(entries[path] for path in sorted(entries)), (), tuple(problems.values()))


def _kept(tree: Tree, exclude: tuple[str, ...]) -> Tree:
    if not exclude:
        return tree
    from pathspec import PathSpec

    spec = PathSpec.from_lines("gitwildmatch", exclude)
    return tree._replace(entries=tuple(entry for entry in tree.entries if not spec.match_file(entry.path)))


def _tree(tree: Tree, wanted: Wanted, config: Config, problems: list[Problem]) -> list[Checked]:
    lines = None
    if wanted.changed is not None or wanted.staged:
        from hipport.source import changes

        lines = changes.changed_lines(tree.root, wanted.changed or "", staged=wanted.staged)
    table = load(config.rocm, user_rules(tree.root), config.torch)
    plan = scanned_plan(tree, config, table, rename=False)
    problems += [Problem(scan.path, scan.error) for scan in plan.failed]
    jobs = [job for job in plan.jobs if lines is None or job.path in lines]
    port = Port(config, table, {}, tree.root, build_facts.read(tree))
    work = replace(_checking(tree.root, port, wanted, [job.path for job in jobs]), lines=lines)
    say = wanted.progress or (lambda _stage, _done, _total: None)
    results = []
    for number, checked in enumerate(mapped(work, jobs, [job.size for job in jobs], config.jobs)):
        say("check", number, len(jobs))
        results.append(_written(tree.root, checked))
    return results


def _written(root: Path, checked: Checked) -> Checked:
    """Put a file's fixes into it."""
    if checked.data is None:
        return checked
    from hipport.source import workspace

    path = root / checked.path
    try:
        workspace.write_file(path, checked.data, mode=path.stat().st_mode, force=True)
    except OSError as error:
        return Checked(checked.path, error=f"the fixes cannot be written: {error.strerror or error}")
    return checked._replace(data=None)


def _checking(root: Path, port: Port, wanted: Wanted, paths: Iterable[str]) -> Checking:
    selection = wanted.selection
    complete = not wanted.fast and not selection.select and not selection.ignore
    return Checking(
        root,
        port,
        selection,
        complete=complete,
        staged=wanted.staged,
        fix=wanted.fix,
        ignored=_ignored(wanted.path_ignores, paths),
    )


def _ignored(patterns: tuple[tuple[str, frozenset[str]], ...], paths: Iterable[str]) -> dict[str, frozenset[str]]:
    """Path -> the selectors that the per-path settings ignore there."""
    if not patterns:
        return {}
    from pathspec import PathSpec

    specs = [(PathSpec.from_lines("gitwildmatch", [pattern]), names) for pattern, names in patterns]
    found = {path: [names for spec, names in specs if spec.match_file(path)] for path in paths}
    return {path: frozenset().union(*names) for path, names in found.items() if names}

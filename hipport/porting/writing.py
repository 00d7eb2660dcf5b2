"""The writers of a port: into a folder, in place, into one file, or as a patch."""

from __future__ import annotations

import contextlib
import hashlib
from typing import TYPE_CHECKING

from hipport.model import FileReport, Finding, ListedFinding, Outcome, OutcomeKind, Report, Safety, Span, Status
from hipport.porting import cache
from hipport.porting.patch import file_patch, generated_patch
from hipport.porting.writer import Forgetful
from hipport.source import discover, workspace
from hipport.source.sourcemap import MappedFile, SourceMap
from hipport.source.workspace import Written

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hipport.porting.links import PortedLink
    from hipport.porting.work import Done
    from hipport.source.discover import Entry, Problem
    from hipport.source.workspace import Workspace, WriteResult


class IntoFolder:
    """Writes the whole tree into an output folder and records where each file came from."""

    remembers = True

    def __init__(self, root: Path, output: Workspace, problems: tuple[Problem, ...] = ()) -> None:
        self._root = root
        self._output = output
        self._files: dict[str, MappedFile] = {}
        self._links: dict[str, str] = {}
        self._lost = {problem.path for problem in problems}  # sources whose earlier output must stay
        self._known = cache.load(output.root)
        self._kept: dict[str, tuple[str, FileReport]] = {}

    def recall(self, key: str, path: str, target: str, mode: int) -> FileReport | None:
        """The report of the last port, if nothing that it depends on has changed and its output is still there."""
        known = self._known.get(path)
        if known is None or known[0] != key or not self._output.holds(target, mode):
            return None
        self._files[target] = self._output.previous.files[target]
        self._kept[path] = known
        return known[1]

    def remember(self, key: str, report: FileReport) -> None:
        """Keep a report for the next port."""
        if report.outcome.kind is not OutcomeKind.FAILED and report.target_path in self._files:
            self._kept[report.path] = (key, report)

    def file(self, done: Done, mode: int) -> FileReport:
        """Write a file that was read for findings."""
        report = done.report
        if done.result is None:
            self._lost.add(report.path)
            return report
        try:
            result = self._output.write(report.target_path, done.result, mode)
        except OSError as error:
            self._lost.add(report.path)
            return unwritten(report, error)
        self._record(report.target_path, report.path, done, result)
        return kept(report, result)

    def _record(self, target: str, path: str, done: Done, result: WriteResult) -> None:
        if result.what is not Written.KEPT:
            self._files[target] = MappedFile(path, done.digest, result.digest, done.edits)
        elif target in self._output.previous.files:
            self._files[target] = self._output.previous.files[target]

    def copy(self, entry: Entry) -> FileReport:
        """Copy a file as it is."""
        report = FileReport(entry.path, entry.path, Outcome(OutcomeKind.UNCHANGED))
        try:
            result = self._output.copy(entry.path, self._root / entry.path, entry.mode)
        except OSError as error:
            self._lost.add(entry.path)
            return unwritten(report, error)
        if result.what is not Written.KEPT:
            self._files[entry.path] = MappedFile(entry.path, result.digest, result.digest)
        return kept(report, result)

    def generated(self, path: str, remake: Callable[[bytes], bytes]) -> str:
        """Write it, merged with the one of an earlier port."""
        data, result = _remade(self._output.root / path, remake)
        digest = hashlib.sha256(data).hexdigest()
        self._files[path] = MappedFile(path, digest, digest)
        return _generated_note(path, result)

    def link(self, link: PortedLink) -> str:
        """Make a symbolic link that stays inside the folder."""
        try:
            result = self._output.link(link.path, link.text)
        except OSError as error:
            return f"{link.path}: the symbolic link cannot be made: {error.strerror or error}"
        if result.what is Written.KEPT:
            return f"{link.path}: no symbolic link is made, the file there {result.reason}"
        self._links[link.path] = link.text
        return ""

    def finish(self, report: Report) -> Report:
        """Remove what an earlier port wrote and this one does not, and commit the source map."""
        notes = list(report.notes)
        lost_folders = tuple(path for path in self._lost if path.endswith("/"))
        for name, mapped in self._output.previous.files.items():
            if name in self._files or name in self._links:
                continue
            if mapped.source in self._lost or mapped.source.startswith(lost_folders):
                self._files[name] = mapped
            elif not self._remove(name):
                notes.append(f"{name}: its source is gone; it was changed by hand and stays")
        for name in self._output.previous.links:
            if name not in self._links and name not in self._files:
                self._remove(name)
        self._output.commit(SourceMap(self._files, self._links))
        with contextlib.suppress(OSError):  # without it the next port only takes longer
            self._output.write_state(cache.NAME, cache.dump(self._kept))
        return report._replace(notes=tuple(notes))

    def _remove(self, name: str) -> bool:
        try:
            return self._output.remove(name)
        except OSError:
            return False


class InPlace(Forgetful):
    """Writes over the sources of a clean git tree."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def file(self, done: Done, mode: int) -> FileReport:
        """Replace a file by its port; under a new name, the old one goes when the new one is there."""
        report = done.report
        if done.result is None or report.outcome.kind is not OutcomeKind.PORTED:
            return report
        moved = report.target_path != report.path
        target = self._root / report.target_path
        try:
            result = workspace.write_file(target, done.result, mode=mode, force=not moved)
            if moved and result.what is not Written.KEPT:
                (self._root / report.path).unlink()
        except OSError as error:
            return unwritten(report, error)
        return kept(report, result)

    def copy(self, entry: Entry) -> FileReport:
        """A file that stays as it is."""
        return FileReport(entry.path, entry.path, Outcome(OutcomeKind.UNCHANGED))

    def generated(self, path: str, remake: Callable[[bytes], bytes]) -> str:
        """Write it among the sources."""
        return _generated_note(path, _remade(self._root / path, remake)[1])

    def link(self, link: PortedLink) -> str:
        """Let a link follow what it means."""
        old, new = self._root / link.source, self._root / link.path
        try:
            if link.path == link.source and str(old.readlink()) == link.text:
                return ""
            if link.path != link.source and new.exists():
                return f"{link.path}: exists, the symbolic link `{link.source}` stays"
            old.unlink()
            new.symlink_to(link.text)
        except OSError as error:
            return f"{link.source}: the symbolic link cannot be made again: {error.strerror or error}"
        return ""

    def finish(self, report: Report) -> Report:
        """Nothing is left to do."""
        return report


class IntoFile(Forgetful):
    """Writes the port of one file to a path that the user named."""

    def __init__(self, root: Path, path: Path, *, force: bool) -> None:
        self._root = root
        self._path = path
        self._force = force

    def file(self, done: Done, mode: int) -> FileReport:
        """Write it."""
        report = done.report._replace(target_path=self._path.name)
        if done.result is None:
            return done.report
        try:
            result = workspace.write_file(self._path, done.result, mode=mode, force=self._force)
        except OSError as error:
            return unwritten(report, error)
        return kept(report, result)

    def copy(self, entry: Entry) -> FileReport:
        """A file that is neither code nor a build file is copied."""
        report = FileReport(entry.path, self._path.name, Outcome(OutcomeKind.UNCHANGED))
        try:
            data = discover.read(self._root, entry.path).data
            result = workspace.write_file(self._path, data, mode=entry.mode, force=self._force)
        except OSError as error:
            return unwritten(report, error)
        return kept(report, result)

    def generated(self, path: str, remake: Callable[[bytes], bytes]) -> str:
        """Write it beside the file that the user named, which includes it."""
        return _generated_note(path, _remade(self._path.parent / path, remake)[1])

    def link(self, link: PortedLink) -> str:
        """One file has no links."""
        del link
        return ""

    def finish(self, report: Report) -> Report:
        """Nothing is left to do."""
        return report


class AsPatch(Forgetful):
    """Gathers a unified diff that `git apply` and `patch` take."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._parts: dict[str, bytes] = {}

    @property
    def patch(self) -> bytes:
        """The diffs of all changed files in the order of their paths."""
        return b"".join(part for _, part in sorted(self._parts.items()))

    def file(self, done: Done, mode: int) -> FileReport:
        """Diff one file."""
        del mode
        report = done.report
        if done.result is None or report.outcome.kind is not OutcomeKind.PORTED:
            return report
        try:
            source = discover.read(self._root, report.path)
        except OSError as error:
            return unwritten(report, error)
        self._parts[report.path] = file_patch(report.path, report.target_path, source.data, done.result, done.edits)
        return report

    def copy(self, entry: Entry) -> FileReport:
        """A file that stays as it is."""
        return FileReport(entry.path, entry.path, Outcome(OutcomeKind.UNCHANGED))

    def generated(self, path: str, remake: Callable[[bytes], bytes]) -> str:
        """Add a file to the patch, or change the one that is there."""
        there = self._root / path
        old = there.read_bytes() if there.is_file() else b""
        new = remake(old)
        if new != old:
            self._parts[path] = generated_patch(path, old, new)
        return ""

    def link(self, link: PortedLink) -> str:
        """A patch holds no links."""
        del link
        return ""

    def finish(self, report: Report) -> Report:
        """Nothing is left to do."""
        return report


def _remade(path: Path, remake: Callable[[bytes], bytes]) -> tuple[bytes, WriteResult]:
    """A generated file written over the one that is there, which `remake` has merged."""
    workspace.make_folder(path.parent)
    old = path.read_bytes() if path.is_file() else b""
    data = remake(old)
    return data, workspace.write_file(path, data, force=True)


def _generated_note(path: str, result: WriteResult) -> str:
    return f"{path}: written" if result.what is Written.WRITTEN else ""


def unwritten(report: FileReport, error: OSError) -> FileReport:
    """The report of a file that could not be written."""
    reason = f"cannot be written: {error.strerror or error}"
    return report._replace(outcome=Outcome(OutcomeKind.FAILED, reason))


def kept(report: FileReport, result: WriteResult) -> FileReport:
    """The report of a write; where the file there was kept, with a finding that says so."""
    if result.what is not Written.KEPT:
        return report
    finding = Finding(
        rule="output-kept",
        span=Span(report.path, 0, 0),
        message=f"`{report.target_path}` {result.reason}: it is kept, and the port is not written",
        safety=Safety.MANUAL,
        status=Status.MANUAL,
        family="files",
        next_step="move it away, or write over it with --force",
    )
    return report._replace(
        outcome=Outcome(OutcomeKind.SKIPPED, f"the output {result.reason}"),
        counts=tuple(sorted((*report.counts, ("files", Status.MANUAL, 1)))),
        findings=(ListedFinding(finding, 1, 1, applied=False), *report.findings),
    )

"""What a port hands its files to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from hipport.model import FileReport, Outcome, OutcomeKind, Report

if TYPE_CHECKING:
    from collections.abc import Callable

    from hipport.porting.links import PortedLink
    from hipport.porting.work import Done
    from hipport.source.discover import Entry


class Writer(Protocol):
    """What takes the files of a port; each method gives the report of what became of its file.

    `remembers` says that it knows earlier ports: then `recall` gives the report of a file that has not changed since.
    """

    remembers: bool

    def recall(self, key: str, path: str, target: str, mode: int) -> FileReport | None:
        """The report of an earlier port with the same key, if its output is still there."""

    def remember(self, key: str, report: FileReport) -> None:
        """Keep a report for later ports."""

    def file(self, done: Done, mode: int) -> FileReport:
        """A file that was read for findings."""

    def copy(self, entry: Entry) -> FileReport:
        """A file that is taken as it is."""

    def generated(self, path: str, remake: Callable[[bytes], bytes]) -> str:
        """A file of the port's own: `remake` gives it from the one that is there (empty: none); gives a note."""

    def link(self, link: PortedLink) -> str:
        """A symbolic link; gives a note, empty if all is well."""

    def finish(self, report: Report) -> Report:
        """After all files: what is left to record or remove."""


class Forgetful:
    """A writer that knows no earlier port."""

    remembers = False

    def recall(self, key: str, path: str, target: str, mode: int) -> FileReport | None:
        """Nothing is known."""
        del self, key, path, target, mode
        return None

    def remember(self, key: str, report: FileReport) -> None:
        """Nothing is kept."""
        del self, key, report


class Nowhere(Forgetful):
    """The writer of a port that only reports."""

    def file(self, done: Done, mode: int) -> FileReport:
        """The report as it is."""
        del mode
        return done.report

    def copy(self, entry: Entry) -> FileReport:
        """A file without findings."""
        return FileReport(entry.path, entry.path, Outcome(OutcomeKind.UNCHANGED))

    def generated(self, path: str, remake: Callable[[bytes], bytes]) -> str:
        """Nothing is written."""
        del path, remake
        return ""

    def link(self, link: PortedLink) -> str:
        """Nothing to say."""
        del link
        return ""

    def finish(self, report: Report) -> Report:
        """The report as it is."""
        return report

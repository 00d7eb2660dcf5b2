"""A whole port: discover, scan, plan, port the files over processes, hand each to a writer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hipport.model import FileReport, Outcome, OutcomeKind, Report
from hipport.porting.pipeline import Port
from hipport.porting.plan import Plan, included, make_plan
from hipport.porting.pool import mapped
from hipport.porting.work import Done, Porting, Scanning, failed
from hipport.renames.table import load
from hipport.renames.user import user_rules
from hipport.source.filetypes import is_code, is_header

if TYPE_CHECKING:
    from collections.abc import Callable

    from hipport.config import Config
    from hipport.porting.links import PortedLink
    from hipport.porting.plan import Job
    from hipport.renames.table import RuleTable
    from hipport.source.discover import Entry, Tree


class Writer(Protocol):
    """What takes the files of a port; each method gives the report of what became of its file."""

    def file(self, done: Done, mode: int) -> FileReport:
        """A file that was read for findings."""

    def copy(self, entry: Entry) -> FileReport:
        """A file that is taken as it is."""

    def link(self, link: PortedLink) -> str:
        """A symbolic link; gives a note, empty if all is well."""

    def finish(self, report: Report) -> Report:
        """After all files: what is left to record or remove."""


class Nowhere:
    """The writer of a port that only reports."""

    def file(self, done: Done, mode: int) -> FileReport:
        """The report as it is."""
        del mode
        return done.report

    def copy(self, entry: Entry) -> FileReport:
        """A file without findings."""
        return FileReport(entry.path, entry.path, Outcome(OutcomeKind.UNCHANGED))

    def link(self, link: PortedLink) -> str:
        """Nothing to say."""
        del link
        return ""

    def finish(self, report: Report) -> Report:
        """The report as it is."""
        return report


@dataclass(frozen=True, slots=True)
class Settings:
    """How a port is run, apart from what it decides."""

    detail: bool = False
    rename: bool = True
    progress: Callable[[str, int, int], None] | None = None


def run_port(tree: Tree, config: Config, writer: Writer, settings: Settings) -> Report:
    """Port `tree` into `writer`. The report does not depend on the number of processes."""
    table = load(config.rocm, user_rules(tree.root))
    say = settings.progress or (lambda _stage, _done, _total: None)
    plan = scanned_plan(tree, config, table, settings)
    modes = {entry.path: entry.mode for entry in tree.entries}
    reports = [writer.file(failed(scan.path, scan.error), modes[scan.path]) for scan in plan.failed]
    reports += [FileReport(p.path, p.path, Outcome(OutcomeKind.FAILED, p.reason)) for p in tree.problems]
    work = Porting(tree.root, Port(config, table, plan.renamed, tree.root), settings.detail)
    total = len(plan.jobs)
    for number, done in enumerate(mapped(work, plan.jobs, [job.size for job in plan.jobs], config.jobs, _lost)):
        say("port", number, total)
        reports.append(writer.file(done, modes[done.report.path]))
    say("port", total, total)
    reports += [writer.copy(entry) for entry in plan.copies]
    notes = (*plan.notes, *(note for link in plan.links if (note := writer.link(link))))
    reports.sort(key=lambda report: report.path.encode("utf-8", "surrogateescape"))
    return writer.finish(Report(tuple(reports), notes))


def scanned_plan(tree: Tree, config: Config, table: RuleTable, settings: Settings) -> Plan:
    """The plan of a tree, after a first look at all of its code, vendored code too."""
    code = [entry for entry in (*tree.entries, *tree.context) if is_code(entry.path)]
    found = mapped(Scanning(tree.root), [e.path for e in code], [e.size for e in code], config.jobs)
    scans = {scan.path: scan for scan in found}
    sources = [path for path in included(tree, scans, table) if path in scans and not is_header(path)]
    scans |= {scan.path: scan for scan in Scanning(tree.root, declaring=True)(sources)}
    return make_plan(tree, scans, config, table, rename=settings.rename)


def _lost(job: Job) -> Done:
    return failed(job.path, "the process that read it died: out of memory, or a fault of hipport")

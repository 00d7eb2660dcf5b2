"""A whole port: discover, scan, plan, port the files over processes, hand each to a writer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hipport.config import Stage, Style
from hipport.model import FileReport, Outcome, OutcomeKind, Report
from hipport.porting import build_facts
from hipport.porting.cache import settings_key
from hipport.porting.memory import Memory
from hipport.porting.pipeline import Port
from hipport.porting.pool import mapped
from hipport.porting.scanning import scanned_plan
from hipport.porting.vendor import HEADER
from hipport.porting.vendor_header import Naming, remade
from hipport.porting.work import Done, Porting, failed
from hipport.renames.table import load
from hipport.renames.user import user_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hipport.config import Config
    from hipport.porting.plan import Job, Plan
    from hipport.porting.writer import Writer
    from hipport.source.discover import Tree

# A byte that is parsed too costs about as much as this many that are read for names alone: gsplat, 20 s against 1 s.
PARSED_COST = 16


class Settings(NamedTuple):
    """How a port is run, apart from what it decides. `shared`: a folder holds the shims, each once."""

    detail: bool = False
    rename: bool = True
    beside: bool = False
    shared: bool = False
    progress: Callable[[str, int, int], None] | None = None


def run_port(tree: Tree, config: Config, writer: Writer, settings: Settings) -> Report:
    """Port `tree` into `writer`. The report does not depend on the number of processes."""
    user = user_rules(tree.root)
    build = build_facts.read(tree)
    # over sources for both vendors torch's own hipify runs, which knows its own names
    table = load(config.rocm, user, "" if build.torch and config.style is Style.DUAL else config.torch)
    plan = scanned_plan(tree, config, table, rename=settings.rename, beside=settings.beside, digests=writer.remembers)
    modes = {entry.path: entry.mode for entry in tree.entries}
    memory = Memory(writer, plan.jobs)
    if writer.remembers:
        key = settings_key(config, user, detail=settings.detail) + repr((build.torch, sorted(build.unset))).encode()
        memory.recall(tree, plan, key)
    work = Porting(tree.root, Port(config, table, plan.renamed, tree.root, build, settings.shared), settings.detail)
    reports = [writer.file(failed(scan.path, scan.error), modes[scan.path]) for scan in plan.failed]
    reports += [FileReport(p.path, p.path, Outcome(OutcomeKind.FAILED, p.reason)) for p in tree.problems]
    reports += memory.recalled
    cost = PARSED_COST if Stage.REWRITE in config.only else 1
    ported = mapped(work, memory.jobs, [job.size * cost for job in memory.jobs], config.jobs, _lost)
    for done in _said(ported, memory, settings):
        reports.append(memory.kept(writer.file(done, modes[done.report.path])))
    reports += [writer.copy(entry) for entry in plan.copies]
    notes = (*plan.notes, *(note for link in plan.links if (note := writer.link(link))))
    notes = (*notes, *_shims(reports, writer))
    if config.style is Style.DUAL and Stage.RENAME in config.only:
        notes = (*notes, *_vendor_header(tree, plan, work.port, writer))
    reports.sort(key=lambda report: report.path.encode("utf-8", "surrogateescape"))
    return writer.finish(Report(tuple(reports), notes))


def _shims(reports: list[FileReport], writer: Writer) -> Iterator[str]:
    """Write the shims that files include; gives a note where there is something to say."""
    names = {name for report in reports for name in report.shims}
    if not names:
        return
    from hipport.porting import shims

    for name in shims.closure(names):
        text = shims.shared_header(name)
        if note := writer.generated(f"{shims.FOLDER}/{name}.h", lambda _old, text=text: text):  # type: ignore[misc]
            yield note


def _vendor_header(tree: Tree, plan: Plan, port: Port, writer: Writer) -> Iterator[str]:
    """Write the vendor header, if some file needs it; gives a note where there is something to say."""
    sets = list(mapped(Naming(tree.root, port), list(plan.jobs), [job.size for job in plan.jobs], port.config.jobs))
    if any(sets) and (note := writer.generated(HEADER, lambda old: remade(old, sets))):
        yield note


def _said(found: Iterator[Done], memory: Memory, settings: Settings) -> Iterator[Done]:
    """The files as they come, with word of the progress."""
    say = settings.progress or (lambda _stage, _done, _total: None)
    total = len(memory.jobs)
    for number, done in enumerate(found):
        say("port", number, total)
        yield done
    say("port", total, total)


def _lost(job: Job) -> Done:
    return failed(job.path, "the process that read it died: out of memory, or a fault of hipport")

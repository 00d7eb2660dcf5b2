"""What a writer still knows of an earlier port, and what is left to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.porting.cache import job_key
from hipport.source import discover

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.model import FileReport
    from hipport.porting.plan import Job, Plan
    from hipport.porting.writer import Writer
    from hipport.source.discover import Tree


class Memory:
    """The reports that are `recalled`, and the `jobs` that are left."""

    def __init__(self, writer: Writer, jobs: Sequence[Job]) -> None:
        self.jobs = list(jobs)
        self.recalled: list[FileReport] = []
        self._keys: dict[str, str] = {}
        self._writer = writer

    def recall(self, tree: Tree, plan: Plan, settings: bytes) -> None:
        """Take out of the jobs what has not changed since; `settings` is the digest that all of them share."""
        modes = {entry.path: entry.mode for entry in tree.entries}
        left = []
        for job in self.jobs:
            known = None
            if digest := job.digest or _digest(tree, job.path):
                key = self._keys[job.path] = job_key(settings, job._replace(digest=digest), plan)
                known = self._writer.recall(key, job.path, plan.renamed.get(job.path, job.path), modes[job.path])
            if known is None:
                left.append(job)
            else:
                self.recalled.append(known)
        self.jobs = left

    def kept(self, report: FileReport) -> FileReport:
        """The report, which the writer keeps for later ports."""
        key = self._keys.get(report.path)
        if key is not None:
            self._writer.remember(key, report)
        return report


def _digest(tree: Tree, path: str) -> str:
    try:
        return discover.read(tree.root, path).digest
    except OSError:
        return ""

"""What one process, here or on another machine, does for a batch: plan a repository, or read a share of its files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from hipport.batch.facts import FileFacts
from hipport.checking.locate import locate
from hipport.checking.records import record
from hipport.checking.work import standing
from hipport.errors import HipportError
from hipport.model import Safety
from hipport.porting import build_facts
from hipport.porting.pipeline import Port
from hipport.porting.pool import units
from hipport.porting.scanning import scanned_plan
from hipport.renames.table import load
from hipport.renames.user import user_rules
from hipport.source import discover

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hipport.config import Config
    from hipport.model import Finding, SourceFile
    from hipport.porting.build_facts import BuildFacts
    from hipport.porting.plan import Job
    from hipport.renames.table import RuleTable

UNIT_BYTES = 512 << 10  # a share of a repository: large ones are spread over processes


@dataclass(frozen=True, slots=True)
class Share:
    """A part of one repository's files, and what each must know of the others."""

    root: Path
    jobs: tuple[Job, ...]
    renamed: Mapping[str, str]
    build: BuildFacts


@dataclass(frozen=True, slots=True)
class Survey:
    """A repository after a first look: its shares, files that could not be read, and the reason if it has none."""

    shares: tuple[Share, ...] = ()
    failed: tuple[FileFacts, ...] = ()
    error: str = ""


def signature(root: Path) -> str:
    """A short text that changes when a file of the folder does: what a resumed run compares."""
    import hashlib

    digest = hashlib.sha256()
    for entry in discover.discover(root).entries:
        info = (root / entry.path).lstat()
        digest.update(f"{entry.path}\0{info.st_size}\0{info.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:16]


def survey(root: Path, config: Config) -> Survey:
    """A first look at the repository at `root`."""
    try:
        tree = discover.discover(root)
        plan = scanned_plan(tree, config, _table(config, root))
        build = build_facts.read(tree)
    except HipportError as error:
        return Survey(error=str(error))
    failed = [FileFacts(scan.path, 0, Counter(), (), scan.error) for scan in plan.failed]
    failed += [FileFacts(problem.path, 0, Counter(), (), problem.reason) for problem in tree.problems]
    cut = units(plan.jobs, [job.size for job in plan.jobs], UNIT_BYTES)
    return Survey(tuple(Share(root, tuple(jobs), plan.renamed, build) for jobs in cut), tuple(failed))


def _table(config: Config, root: Path) -> RuleTable:
    """Our rules and the repository's own."""
    own = user_rules(root)
    return load(config.rocm, own, config.torch) if own else _shipped(config.rocm, config.torch)


@cache
def _shipped(rocm: str, torch: str) -> RuleTable:
    """Our rules, read once a process."""
    return load(rocm, (), torch)


def read(share: Share, config: Config) -> tuple[FileFacts, ...]:
    """The facts of a share's files."""
    port = Port(config, _table(config, share.root), share.renamed, share.root, share.build)
    return tuple(_file(share.root, job, port) for job in share.jobs)


def _file(root: Path, job: Job, port: Port) -> FileFacts:
    try:
        source = discover.read(root, job.path)
        found, _excused = standing(source, port, job.around, complete=False)
    except OSError as error:
        return FileFacts(job.path, job.size, Counter(), (), f"cannot be read: {error.strerror or error}")
    except Exception as error:  # noqa: BLE001 - one bad file is an outcome, never the end of the run
        return FileFacts(job.path, job.size, Counter(), (), f"hipport failed on it: {type(error).__name__}: {error}")
    return _facts(source, found)


def _facts(source: SourceFile, found: tuple[Finding, ...]) -> FileFacts:
    counts = Counter((f.family, f.rule, f.status.value, f.safety.value, f.purpose.value) for f in found)
    listed = locate(source, (f for f in found if f.safety is not Safety.SAFE))
    return FileFacts(source.path, len(source.data), counts, tuple(record(item) for item in listed))

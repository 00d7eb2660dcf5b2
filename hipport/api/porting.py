"""Porting, checking, reporting and compiling, and the toolchains for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hipport.api.facts import headers_there, targets
from hipport.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hipport.batch.facts import BatchReport
    from hipport.batch.run import Progress
    from hipport.checking.answer import CheckAnswer
    from hipport.checking.severity import Severity
    from hipport.config import Config
    from hipport.model import Report, Safety
    from hipport.toolchain.compiler import Compiled
    from hipport.toolchain.discovery import Tools
    from hipport.toolchain.install import Installed


def toolchain_status(names: str = "", prefix: Path | None = None) -> Tools:
    """What this machine compiles with, and the level that it gives for each target."""
    from hipport.toolchain.discovery import discover

    return discover(targets(names), prefix)


def install_toolchain(
    prefix: Path | None = None,
    route: str | None = None,
    *,
    again: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> Installed:
    """Make the private toolchain `prefix` (default: the user's), by `debian` or `pypi`, or by what works here.

    Raises:
        UntestedError: neither works here; says why.
    """
    from hipport.toolchain.install import install, route_named
    from hipport.toolchain.places import default_prefix

    return install(prefix or default_prefix(), route_named(route), again=again, say=say)


def compile_files(
    files: Sequence[Path],
    targets: str | Sequence[str],
    *,
    kind: str = "codeobject",
    output: Path | None = None,
    options: Sequence[str] = (),
    block_size: int = 0,
    dynamic_lds: int = 0,
    torch: bool = False,
    limit: float = 600.0,
    jobs: int = 0,
    prefix: Path | None = None,
) -> tuple[Compiled, ...]:
    """Compile HIP and CUDA files; a failed compilation is a value, with its diagnostics and log.

    Args:
        files: sources.
        targets: `gfx942,gfx950` or a list; `sm_90` takes nvcc.
        kind: codeobject, object, asm, llvm or check.
        output: a folder, or a file where only one is written; None keeps nothing but the numbers.
        options: words for the compiler.
        block_size: threads of a block for the occupancy; 0 takes each kernel's own bound.
        dynamic_lds: bytes of LDS that the launches add to what the kernels declare.
        torch: add PyTorch's headers, hipified; for object files and code objects of extensions.
        limit: seconds for each compilation.
        jobs: compilations at once; 0 is one a processor.
        prefix: the private toolchain's folder.
    """
    from hipport.toolchain.build import Request, compile_all, kind_named

    names = targets.split(",") if isinstance(targets, str) else targets
    return compile_all(
        Request(
            files=tuple(files),
            targets=tuple(name.strip() for name in names if name.strip()),
            kind=kind_named(kind),
            out=output,
            options=tuple(options),
            block_size=block_size,
            dynamic_lds=dynamic_lds,
            torch=torch,
            limit=limit,
            jobs=jobs,
            prefix=prefix,
        )
    )


class PortAnswer(NamedTuple):
    """A port: its report, the settings that it was made with, and the patch where one was asked for."""

    report: Report
    config: Config
    patch: bytes = b""


def port(
    src: str | Path,
    out: str | Path | None = None,
    *,
    config: Config | None = None,
    in_place: bool = False,
    patch: bool = False,
    force: bool = False,
    detail: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
) -> PortAnswer:
    """Port a file or a folder; without `out`, `in_place` and `patch` nothing is written.

    `detail` lists every SAFE edit in the report too, which are only counted otherwise. `force` writes over files in
    `out` that are not hipport's. `progress` is called with stage, files done and files in all.

    Raises:
        UsageError: `src` cannot be read, `out` does not fit it, or the git tree is not clean for `in_place`.
        HipportError: the output folder or its source map cannot be written.
    """
    from hipport.config import load
    from hipport.porting import selectors
    from hipport.porting.request import Request, serve

    if sum((out is not None, in_place, patch)) > 1:
        raise UsageError("-o, --in-place and --patch exclude each other")
    settings = load(Path(src)) if config is None else config
    selectors.check((*settings.select, *settings.ignore), Path(src))
    headers_there(asked=settings.system_headers)
    request = Request(Path(src), None if out is None else Path(out), in_place, patch, force, detail, progress)
    report, diff = serve(request, settings)
    return PortAnswer(_with_evidence(report, Path(src), out), settings, diff)


def _with_evidence(report: Report, src: Path, out: str | Path | None) -> Report:
    """The report with a note on each written file that `hipport verify` has run, exactly as it is."""
    from hipport import cachedir

    if out is None or not (cachedir.root() / cachedir.KEPT).is_dir():
        return report
    from hipport.diffing.evidence import note

    root, top = (src, Path(out)) if src.is_dir() else (src.parent, Path(out).parent)
    places = [(row.path, root / row.path, top / row.target_path if src.is_dir() else Path(out)) for row in report.files]
    notes = [text for name, source, port in places if (text := note(name, source, port))]
    return report._replace(notes=(*report.notes, *notes)) if notes else report


def check(
    paths: Sequence[Path],
    *,
    config: Config | None = None,
    fast: bool = False,
    changed: str | None = None,
    staged: bool = False,
    severity: Severity | None = None,
    select: tuple[str, ...] | None = None,
    ignore: tuple[str, ...] | None = None,
    baseline: Path | None = None,
    write_baseline: Path | None = None,
    fix: Safety | None = None,
    text: tuple[str, bytes] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> CheckAnswer:
    """Check files and folders below the current folder; what is None is as the configuration file says.

    Args:
        paths: files and folders.
        config: what a port would be told.
        fast: lexical rules only.
        changed: only lines that differ from this git commit (empty: the last one).
        staged: check git's index instead of the work tree.
        severity: leave out what is milder.
        select: rule ids, families or `rename`: only these, and each of them fails.
        ignore: rule ids, families or `rename`: not these.
        baseline: a file of findings to leave out.
        write_baseline: write the findings to this file.
        fix: apply the edits that are SAFE, or those to REVIEW too.
        text: a name and the bytes to check instead of `paths`.
        progress: called with stage, files done and files in all.

    Raises:
        UsageError: a path cannot be read, or git does not know `changed`.
        DataError: the baseline or the configuration is damaged.
    """
    from hipport.checking import baseline as baselines
    from hipport.checking import run, settings
    from hipport.checking.severity import Selection
    from hipport.config import load
    from hipport.model import Safety
    from hipport.porting import selectors

    own = settings.load(Path(), {})
    known = baseline or (own.folder / own.baseline if own.folder and own.baseline else None)
    select = own.select if select is None else select
    ignore = own.ignore if ignore is None else ignore
    by_path = (name for _, names in own.path_ignores for name in names - {"*"})
    selectors.check((*select, *ignore, *by_path), Path())
    wanted = run.Wanted(
        paths=tuple(paths),
        selection=Selection(
            frozenset(select),
            frozenset(ignore),
            severity or own.severity,
        ),
        fast=fast,
        changed=changed,
        staged=staged,
        known=None if known is None or write_baseline else baselines.read(known),
        fix=frozenset() if fix is None else frozenset({Safety.SAFE, fix}),
        exclude=own.exclude,
        path_ignores=own.path_ignores,
        progress=progress,
    )
    config = config or load(Path())
    headers_there(asked=config.system_headers)
    answer = run.check_text(*text, wanted, config) if text else run.check(wanted, config, Path())
    if write_baseline is not None:
        baselines.write(write_baseline, answer.shown)
    return answer


def report(
    repositories: Sequence[str],
    *,
    config: Config | None = None,
    list_file: Path | None = None,
    store: Path | None = None,
    resume: bool = False,
    fast: bool = False,
    scheduler: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> BatchReport:
    """Port coverage over many repositories; nothing is written but the store.

    Args:
        repositories: folders, archives or git addresses.
        config: what a port would be told.
        list_file: a file that names further ones, one a line.
        store: an SQLite file to keep the run in; the trend is against the last whole run in it.
        resume: go on with the store's last run, if that was cut short.
        fast: lexical rules only.
        scheduler: the address of a Dask scheduler; None works on this machine.
        progress: called as repositories are done.

    Raises:
        UsageError: no repository is named, or `resume` without `store`.
        HipportError: the store or the scheduler cannot be used.
    """
    from contextlib import ExitStack

    from hipport.batch import effort, run, sources
    from hipport.batch.store import Store
    from hipport.checking import settings
    from hipport.checking.run import lexical, reading
    from hipport.config import load
    from hipport.porting import pool

    if resume and store is None:
        raise UsageError("--resume needs --store", next_step="name the store of the run that was cut short")
    named = sources.listed(list(repositories), list_file)
    base = config or load(Path())
    wanted = lexical(base) if fast else reading(base)
    weights = settings.load(Path(), effort.WEIGHTS).weights
    with ExitStack() as stack:
        kept = stack.enter_context(Store(store)) if store else None
        number = kept.begin(run.settings(wanted, named), resume=resume) if kept else 0
        if scheduler:
            executor, workers = stack.enter_context(run.dask(scheduler))
        else:
            workers = pool.workers(base.jobs)
            executor = pool.executor(workers)
        batch = run.Batch(wanted, executor, workers, (kept, number) if kept else None)
        facts = batch.run(named, progress)
        if kept:
            kept.finish(number)
        return run.report(facts, wanted, weights, kept.before(number) if kept else None)

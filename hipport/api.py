"""What the command line, tests and notebooks call: typed in, typed out. Nothing here prints or ends the process."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hipport.errors import HipportError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hipport.batch.facts import BatchReport
    from hipport.batch.run import Progress
    from hipport.checking.answer import CheckAnswer
    from hipport.checking.severity import Severity
    from hipport.config import Config, WarpMode
    from hipport.device.executor import Executor, Limits
    from hipport.device.listing import Listed
    from hipport.device.program.run import ProgramRun
    from hipport.device.request import KernelRun, Request
    from hipport.diffing.bundle import Packed
    from hipport.diffing.recording import Recording
    from hipport.diffing.verify import Ported, Settings, Verified
    from hipport.model import Report, Safety
    from hipport.porting.shims import Shim
    from hipport.renames.explain import Explanation
    from hipport.targets import Target
    from hipport.toolchain.compiler import Compiled
    from hipport.toolchain.discovery import Tools
    from hipport.toolchain.install import Installed


def targets(names: str = "") -> tuple[Target, ...]:
    """The GPUs of that list, or all that are known.

    Raises:
        UsageError: a name that is not known.
    """
    from hipport import targets as table

    return table.targets(names) if names else tuple(table.load().values())


def target_sources() -> Mapping[str, str]:
    """What each source key of the targets' facts stands for."""
    from hipport import targets as table

    return table.sources()


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
    from hipport.porting.request import Request, serve

    if sum((out is not None, in_place, patch)) > 1:
        raise UsageError("-o, --in-place and --patch exclude each other")
    settings = load(Path(src)) if config is None else config
    _headers_there(asked=settings.system_headers)
    request = Request(Path(src), None if out is None else Path(out), in_place, patch, force, detail, progress)
    report, diff = serve(request, settings)
    return PortAnswer(_with_evidence(report, Path(src), out), settings, diff)


def _with_evidence(report: Report, src: Path, out: str | Path | None) -> Report:
    """The report with a note on each written file that `hipport verify` has run, exactly as it is."""
    from hipport.device.isa.build import cache_root

    if out is None or not (cache_root() / "verified").is_dir():
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

    own = settings.load(Path(), {})
    known = baseline or (own.folder / own.baseline if own.folder and own.baseline else None)
    wanted = run.Wanted(
        paths=tuple(paths),
        selection=Selection(
            frozenset(own.select if select is None else select),
            frozenset(own.ignore if ignore is None else ignore),
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
    _headers_there(asked=config.system_headers)
    answer = run.check_text(*text, wanted, config) if text else run.check(wanted, config, Path())
    if write_baseline is not None:
        baselines.write(write_baseline, answer.shown)
    return answer


def rule_pages(rules: Iterable[str]) -> dict[str, str]:
    """Rule id -> the page of those that have one: the docstring of the rule's package."""
    from importlib import import_module
    from importlib.util import find_spec

    names = {rule: f"hipport.rewrites.{rule.replace('-', '_')}" for rule in rules}
    return {
        rule: import_module(name).__doc__ or ""
        for rule, name in names.items()
        if name.rpartition(".")[2].isidentifier() and find_spec("hipport.rewrites") and find_spec(name)
    }


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


def device(spec: str = "", *, targets: Sequence[str] = ("gfx942", "gfx950"), limits: Limits | None = None) -> Executor:
    """The device of that spelling; with none, a real GPU of one of the targets if there is one, else the isa executor.

    Raises:
        UsageError: no device is spelled like that.
        UntestedError: it is not here, or not there yet.
    """
    from hipport.device import default_spec
    from hipport.device import device as named

    return named(spec or default_spec(targets), limits=limits)


def default_device(targets: Sequence[str]) -> str:
    """`hip` if this machine has a GPU of one of the targets, else `isa:` and the first that the isa executor runs."""
    from hipport.device import default_spec

    return default_spec(targets)


def run(request: Request) -> KernelRun:
    """Build and launch one kernel, save and compare its arrays. See hipport.device.executor for what is raised."""
    from hipport.device.request import serve

    return serve(request)


def run_program(
    folder: Path,
    target: str,
    args: Sequence[str] = (),
    *,
    limits: Limits | None = None,
    cflags: Sequence[str] = (),
    make: Sequence[str] = (),
    profile: bool = False,
    capture: bool = False,
) -> ProgramRun:
    """Build the HIP program of a folder for the isa executor of `target` and run it; the folder stays as it is.

    Args:
        folder: with a Makefile that calls hipcc, or sources.
        target: gfx942 or gfx950; `wave:32` or `wave:64` for the wave executor.
        args: the program's own words.
        limits: of time, memory and threads.
        cflags: words for every compilation.
        make: words for make.
        profile: count what kernels do.
        capture: keep the program's output instead of passing it on.

    Raises:
        HipportError: it does not build.
        UntestedError: a compiler or something that the build needs is not here.
    """
    if target.startswith("wave:"):
        from hipport.device.wave import program as lanes

        width = lanes.width_of(target, profile=profile)
        return lanes.run_program(folder, width, args, limits=limits, cflags=cflags, make=make, capture=capture)
    from hipport.device.program import run as programs

    return programs.run_program(
        folder, target, args, limits=limits, cflags=cflags, make=make, profile=profile, capture=capture
    )


def explain(name: str, rocm: str = "7.2", folder: Path | None = None) -> Explanation:
    """What is known of a CUDA name, a header, a HIP name or a rule id in a ROCm version.

    Args:
        name: as it is written in source.
        rocm: the version that is ported to.
        folder: whose own rules count too.

    Raises:
        UsageError: `rocm` is no version.
        DataError: a rule of the folder's own is wrong.
    """
    from dataclasses import replace

    from hipport.renames import explain as renames
    from hipport.renames.user import user_rules

    if name.startswith("-"):
        return _explained_option(name, rocm)
    found = renames.explain(name, rocm, user_rules(folder) if folder else ())
    return replace(found, shims=tuple(shim.name for shim in shims() if found.name in shim.replaces))


def _explained_option(name: str, rocm: str) -> Explanation:
    """What an option of nvcc becomes for clang and hipcc, in the form of a rename."""
    from hipport.buildfiles import flags
    from hipport.model import RenameRule, Safety
    from hipport.renames.explain import Explanation

    answer = flags.explain(name)
    if answer is None:
        return Explanation(name, rocm, "unknown")
    status = "mapped" if answer.becomes or answer.safety is not Safety.MANUAL else "unsupported"
    note = answer.note or ("" if answer.becomes else "nothing is needed: the option is dropped")
    rule = RenameRule(name, answer.becomes, "option", "build", status=status, safety=answer.safety, note=note)
    return Explanation(name, rocm, "rename", (rule,))


def shims() -> tuple[Shim, ...]:
    """Every shim."""
    from hipport.porting import shims as found

    return tuple(found.shim(name) for name in found.names())


def shim_header(name: str, target: str = "") -> str:
    """A shim as a header that stands alone; a template is filled for these targets.

    Raises:
        UsageError: there is no such shim, or no such target.
    """
    from hipport.porting import shims as found

    widths = sorted({one.warp_size for one in targets(target)})
    return found.header(name, {"widths": widths} if found.shim(name).parameters or found.shim(name).requires else None)


def write_shim(name: str, output: Path, target: str = "", *, force: bool = False) -> None:
    """Write a shim's header to `output`."""
    from hipport.source import workspace

    workspace.write_file(output, shim_header(name, target).encode(), force=force)


def closures(
    file: Path, kernel: str = "", warp: WarpMode | None = None, *, system_headers: bool = False
) -> list[dict[str, Any]]:
    """The kernel closures of one file and the headers around it, as plain data (schema in docs/closure.md).

    Raises:
        UntestedError: `system_headers` are asked for, and none are installed.
    """
    from hipport.frontend import compiledb, describe, units
    from hipport.frontend.closure import Mode
    from hipport.model import SourceFile
    from hipport.source.filetypes import is_code

    _headers_there(asked=system_headers)
    root = file.resolve().parent
    near = (p for p in sorted(root.rglob("*")) if p.is_file() and is_code(p.name) and p != file.resolve())
    paths = [file.resolve(), *(p for p in near if p.stat().st_size < 1 << 20)][:400]
    sources = [(p.relative_to(root).as_posix(), p.read_bytes()) for p in paths]
    files = [SourceFile(name, data) for name, data in sources]
    mode = Mode(warp.value if warp else "subwarp")
    commands = compiledb.read(root)
    found = units.read(units.around(files, file.name), mode, commands=commands, system_headers=system_headers)
    return list(describe.closures(found, file.name, kernel))


def _headers_there(*, asked: bool) -> None:
    """Say at once where the system's headers are asked for and missing, not for each file."""
    if asked:
        from hipport.frontend import system

        system.folders()


def verify(
    case_file: Path,
    names: Sequence[str] = (),
    *,
    original: str = "",
    ports: Sequence[str] = (),
    config: Config | None = None,
    port: Ported | None = None,
    settings: Settings | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Verified:
    """Run the cases of a file on the CUDA original and on its port, and compare what they give.

    Args:
        case_file: a verify.toml; the folder that it lies in is ported.
        names: of cases; none means all.
        original: the device of the CUDA original; empty: `cuda` if an NVIDIA GPU is here, else `wave:32`.
        ports: the devices of the port; none: `hip` if an AMD GPU of a target is here, else `isa:` each target.
        config: what the port is told.
        port: a port that exists; None makes one, or takes it from the cache.
        settings: which inputs, which gates, when to stop.
        progress: called with what is run next.

    Raises:
        DataError: the case file does not fit its format; with file and line.
        UsageError: a case or a device is named that is not there.
    """
    from dataclasses import replace

    from hipport.config import Stage, load
    from hipport.diffing import casefile, evidence, verify

    cases = verify.chosen(casefile.read(case_file), names)
    told = config or load(case_file)
    first, others = verify_devices(original, ports, told.targets)
    made: list[Ported] = [] if port is None else [port]

    def ported() -> Ported:
        if not made:
            made.append(ported_folder(case_file.resolve().parent, told))
        return made[0]

    def reference() -> Ported:
        return ported_folder(case_file.resolve().parent, replace(told, only=tuple(Stage)))

    done = verify.verified(cases, ported, first, others, settings or verify.Settings(), progress, reference)
    evidence.keep(done.judged)
    return done


def certificates(verified: Verified, folder: Path) -> list[Path]:
    """Write a certificate for every case and device into `folder`; the paths."""
    from hipport.diffing import certificate

    rows = [(one.case, one.source, one) for one in verified.judged if one.case and one.source]
    return certificate.written(folder, rows)


def record(
    case_file: Path,
    names: Sequence[str] = (),
    *,
    device: str = "",
    out: Path | None = None,
    config: Config | None = None,
    port: Ported | None = None,
    settings: Settings | None = None,
    quick: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> Recording:
    """Run the cases of a file on one device and keep the outputs, in the file `out` where one is named.

    A device that builds CUDA runs the original; one that builds HIP runs the port. `quick` takes few, small inputs.

    Raises:
        DataError: the case file does not fit its format; with file and line.
        UsageError: a case or a device is named that is not there.
    """
    from hipport.config import load
    from hipport.diffing import casefile, recording, verify
    from hipport.diffing.record import recorded

    cases = verify.chosen(casefile.read(case_file), names)
    told = config or load(case_file)
    made: list[Ported] = [] if port is None else [port]

    def ported() -> Ported:
        if not made:
            made.append(ported_folder(case_file.resolve().parent, told))
        return made[0]

    spec = device or default_device(told.targets)
    done = recorded(cases, spec, ported, settings or verify.Settings(), quick=quick, progress=progress)
    if out is not None:
        recording.write(done, out)
    return done


def diff(original: Path, port: Path, contract: str = "") -> Verified:
    """Compare two recordings: the original's and the port's, by the contracts of the first or by `contract`.

    Raises:
        DataError: a file is no recording.
        UsageError: there is no such contract.
    """
    from hipport.diffing import recording
    from hipport.diffing.contract import Contract
    from hipport.diffing.differ import diffed

    told = Contract.named(contract) if contract else None
    return diffed(recording.read(original), recording.read(port), told)


def pack(
    case_file: Path,
    out: Path,
    names: Sequence[str] = (),
    *,
    config: Config | None = None,
    port: Ported | None = None,
    quick: bool = False,
) -> Packed:
    """Write a bundle of a file's cases that the owner of an AMD GPU runs with one command.

    Raises:
        DataError: the case file does not fit its format; with file and line.
        HipportError: the port fails, or the bundle cannot be written.
    """
    from hipport.config import load
    from hipport.diffing import bundle, casefile, verify

    cases = verify.chosen(casefile.read(case_file), names)
    told = config or load(case_file)
    return bundle.pack(cases, port or ported_folder(case_file.resolve().parent, told), out, quick=quick)


def devices(*, ask: bool = False) -> tuple[Listed, ...]:
    """Every device that can be named here; hosts of hipport.toml are reached only where `ask` is set."""
    from hipport.device.listing import listed

    return listed(ask=ask)


def verify_init(folder: Path) -> str:
    """The text of a case file for the kernels of a folder, from their parameters and launches.

    Raises:
        UsageError: the folder has no kernel.
    """
    from hipport.diffing import cases, propose
    from hipport.source.filetypes import is_code

    found = []
    for path in sorted(cases.files_of(folder)):
        data = path.read_bytes() if is_code(path.name) else b""
        if path.suffix in {".cu", ".cuh"} and b"__global__" in data and any(propose.kernels(data)):
            name = path.relative_to(folder).as_posix()
            found.append((name, data, closures(path)))
    if not found:
        raise UsageError("there is no kernel", where=str(folder), next_step="name the folder of CUDA sources")
    return propose.proposal(found)


def verify_devices(original: str, ports: Sequence[str], targets: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The original's device and the port's, with what is meant where none is named."""
    from hipport.device import cpu, default_spec, gpu

    first = original or ("cuda" if gpu.nvidia_gpus() else "wave:32")
    if ports:
        return first, tuple(ports)
    default = default_spec(targets)
    if default == "hip":
        return first, (default,)
    return first, tuple(f"isa:{name}" for name in targets if name in cpu.READY) or (default,)


def ported_folder(folder: Path, config: Config) -> Ported:
    """The port of a folder in the cache, with the rules that it left aside.

    Raises:
        HipportError: a file of it cannot be ported.
    """
    from dataclasses import replace

    from hipport.config import Stage
    from hipport.diffing import ports
    from hipport.model import OutcomeKind
    from hipport.porting.cache import settings_key
    from hipport.renames.user import user_rules

    def make(out: Path) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
        answer = port(folder, out, config=config, detail=True)
        for row in answer.report.files:
            if row.outcome.kind is OutcomeKind.FAILED:
                raise HipportError(f"the port fails: {row.outcome.reason}", where=str(folder / row.path))
        whole = port(folder, config=replace(config, only=tuple(Stage)), detail=True)
        names = {row.path: row.target_path for row in answer.report.files}
        return names, _suspects(answer.report, whole.report)

    key = settings_key(config, user_rules(folder), detail=True).hex()
    return ports.kept(folder, key, make)


def _suspects(done: Report, whole: Report) -> dict[str, tuple[str, ...]]:
    """Source -> the rules that a whole port applies or names and this one did not apply; a header's count for all."""
    applied = {(row.path, found.finding.rule) for row in done.files for found in row.findings if found.applied}
    left: dict[str, dict[str, None]] = {}
    for row in (*whole.files, *done.files):
        for found in row.findings:
            rule = found.finding.rule
            if rule not in {"rename", "include"} and (row.path, rule) not in applied:
                left.setdefault(row.path, {})[rule] = None
    headers = {rule: None for path, rules in left.items() if not path.endswith((".cu", ".cpp")) for rule in rules}
    return {row.path: tuple({**left.get(row.path, {}), **headers}) for row in done.files}

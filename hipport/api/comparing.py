"""Comparing an original with its port: verify, record, diff, pack."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from hipport.api import facts, porting
from hipport.api.running import default_device
from hipport.errors import HipportError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hipport.config import Config
    from hipport.diffing.bundle import Packed
    from hipport.diffing.recording import Recording
    from hipport.diffing.verify import Ported, Settings, Verified
    from hipport.model import Report


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
    ported = _once(case_file, told, port)

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
    spec = device or default_device(told.targets)
    ported = _once(case_file, told, port)
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
            found.append((name, data, facts.closures(path)))
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
        answer = porting.port(folder, out, config=config, detail=True)
        for row in answer.report.files:
            if row.outcome.kind is OutcomeKind.FAILED:
                raise HipportError(f"the port fails: {row.outcome.reason}", where=str(folder / row.path))
        whole = porting.port(folder, config=replace(config, only=tuple(Stage)), detail=True)
        names = {row.path: row.target_path for row in answer.report.files}
        return names, _suspects(answer.report, whole.report)

    key = settings_key(config, user_rules(folder), detail=True).hex()
    return ports.kept(folder, key, make)


def _once(case_file: Path, config: Config, port: Ported | None) -> Callable[[], Ported]:
    """Gives the port that exists, or makes that of the case file's folder when it is first asked for."""
    return functools.cache(lambda: port or ported_folder(case_file.resolve().parent, config))


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

"""A program case: both programs are built and run; exit status, stdout and files are compared, numbers by tolerance."""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.device.program.anywhere import ProgramOutput, run_on
from hipport.diffing.cases import Point
from hipport.diffing.judge import Judged, PointResult
from hipport.diffing.verdict import Difference, Kind, Margin, Verdict, What
from hipport.errors import HipportError, UntestedError

if TYPE_CHECKING:
    from hipport.device.executor import Limits
    from hipport.diffing.cases import Case

# a number as programs print it; what is not part of a word
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|nan|inf)(?![\w])")
_DEVICE = re.compile(r"(?i)\b(nvidia|amd|hipport|radeon|instinct|tesla|geforce)\b.*")


@dataclass(frozen=True, slots=True)
class Compared:
    """What of a program is compared: these files beside stdout and exit status, without what a pattern matches."""

    files: tuple[str, ...]
    ignore: tuple[str, ...]
    rtol: float


def judged_program(case: Case, sources: tuple[Path, Path], specs: tuple[str, str], limits: Limits) -> Judged:
    """The answer for a program case: the original of `sources` and `specs` first, then the port."""
    want = run_case(case, sources[0], specs[0], limits)
    if want.problem:
        text = f"the original cannot be judged on {specs[0]}: {want.problem}"
        return _answer(case, specs, Verdict(Kind.UNPROVEN, text))
    got = run_case(case, sources[1], specs[1], limits)
    if got.problem:
        kind = Kind.UNPROVEN if got.untested else Kind.FAILED
        return _answer(case, specs, Verdict(kind, f"the port on {specs[1]}: {got.problem}"))
    verdict = compared(Compared(case.files, case.ignore, case.rtol), want, got)
    same = verdict.kind is Kind.SAME
    return _answer(case, specs, verdict, (want.seconds, got.seconds) if same else (0.0, 0.0))


def _answer(case: Case, specs: tuple[str, str], verdict: Verdict, seconds: tuple[float, float] = (0.0, 0.0)) -> Judged:
    row = PointResult(Point({}, family=" ".join(case.program) or "program"), "forward", verdict)
    contract = f"rtol {case.rtol:g}" if case.rtol else "exact"
    return Judged(case.name, specs[0], specs[1], contract, (row,), seconds=seconds)


def run_case(case: Case, folder: Path, spec: str, limits: Limits) -> ProgramOutput:
    """Build a copy of the folder and run it; what fails is said in the answer."""
    with tempfile.TemporaryDirectory(prefix="hipport-") as text:
        copy = Path(text) / "parent" / "above" / (folder.resolve().name or "program")
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git", "*.o", ".hipport"))
        try:
            return run_on(
                spec, copy, case.program, files=case.files, make=case.make, cflags=case.options, limits=limits
            )
        except UntestedError as error:
            return ProgramOutput(0, "", problem=error.what, untested=True)
        except HipportError as error:
            return ProgramOutput(0, "", problem=error.what)


def compared(case: Compared, want: ProgramOutput, got: ProgramOutput) -> Verdict:
    """Exit status, then stdout line by line, then the files byte by byte where they are no text."""
    if want.code != got.code:
        text = f"exit status {got.code}, not {want.code}"
        last = got.output.strip().splitlines()[-1:]
        return Verdict(
            Kind.DIFFERS, "", (Difference("exit status", What.TEXT, text + "".join(f": {x}" for x in last)),)
        )
    found = _text_difference("stdout", got.output, want.output, case)
    rows = [found]
    for name in case.files:
        first, second = got.files.get(name), want.files.get(name)
        if second is None:
            return Verdict(Kind.UNPROVEN, f"the original writes no {name}")
        if first is None:
            rows.append(Difference(name, What.MISSING, f"{name}: the port does not write it"))
        else:
            rows.append(_file_difference(name, first, second, case))
    different = tuple(row for row in rows if isinstance(row, Difference))
    if different:
        return Verdict(Kind.DIFFERS, "", different)
    if not case.files and not _kept(want.output, case):
        return Verdict(Kind.UNPROVEN, "the program prints nothing that is compared: exit status 0 alone proves little")
    return Verdict(Kind.SAME, margins=tuple(row for row in rows if isinstance(row, Margin)))


def _kept(text: str, case: Compared) -> list[str]:
    """The lines that count, without what an `ignore` matches and without the name of the GPU."""
    patterns = [*(re.compile(pattern) for pattern in case.ignore), _DEVICE]
    lines = []
    for line in text.splitlines():
        for pattern in patterns:
            line = pattern.sub("", line)  # noqa: PLW2901 - each pattern takes its part
        lines.append(line.strip())
    return [line for line in lines if line]


def _text_difference(name: str, got: str, want: str, case: Compared) -> Difference | Margin:
    ours, theirs = _kept(got, case), _kept(want, case)
    worst = 0.0
    for at, (first, second) in enumerate(zip(ours, theirs, strict=False)):
        part = _line_difference(first, second)
        if part > case.rtol:
            text = f"{name}: line {at + 1} is `{first[:80]}`, not `{second[:80]}`"
            return Difference(name, What.TEXT, text, 1, len(theirs), (at,), first[:80], second[:80], relative=part)
        worst = max(worst, part)
    if len(ours) != len(theirs):
        return Difference(name, What.TEXT, f"{name}: {len(ours)} lines, not {len(theirs)}", 1, len(theirs))
    return Margin(name, relative=worst, allowed=case.rtol)


def _line_difference(first: str, second: str) -> float:
    """The worst relative difference of the numbers of two lines; infinite where anything else differs."""
    if first == second:
        return 0.0
    if _NUMBER.sub("#", first) != _NUMBER.sub("#", second):
        return float("inf")
    worst = 0.0
    for one, two in zip(_NUMBER.findall(first), _NUMBER.findall(second), strict=True):
        if one == two:
            continue
        a, b = float(one), float(two)
        whole = not re.search(r"[.eEn]", one + two)
        if whole or a != a or b != b:  # noqa: PLR0124 - NaN
            return float("inf")
        worst = max(worst, abs(a - b) / max(abs(a), abs(b)))
    return worst


def _file_difference(name: str, got: bytes, want: bytes, case: Compared) -> Difference | Margin:
    if got == want:
        return Margin(name)
    try:
        return _text_difference(name, got.decode("utf-8"), want.decode("utf-8"), case)
    except UnicodeDecodeError:
        at = next((i for i, (a, b) in enumerate(zip(got, want, strict=False)) if a != b), min(len(got), len(want)))
        text = f"{name}: bytes differ from {at} on ({len(got)} and {len(want)} bytes)"
        return Difference(name, What.TEXT, text, 1, len(want), (at,))

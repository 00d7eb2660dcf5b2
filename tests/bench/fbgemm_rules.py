"""hipport's rules on FBGEMM's own fixes, class by class: `python -m tests.bench.fbgemm_rules FBGEMM_GIT_DIR`.

Method. Each table of fbgemm_labels/ is a class: `# rules:` names the rules that are measured, and each row is a commit,
a file under fbgemm_gpu/, a verdict made by hand and its reason. Before and after a commit, the file is read with the
headers of the same revision that it includes. *Flagged*: before, a finding of the class lies where the commit changed
a line: in that device function, between the launch before and the launch, or in the macro that launches. *Clean*:
after, none does. A row of verdict `none` is to be neither flagged nor unclean. A `half` is a fault that its commit
mends in part, or into a lesser one: the side after it holds a fault as well, so that both are to be flagged. A fifth
column is a piece of a line: then the file is read at that revision only, and only findings on such lines count.

Recall is the share of the sides with a fault that are flagged; precision that of the flagged sides that hold a fault: a
`none` that is flagged, and a side after its fix that is not clean, count against it (*strict* precision: the side after
a `half` too). Only findings on correctness are counted, and
the offers of the rules that `# offers:` names.
`quiet` counts the kernels at the newest revision that the class says nothing about.
"""

from __future__ import annotations

import difflib
import json
import posixpath
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.frontend import units
from hipport.model import Finding, Purpose, SourceFile
from hipport.rewrites import rule
from hipport.targets import targets
from tests.bench.fbgemm_history import git

if TYPE_CHECKING:
    from hipport.frontend.unit import Unit

LABELS = Path(__file__).with_name("fbgemm_labels")
BASE = "fbgemm_gpu/"
TARGETS = targets(["gfx942", "gfx950"])


@dataclass(frozen=True, slots=True)
class Label:
    """One row of a table."""

    commit: str
    file: str
    verdict: str
    note: str
    piece: str = ""


def table(path: Path) -> tuple[tuple[str, ...], list[Label], tuple[str, ...]]:
    """The rules of a class, its rows, and the rules whose offers count too."""
    lines = path.read_text(encoding="utf-8").splitlines()
    head = next(line for line in lines if line.startswith("# rules:"))
    rows = [Label(*line.split("\t")) for line in lines if line and not line.startswith("#")]
    offers = next((line for line in lines if line.startswith("# offers:")), "")
    return tuple(head.removeprefix("# rules:").split()), rows, tuple(offers.removeprefix("# offers:").split())


class Revision:
    """FBGEMM at one commit; files are read out of git, never onto disk."""

    def __init__(self, folder: str, commit: str) -> None:
        self.folder = folder
        self.commit = commit
        self.names = frozenset(git(folder, "ls-tree", "-r", "--name-only", commit, BASE).split())

    def text(self, name: str) -> str:
        return git(self.folder, "show", f"{self.commit}:{name}") if name in self.names else ""

    def chain(self, name: str) -> list[SourceFile]:
        """A file and what it includes of FBGEMM."""
        found: dict[str, bytes] = {name: self.text(name).encode()}
        todo = [name]
        while todo:
            here = todo.pop()
            for operand in re.findall(rb'^\s*#\s*include\s*[<"]([^>"]+)[>"]', found[here], re.MULTILINE):
                for base in (BASE + "include/", BASE, here.rsplit("/", 1)[0] + "/"):
                    other = posixpath.normpath(base + operand.decode())
                    if other in self.names and other not in found:
                        found[other] = self.text(other).encode()
                        todo.append(other)
                        break
        return [SourceFile(path, body) for path, body in found.items()]


def read(
    revision: Revision, name: str, rules: tuple[str, ...], offers: tuple[str, ...] = ()
) -> tuple[Unit | None, list[Finding]]:
    """The unit of a file and its findings of a class."""
    unit = units.read(revision.chain(name)).get(name)
    if unit is None:
        return None, []
    mine = [one for one in rule.rules() if one.id in rules + offers]
    found = {f.span: f for target in TARGETS for one in mine for f in one.find(unit, target)}
    return unit, [f for f in found.values() if f.purpose is Purpose.CORRECTNESS or f.rule in offers]


def changed(before: str, after: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The lines (from 0, half-open) that a commit took away or changed, and those that it wrote."""
    old, new = before.split("\n"), after.split("\n")
    codes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    hot = [c for c in codes if c[0] != "equal"]
    return [(a, max(b, a + 1)) for _, a, b, _, _ in hot], [(c, max(d, c + 1)) for _, _, _, c, d in hot]


def place(unit: Unit, at: int) -> tuple[int, int]:
    """The bytes that a finding is about: a device function, a launch with what stands above it, or its own line."""
    around = unit.function_at(at)
    if around:
        return around.start, around.end
    host = unit.host_at(at)
    if host is None:
        macros = re.finditer(rb"^[ \t]*#[ \t]*define\b(?:[^\n\\]|\\\r?\n|\\.)*", unit.text.code, re.MULTILINE)
        return next(((m.start(), m.end()) for m in macros if m.start() <= at < m.end()), (at, at + 1))
    shots = [shot for shot in unit.launches_in(host) if shot.config[0][0] <= at]
    before = next((s for s in reversed(shots) if s.config[0][0] != (shots[-1].config[0][0] if shots else -1)), None)
    return (before.config[-1][1] if before else host.start), max(at, shots[-1].config[-1][1] if shots else at)


def within(unit: Unit | None, found: list[Finding], lines: list[tuple[int, int]]) -> list[str]:
    """The messages of the findings whose place has a changed line."""
    if unit is None:
        return []
    line = lambda at: unit.text.data.count(b"\n", 0, at)  # noqa: E731
    said = []
    for finding in found:
        first, last = (line(at) for at in place(unit, finding.span.start))
        if any(a <= last and first < b for a, b in lines):
            said.append(finding.message)
    return said


def judged(folder: str, label: Label, rules: tuple[str, ...], offers: tuple[str, ...]) -> dict[str, object]:
    """One row with what was found before and after."""
    name = BASE + label.file
    row: dict[str, object] = {"commit": label.commit, "file": label.file, "verdict": label.verdict}
    if label.piece:
        unit, found = read(Revision(folder, label.commit), name, rules, offers)
        data = unit.text.data if unit else b""
        places = [i for i, text in enumerate(data.decode("utf-8", "replace").split("\n")) if label.piece in text]
        hit = {data.count(b"\n", 0, f.span.start) for f in found}
        told = sum(i in hit for i in places)
        return {**row, "places": len(places), "before": told, "after": 0}
    old, new = Revision(folder, label.commit + "^"), Revision(folder, label.commit)
    was, now = changed(old.text(name), new.text(name))
    before = within(*read(old, name, rules, offers), was)
    after = within(*read(new, name, rules, offers), now)
    return {**row, "before": len(before), "after": len(after), "said": before[:2], "left": after[:2]}


def measured(folder: str, path: Path) -> dict[str, object]:
    """Recall and precision of one class, and its rows."""
    rules, labels, offers = table(path)
    rows = [judged(folder, label, rules, offers) for label in labels if label.verdict != "out"]
    faults = [r for r in rows if r["verdict"] == "fault"]
    halves = [r for r in rows if r["verdict"] == "half"]
    nones = [r for r in rows if r["verdict"] == "none"]
    before = sum(bool(r["before"]) for r in (*faults, *halves))
    flagged = before + sum(bool(r["after"]) for r in halves)
    false = sum(bool(r["after"]) for r in faults) + sum(bool(r["before"]) + bool(r["after"]) for r in nones)
    return {
        "faults": len(faults),
        "half": len(halves),
        "none": len(nones),
        "left out": sum(label.verdict == "out" for label in labels),
        "flagged": flagged,
        "recall": round(flagged / max(1, len(faults) + 2 * len(halves)), 3),
        "clean after": sum(not r["after"] for r in faults),
        "false": false,
        "precision": round(flagged / max(1, flagged + false), 3),
        "strict precision": round(before / max(1, flagged + false), 3),
        "rows": rows,
    }


def quiet(folder: str, rules: tuple[str, ...], offers: tuple[str, ...] = (), every: int = 1) -> dict[str, int]:
    """How many kernels of the newest revision the rules say nothing about (every n-th file with kernels)."""
    revision = Revision(folder, "71d6f8b22")
    names = sorted(n for n in revision.names if n.endswith((".cu", ".cuh")) and "/test/" not in n)
    kernels = told = 0
    for name in names[::every]:
        if "__global__" not in revision.text(name):
            continue
        unit, found = read(revision, name, rules, offers)
        for function in unit.functions if unit else ():
            if function.kernel:
                kernels += 1
                told += any(function.start <= f.span.start < function.end for f in found) or any(
                    f"`{function.name}`" in f.message for f in found
                )
    return {"kernels": kernels, "silent": kernels - told}


if __name__ == "__main__":
    chosen = sys.argv[2:] or sorted(p.stem for p in LABELS.glob("*.tsv"))
    out: dict[str, object] = {name: measured(sys.argv[1], LABELS / f"{name}.tsv") for name in chosen}
    for name in chosen:
        rules, _, offers = table(LABELS / f"{name}.tsv")
        out[f"{name}: quiet"] = quiet(sys.argv[1], rules, offers, 4)
    print(json.dumps(out, indent=1))

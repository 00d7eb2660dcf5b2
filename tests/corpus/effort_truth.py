"""Holds the effort figure of `hipport report` against what people changed: HeCBench's programs and their HIP twins.

    python -m tests.corpus.effort_truth HECBENCH/src

The truth of a program is the number of diff hunks (no context lines, white space aside) between its CUDA files and the
files of the same name in its HIP folder, its Makefile included. Prints Spearman's rank correlation with the effort, and
for comparison with the number of renamed names and with the number of bytes.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

from hipport import api

SUFFIXES = (".cu", ".cuh", ".h", ".hpp", ".c", ".cc", ".cpp", ".hip")


def main(root: Path) -> None:
    pairs = [(cuda, cuda.with_name(cuda.name[: -len("-cuda")] + "-hip")) for cuda in sorted(root.glob("*-cuda"))]
    pairs = [(cuda, hip) for cuda, hip in pairs if hip.is_dir()]
    rows = {row.name: row for row in api.report([str(cuda) for cuda, _ in pairs]).rows}
    truth, effort, names, size = [], [], [], []
    for cuda, hip in pairs:
        hunks = changed_hunks(cuda, hip)
        row = rows[cuda.name]
        if hunks is None or row.error:
            continue
        truth.append(hunks)
        effort.append(row.effort)
        names.append(row.statuses.get("renamed", 0))
        size.append(row.size)
    print(f"{len(truth)} programs, {sum(truth)} hunks changed by hand")
    for name, values in (("effort", effort), ("renamed names", names), ("bytes", size)):
        print(f"Spearman's rank correlation of {name} with hunks: {spearman(values, truth):.3f}")


def changed_hunks(cuda: Path, hip: Path) -> int | None:
    """Hunks that differ over the files that both have; None where the twin shares no file."""
    total, shared = 0, 0
    for path in sorted(p for p in cuda.rglob("*") if p.is_file()):
        other = twin(path, hip / path.relative_to(cuda))
        if other is None:
            continue
        shared += 1
        total += hunks(lines(path), lines(other))
    return total if shared else None


def twin(path: Path, place: Path) -> Path | None:
    if path.suffix not in SUFFIXES and path.name != "Makefile":
        return None
    places = [place, place.with_suffix(".hip"), place.with_suffix(".cpp")] if path.suffix == ".cu" else [place]
    return next((p for p in places if p.is_file()), None)


def lines(path: Path) -> list[str]:
    text = path.read_text(encoding="latin-1")
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def hunks(old: list[str], new: list[str]) -> int:
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return sum(tag != "equal" for tag, *_ in matcher.get_opcodes())


def spearman(left: list[float], right: list[float]) -> float:
    """Pearson's correlation of the ranks; ties share their mean rank."""
    a, b = ranks(left), ranks(right)
    mean = (len(a) + 1) / 2
    over = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    return over / (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5


def ranks(values: list[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranked = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranked[place] = (start + end + 1) / 2
        start = end
    return ranked


if __name__ == "__main__":
    main(Path(sys.argv[1]))

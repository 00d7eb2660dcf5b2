"""The rows of a HeCBench run as Markdown: `python -m tests.corpus.hecbench_table out.jsonl > section.md`.

hecbench_notes.tsv explains what a run cannot: program, tab, what is behind its outcome.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

NOTES = Path(__file__).with_name("hecbench_notes.tsv")
GROUPS = (
    ("pass", "Ran to its own PASS"),
    ("ran, checks nothing", "Ran to its end; the program checks nothing itself"),
    ("own check failed", "Its own check failed"),
    ("fault", "Stopped by a check of the executor"),
    ("signal", "Ended by a signal of its host code"),
    ("too large", "Too large at the smallest size tried"),
    ("not provided", "Needs what is not provided"),
    ("inconclusive", "Inconclusive"),
    ("input missing", "Its input file is not in the copy that was run"),
    ("does not build", "Does not build"),
    ("runner", "The runner's own trouble"),
)


def notes() -> dict[str, str]:
    rows = (line.split("\t", 1) for line in NOTES.read_text(encoding="utf-8").splitlines() if "\t" in line)
    return dict(rows)


def why(row: dict[str, Any], known: dict[str, str]) -> str:
    """One line about a row that is no pass."""
    if row["program"] in known:
        return known[row["program"]]
    best = row.get("best", {})
    if best.get("missing"):
        return f"`{best['missing']}`"
    if best.get("fault"):
        return re.sub(r"/\S+?/src/", "", best["fault"])
    if row["outcome"] == "too large":
        return (
            f"`{' '.join(best['args'])}`: {best['seconds']:.0f} s and more"
            if best["args"]
            else f"{best['seconds']:.0f} s and more"
        )
    if row["outcome"] == "does not build":
        found = re.findall(r"([\w+./-]+:\d+: [^;|\n]+|fatal error: [^\n]+|undefined reference to [^\n]+)", row["why"])
        return re.sub(r"/\S+?/src/", "", found[0] if found else row["why"].strip().splitlines()[-1])
    return (best.get("output") or row.get("why", "")).strip().splitlines()[-1:][0] if best or row.get("why") else ""


def section(rows: list[dict[str, Any]]) -> str:
    known = notes()
    counts = Counter(row["outcome"] for row in rows)
    kernels = [(name, missing) for row in rows for name, missing in row.get("kernels", {}).items()]
    whole = sum(not missing for _, missing in kernels)
    lines = [f"{len(rows)} programs attempted; {len(kernels)} kernels compiled, {whole} of them lift whole.", ""]
    lines += ["| outcome | programs |", "|---|---|"]
    lines += [f"| {title} | {counts[key]} |" for key, title in GROUPS if counts[key]]
    for key, title in GROUPS:
        these = sorted((row for row in rows if row["outcome"] == key), key=lambda row: row["program"])
        if not these:
            continue
        lines += ["", f"**{title}**", ""]
        if key in {"pass", "ran, checks nothing"}:
            lines.append(", ".join(row["program"].removesuffix("-hip") for row in these) + ".")
            continue
        lines += ["| program | why |", "|---|---|"]
        lines += [
            f"| {row['program'].removesuffix('-hip')} | {why(row, known).replace('|', '/')[:240]} |" for row in these
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(section([json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]), end="")

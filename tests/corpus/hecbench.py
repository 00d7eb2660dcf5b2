"""Runs HeCBench's `*-hip` programs on the isa executor and says what became of each. Not part of CI.

    python -m tests.corpus.hecbench SRC [--names a-hip,b-hip] [--target gfx942] [--seconds 60] [--jobs 2] -o out.jsonl
    python -m tests.corpus.hecbench PORT --kind cuda -o out.jsonl        # the `*-cuda` folders of a port

SRC is HeCBench's src folder (https://github.com/zjin-lcf/HeCBench), or a port of its CUDA side (`hipport port SRC -o
PORT`, tests.corpus.hipify_perl); nothing is written there. Each program is built once and run with several sizes until
its own check passes: first with its words in hecbench_words.tsv. A program that is in the output file is not run again.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from hipport.device.executor import Limits
from hipport.device.isa import abi
from hipport.device.program import project
from hipport.device.program.run import Ended, ProgramRun, run_built
from hipport.errors import HipportError, UntestedError
from tests.corpus.hecbench_arguments import SOURCES, attempts

PASS = re.compile(
    r"\bPASS(ED)?\b|\bSUCCESS(FUL(LY)?)?\b|\bcorrect\b|\bverified\b|Verification: *OK|^Error rate:(?: +0(?:\.0+)?)+ *$",
    re.IGNORECASE | re.MULTILINE,
)
FAIL = re.compile(
    r"\bFAIL(ED|URE|S)?\b|\bmismatch(es)?\b|\bincorrect\b|\bwrong\b|results? differ|\bnot correct\b|error at"
    r"|^Error rate:.* [\d.]*[1-9]",
    re.IGNORECASE | re.MULTILINE,
)
NO_INPUT = re.compile(
    r"(fail(ed)?|unable|error|could not|cannot|can't|couldn't|not able)( to)?:? ?(be )?"
    r"(open|load|read|find|import|stat)"
    r"|no such (file|folder)|not open|open fails|bad file|not found|exists\(path\)|f != NULL"
    r"|Assertion `file'|MCMD input file",
    re.IGNORECASE,
)
_KEPT = 1500  # characters of output


def said(output: str) -> str:
    """`pass`, `fail` or `nothing`: what a program says of itself."""
    if FAIL.search(output):
        return "fail"
    return "pass" if PASS.search(output) else "nothing"


def outcome(run: ProgramRun) -> str:
    """One run in the words of docs/benchmarks.md."""
    words = {
        Ended.FAULT: "fault",
        Ended.INCONCLUSIVE: "inconclusive",
        Ended.NOT_PROVIDED: "not provided",
        Ended.TIME_LIMIT: "too large",
        Ended.SIGNAL: "signal",
    }
    if run.ended is Ended.FAULT and "out of memory" in run.output:  # it goes on with a null pointer
        return "too large"
    if run.ended in words and run.ended is not Ended.SIGNAL:
        return words[run.ended]
    if said(run.output) != "pass" and NO_INPUT.search(run.output):
        return "input missing"
    if run.ended is Ended.SIGNAL:
        return "signal"
    if run.ended is Ended.OWN or said(run.output) == "fail":
        return "own check failed"
    return "pass" if said(run.output) == "pass" else "ran, checks nothing"


def lifted(modules: tuple[tuple[str, str], ...]) -> dict[str, list[str]]:
    """Kernel -> the opcodes of it that are not modelled."""
    found = {}
    for _, path in modules:
        _, header = abi.load(path)
        for at in range(header.kernel_count):
            kernel = header.kernels[at]
            found[kernel.name.decode()] = [kernel.unknown[i].decode() for i in range(kernel.unknown_count)]
    return found


def attempt(built: project.Built, target: str, words: list[str], limits: Limits) -> dict[str, Any]:
    run = run_built(built, target, words, limits=limits, capture=True)
    row: dict[str, Any] = {"args": words, "outcome": outcome(run), "code": run.code, "seconds": round(run.seconds, 2)}
    row |= {"fidelity": run.fidelity.value, "launches": sum(k.launches for k in run.kernels), "poison": limits.poison}
    if run.fault:
        row["fault"] = f"{run.fault.kind}: {run.fault.where}: {run.fault.message}"
    if run.refused:
        row["refused"] = f"{run.refused[0].hip_error}: {run.refused[0].message}"
    if run.missing:
        row["missing"] = run.missing
    row["output"] = run.output[-_KEPT:]
    return row


_ORDER = (
    "pass",
    "ran, checks nothing",
    "own check failed",
    "fault",
    "signal",
    "too large",
    "inconclusive",
    "not provided",
    "input missing",
)
_FINAL = {"pass", "input missing", "not provided", "inconclusive", "ran, checks nothing"}


def tries(built: project.Built, folder: Path, target: str, limits: Limits, total: float) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    started = time.monotonic()
    for words in attempts(folder):
        left = total - (time.monotonic() - started)
        if left < 1:
            break
        now = replace(limits, seconds=min(limits.seconds, left))
        rows.append(attempt(built, target, words, now))
        if rows[-1]["outcome"] == "fault" and "uninitialised" in rows[-1]["fault"]:
            rows.append(attempt(built, target, words, replace(now, poison=False)))
        if rows[-1]["outcome"] in _FINAL:
            break
    return rows


def program(folder: Path, target: str, limits: Limits, total: float) -> dict[str, Any]:
    """Build one program and try it."""
    row: dict[str, Any] = {"program": folder.name, "target": target}
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="hecbench-") as scratch:
        try:
            built = project.build(folder, target, Path(scratch), make=("OPTIMIZE=yes",))
        except UntestedError as error:
            return row | {"outcome": "not provided", "why": str(error)[-600:]}
        except HipportError as error:
            return row | {"outcome": "does not build", "why": str(error)[-1200:]}
        row["build_seconds"] = round(time.monotonic() - started, 2)
        row["kernels"] = lifted(built.modules)
        rows = tries(built, folder, target, limits, total)
    best = min(rows, key=lambda tried: _ORDER.index(tried["outcome"]))
    return row | {"outcome": best["outcome"], "best": best, "tries": rows}


def simplest_first(src: Path, kind: str) -> list[str]:
    """Every program, those that check themselves first, the smaller before the larger."""
    rows = []
    for folder in sorted(src.glob(f"*-{kind}")):
        texts = [p.read_text("utf-8", "replace") for p in folder.rglob("*") if p.suffix in SOURCES and p.is_file()]
        heavy = any(re.search(r"<(thrust|hipcub|rocprim)/", text) for text in texts)  # hundreds of kernels
        rows.append((not any("PASS" in text for text in texts), heavy, sum(map(len, texts)), folder.name))
    return [row[-1] for row in sorted(rows)]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("src", type=Path)
    parser.add_argument("--names", default="")
    parser.add_argument("--kind", choices=("hip", "cuda"), default="hip", help="the folders' ending")
    parser.add_argument("--target", default="gfx942")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--total", type=float, default=150)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args(words)
    done = set()
    if given.output.is_file():
        done = {json.loads(line)["program"] for line in given.output.read_text(encoding="utf-8").splitlines()}
    named = given.names.split(",") if given.names else simplest_first(given.src, given.kind)
    folders = [given.src / name for name in named if name not in done]
    limits = Limits(seconds=given.seconds, threads=1, memory=6 << 30)
    lock = threading.Lock()

    def one(folder: Path) -> None:
        try:
            row = program(folder, given.target, limits, given.total)
        except Exception as error:  # noqa: BLE001 - one program's trouble is its row, not the run's end
            row = {"program": folder.name, "target": given.target, "outcome": "runner", "why": repr(error)}
        with lock, given.output.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row) + "\n")
            print(f"{row['program']:32} {row['outcome']}", flush=True)

    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(one, folders))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

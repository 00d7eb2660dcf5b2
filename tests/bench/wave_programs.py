"""CUDA programs of HeCBench on wave:32, as they are: how many build, end, and pass their own check.

    python -m tests.bench.wave_programs SRC [--every 13] [--only NAME,...] [--seconds 10] -o out.jsonl

SRC is HeCBench's src folder; every so-manieth of its `*-cuda` folders is built whole and run with small arguments.
`pass`: it ends with 0 and its own check says so. `quiet`: it ends with 0 and says nothing either way.
"""

from __future__ import annotations

import argparse
import collections
import json
import re
import tempfile
import time
from pathlib import Path
from typing import Any

from hipport.device.executor import Limits
from hipport.device.program.run import Ended
from hipport.device.wave.launch import executor
from hipport.device.wave.program import build, run_built
from hipport.errors import HipportError
from tests.corpus.hecbench_arguments import attempts

GOOD = re.compile(r"\bPASS(ED)?\b|\bOK\b|\bsuccess|\bverified\b|\bcorrect\b|results? match|\bpassed\b", re.IGNORECASE)
BAD = re.compile(r"FAIL|mismatch|incorrect|NOT PASSED|does not match", re.IGNORECASE)


def outcome(folder: Path, seconds: float) -> dict[str, Any]:
    """How one program fares."""
    started = time.monotonic()
    row: dict[str, Any] = {"program": folder.name}
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        try:
            built = build(folder, 32, Path(scratch), make=("OPTIMIZE=yes",))
        except HipportError as error:
            return row | {"ended": "does not build", "why": first_error(str(error))}
        row["build"] = round(time.monotonic() - started, 1)
        for words in attempts(folder)[:3]:
            limits = Limits(seconds=seconds, threads=1, memory=2 << 30)
            run = run_built(built, executor("32", limits), words, capture=True)
            row |= {"words": " ".join(words), "ended": run.ended.value, "seconds": round(run.seconds, 1)}
            row["why"] = run.output.strip()[-300:]
            if run.fault:
                row |= {"ended": run.fault.kind, "why": f"{run.fault.where}: {run.fault.message}"}
            if run.ended is Ended.SUCCESS:
                bad = BAD.search(run.output)
                row["ended"] = "own check fails" if bad else "pass" if GOOD.search(run.output) else "quiet"
            if run.ended is not Ended.TIME_LIMIT:
                break
    return row


def first_error(text: str) -> str:
    """The first line of a build's log that says what is wrong."""
    found = re.search(r"wave executor: (.*)|(undefined reference to .*)|(error: .*)", text)
    return (found[0] if found else text.strip()[-300:])[:400]


def main() -> None:
    """Measure, write one JSON row for each program, and sum up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src", type=Path)
    parser.add_argument("--every", type=int, default=13)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("-o", dest="out", type=Path, required=True)
    given = parser.parse_args()
    folders = sorted(given.src.glob("*-cuda"))[given.first :: given.every]
    if given.only:
        folders = [given.src / f"{name}-cuda" for name in given.only.split(",")]
    counts: collections.Counter[str] = collections.Counter()
    with given.out.open("w", encoding="utf-8") as stream:
        for folder in folders:
            row = outcome(folder, given.seconds)
            counts[row["ended"]] += 1
            stream.write(json.dumps(row) + "\n")
            stream.flush()
    print(len(folders), dict(counts.most_common()))


if __name__ == "__main__":
    main()

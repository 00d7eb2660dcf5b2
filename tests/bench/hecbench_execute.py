"""HeCBench programs whose HIP versions changed warp code by hand, ported and executed.

    hipport port SRC -o PORT --target gfx942,gfx950; python -m tests.corpus.hecbench_inputs PORT
    python -m tests.bench.hecbench_execute PORT isa:gfx942 [--reference cuda.jsonl] -o out.jsonl
    python -m tests.bench.hecbench_execute SRC cuda -o cuda.jsonl        # the originals, on an NVIDIA GPU with nvcc

SRC is HeCBench's src folder, PORT the port of its CUDA side as one tree. Each program is built and run whole, with
small arguments and inputs. `right`: it ends with 0, its own check says so (COMMANDS tells how it says it), and what it
prints and writes is what the reference recorded, where there is one and the program is deterministic. A program
without a check of its own is right only by the reference.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hipport.device.executor import Limits
from hipport.device.program import project
from hipport.device.program.run import Ended, run_built
from hipport.errors import HipportError


@dataclass(frozen=True, slots=True)
class Work:
    """One program: its command lines; what its check prints; the files it writes; defines; whether runs may differ."""

    commands: tuple[str, ...]
    says: str = "PASS"
    files: tuple[str, ...] = ()
    cflags: tuple[str, ...] = ()
    compared: bool = True
    poison: bool = True


COMMANDS = {
    "addBiasResidualLayerNorm": Work(("1",)),
    "atomicAggregate": Work(("1",)),
    "attention": Work(("256 64 1 1",)),
    "bscan": Work(("1",)),
    "bsw": Work(("reference.fasta query.fasta aligned",), "", ("aligned",)),
    "cc": Work(("small.egr 1",)),
    "gc": Work(("small.egr 1",)),
    "gemv": Work(("-s 1024 -i 1 -x 64 -y 2",), ""),
    "graphB+": Work(("small.csv 20 balanced",), "verification is on", cflags=("-DVERIFY",), compared=False),
    "groupnorm": Work(("2 32 16 16 32 1",)),
    "layernorm": Work(("1 16 768 1",), "All results match"),
    "mpc": Work(("small.trace 1", "compression.txt"), "", ("compression.txt", "decompression.txt")),
    "nbnxm": Work(("1",), "", cflags=("-DDEBUG",)),
    "quantAQLM": Work(("",), "", cflags=("-DDEBUG",)),
    "rmsnorm": Work(("1 1024 1",), "All results match"),
    "rsmt": Work(("small.gr",), ""),
    "score": Work(("1",)),
    "segsort": Work(("",)),
    "shuffle": Work(("1 1",)),
    "simpleSpmv": Work(("1024 64 1",)),
    "softmax": Work(("100 784 1 1",)),
    "softmax-fused": Work(("1 2 64 64 1",)),
    "softmax-online": Work(("1",), "All results match"),
    "vote": Work(("1",), "OK"),
    "warpexchange": Work(("128 128 1",)),
    "wedford": Work(("4 64 64 1",)),
}
BAD = re.compile(r"FAIL|mismatch|(?<!max )(?<!mean )\berror\b|incorrect|NOT PASSED", re.IGNORECASE)
_NOISE = re.compile(
    r"time|throughput|bandwidth|\(u?m?s\)|\bm?s/|GB/s|per second|device|multiproc|blocks|units|groups|memory usage"
    r"|seed:|hipport:|main\.(?:cu|hip)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?\b(?:inf|nan)\b")


def kept(output: str) -> list[str]:
    """The lines of an output that another run should print too."""
    return [line.strip() for line in output.splitlines() if line.strip() and not _NOISE.search(line)]


def alike(lines: list[str], others: list[str]) -> bool:
    """The same text; numbers within 1e-3 of the larger, as sums in another order differ."""
    if [_NUMBER.sub("#", line) for line in lines] != [_NUMBER.sub("#", line) for line in others]:
        return False
    pairs = zip(_NUMBER.findall("\n".join(lines)), _NUMBER.findall("\n".join(others)), strict=True)
    return all(a == b or abs(float(a) - float(b)) <= 1e-3 * max(abs(float(a)), abs(float(b)), 1e-3) for a, b in pairs)


def verdict(row: dict[str, Any], work: Work, reference: dict[str, Any] | None) -> tuple[str, str]:
    """(right | wrong | no check | the way it ended, why)."""
    if row["ended"] != "exit 0":
        return row["ended"], row["output"][-300:]
    if BAD.search(row["output"]):
        return "wrong", "its own check"
    if work.says and work.says not in row["output"]:
        return "wrong", f"it does not say {work.says}"
    if reference and verdict(reference, work, None)[0] in {"right", "no check"} and work.compared:
        if row["files"] != reference["files"]:
            return "wrong", f"files differ from the CUDA program's: {row['files']} {reference['files']}"
        if not alike(row["lines"], reference["lines"]):
            return "wrong", f"prints {row['lines'][-4:]}, the CUDA program {reference['lines'][-4:]}"
        checked = "its own check, and" if work.says else ""
        return "right", f"{checked} the CUDA program's output on an NVIDIA GPU".strip()
    return ("right", "its own check") if work.says else ("no check", "")


def digests(folder: Path, names: tuple[str, ...]) -> dict[str, str]:
    """File -> its SHA-256, empty where it is not there."""
    paths = {name: folder / name for name in names}
    return {n: hashlib.sha256(p.read_bytes()).hexdigest()[:16] if p.is_file() else "" for n, p in paths.items()}


def on_isa(folder: Path, work: Work, target: str, seconds: float, scratch: Path) -> dict[str, Any]:
    """Build for the executor and run the commands one after the other in the copy of the folder."""
    try:
        built = project.build(folder, target, scratch, cflags=work.cflags, make=("OPTIMIZE=yes",))
    except HipportError as error:
        return {"ended": "does not build", "output": str(error)[-1500:], "files": {}, "seconds": 0}
    output, spent, ended = "", 0.0, Ended.SUCCESS
    for words in work.commands:
        limits = Limits(seconds=seconds, threads=1, memory=6 << 30, poison=work.poison)
        run = run_built(built, target, words.split(), limits=limits, capture=True)
        output, spent, ended = output + run.output, spent + run.seconds, run.ended
        if run.fault:
            output += f"\n{run.fault.kind}: {run.fault.where}: {run.fault.message}"
        if ended is not Ended.SUCCESS:
            break
    return {"ended": ended.value, "output": output, "files": digests(built.folder, work.files), "seconds": spent}


def on_gpu(folder: Path, work: Work, seconds: float, scratch: Path) -> dict[str, Any]:
    """Build the original by its Makefile, with nvcc, and run it."""
    copy = project.copy_of(folder, scratch)
    words = ["make", "OPTIMIZE=yes", "ARCH=sm_90", f"EXTRA_CFLAGS={' '.join(work.cflags)}"]
    made = subprocess.run(words, cwd=copy, capture_output=True, text=True, errors="replace", check=False)
    if made.returncode or not (copy / "main").is_file():
        return {"ended": "does not build", "output": (made.stdout + made.stderr)[-800:], "files": {}, "seconds": 0}
    output, ended = "", "exit 0"
    for command in work.commands:
        try:
            ran = subprocess.run(
                ["./main", *command.split()], cwd=copy, capture_output=True, text=True, errors="replace",
                check=False, timeout=seconds,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return {"ended": "time limit", "output": output, "files": {}, "seconds": seconds}
        output += ran.stdout + ran.stderr
        ended = f"exit {ran.returncode}" if ended == "exit 0" else ended
    return {"ended": ended, "output": output, "files": digests(copy, work.files), "seconds": 0}


def execute(tree: Path, name: str, device: str, seconds: float) -> dict[str, Any]:
    """One program on a device: what it printed and wrote."""
    folder, work = tree / f"{name}-cuda", COMMANDS[name]
    with tempfile.TemporaryDirectory(prefix="hecbench-") as scratch:
        if device == "cuda":
            row = on_gpu(folder, work, seconds, Path(scratch))
        else:
            row = on_isa(folder, work, device.partition(":")[2], seconds, Path(scratch))
    return {"program": name, "device": device, **row, "lines": kept(row["output"])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("device")
    parser.add_argument("--names", default=",".join(COMMANDS))
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reference", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    reference = {}
    if given.reference:
        rows = map(json.loads, given.reference.read_text(encoding="utf-8").splitlines())
        reference = {row["program"]: row for row in rows}
    lock = threading.Lock()

    def one(name: str) -> None:
        row = execute(given.tree, name, given.device, given.seconds)
        row["verdict"], row["why"] = verdict(row, COMMANDS[name], reference.get(name))
        row["output"] = row["output"][-1500:]  # of a program that prints much, the end
        with lock, given.output.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row) + "\n")
            print(f"{name:28} {row['verdict']:16} {row['seconds']:7.1f}  {row['why'][:200]!r}", flush=True)

    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(one, given.names.split(",")))


if __name__ == "__main__":
    main()

"""HeCBench programs with warp code, ported and executed.

`python -m tests.bench.hecbench_execute HECBENCH/src isa:gfx942 [NAME...]`

Each program is ported (subwarp), built and run whole on the executor with small arguments; it counts as right where it
ends with 0 and says PASS (or prints no failure where it says neither). Programs that need data files are left out.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ARGUMENTS = {
    "addBiasResidualLayerNorm": "1",
    "atomicAggregate": "1",
    "attention": "256 64 1 1",
    "bscan": "1",
    "gemv": "-s 1024 -i 1 -x 64 -y 2",
    "groupnorm": "2 32 16 16 32 1",
    "hadamard": "8 1",
    "layernorm": "1 16 768 1",
    "logprob": "8 2 100 1",
    "nbnxm": "1",
    "quantAQLM": "",
    "rmsnorm": "1 1024 1",
    "score": "1",
    "segsort": "",
    "shuffle": "1 1",
    "simpleSpmv": "1024 64 1",
    "softmax": "100 784 1 1",
    "softmax-fused": "1 2 64 64 1",
    "softmax-online": "1",
    "vote": "1",
    "warpexchange": "128 128 1",
    "wedford": "4 64 64 1",
}
BAD = re.compile(r"FAIL|mismatch|error|incorrect|NOT PASSED", re.IGNORECASE)


def execute(source: Path, name: str, device: str, scratch: Path) -> tuple[str, str]:
    target = scratch / "src" / f"{name}-hip"
    port = [sys.executable, "-m", "hipport", "port", str(source / f"{name}-cuda"), "-o", str(target), "-q"]
    if subprocess.run(port, capture_output=True, check=False).returncode not in (0, 1):
        return "not ported", ""
    words = ["run", "--program", str(target), "--device", device, "--limit", "240", "--", *ARGUMENTS[name].split()]
    ran = subprocess.run([sys.executable, "-m", "hipport", *words], capture_output=True, text=True, check=False)
    said = ran.stdout + ran.stderr
    if ran.returncode:
        return f"exit {ran.returncode}", said[-300:]
    if BAD.search(said.replace("Max error", "")):
        return "wrong", said[-300:]
    return ("right" if "PASS" in said else "ended"), said[-200:]


def main() -> None:
    source, device, only = Path(sys.argv[1]), sys.argv[2], sys.argv[3:] or list(ARGUMENTS)
    with tempfile.TemporaryDirectory() as scratch:
        for name in only:
            verdict, said = execute(source, name, device, Path(scratch))
            print(json.dumps({"program": name, "device": device, "verdict": verdict, "said": said}), flush=True)


if __name__ == "__main__":
    main()

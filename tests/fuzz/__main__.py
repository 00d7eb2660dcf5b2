"""Random kernels, ported and compared with what they compute as they are.

    python -m tests.fuzz --seeds 20 [--first 0] [--kernels 12] [--minutes 10] [-o findings]

Each seed is a program of several kernels. Exit code 4 where a port differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.kernels import kernel
from tests.fuzz.minimise import smallest
from tests.fuzz.runner import MODES, TARGETS, compare


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kernels", type=int, default=12, help="of one program")
    parser.add_argument("--minutes", type=float, default=1e9, help="no program is begun after that")
    parser.add_argument("--target", action="append", choices=TARGETS)
    parser.add_argument("--mode", action="append", choices=MODES)
    parser.add_argument("--tries", type=int, default=20, help="to make a kernel that differs smaller")
    parser.add_argument("--no-minimise", action="store_true")
    parser.add_argument("-o", type=Path, help="a folder for what differs")
    asked = parser.parse_args()
    begun, totals, differing = time.monotonic(), Counter[str](), 0
    for seed in range(asked.first, asked.first + asked.seeds):
        if time.monotonic() - begun > 60 * asked.minutes:
            break
        kernels = [kernel(f"{seed}/{at}", f"k{at}") for at in range(asked.kernels)]
        out = compare(kernels, str(seed), targets=asked.target or TARGETS, modes=asked.mode or MODES)
        totals.update(
            programs=1, kernels=out.kernels, compared=out.compared, left=len(out.left), rejected=len(out.rejected)
        )
        for name, why in list(out.rejected.items())[:3]:
            print(f"seed {seed} {name}: the original is rejected: {why[:400]}", flush=True)
        names = {p.kernel for p in out.problems}
        differing += len(names)
        for name in sorted(names):
            first = next(p for p in out.problems if p.kernel == name)
            where = sorted({f"{p.mode}/{p.target}/{p.order}" for p in out.problems if p.kernel == name})
            print(f"seed {seed} {name}: {', '.join(where)}: {first.what[:1500]}", flush=True)
            chosen = next((k for k in kernels if k.name == name), None)
            if chosen is None or asked.no_minimise:
                continue
            small, shown = smallest(chosen, str(seed), first, asked.tries)
            start = shown.text.find("__global__", shown.text.rfind("casMax"))
            text = f"// seed {seed} {name} {first.mode} {first.target}: {shown.what}\n{small.text}\n{small.host}"
            port = shown.text[start : shown.text.find("static std::vector<int> given", start)]
            print(f"{text}\n// port\n{port}", flush=True)
            if asked.o:
                asked.o.mkdir(parents=True, exist_ok=True)
                (asked.o / f"{seed}_{name}.cu").write_text(f"{text}\n#if 0 // port\n{port}#endif\n", encoding="utf-8")
    seconds = time.monotonic() - begun
    counts = ", ".join(f"{count} {word}" for word, count in totals.items())
    print(f"{counts}, {differing} differ, {seconds:.0f} s")
    return 4 if differing else 0


if __name__ == "__main__":
    sys.exit(main())

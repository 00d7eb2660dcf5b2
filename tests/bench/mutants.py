"""Mutants of ten ported kernels, judged by `hipport verify`'s gates: `python -m tests.bench.mutants [EACH]`.

EACH is how many mutants of one operator a source may give (5). Needs an AMD compiler and a C++ compiler; two processes
at most. Ends with 1 where a survivor is not explained in tests/mutants/survivors.toml.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from tests.mutants.judging import run, survivors


def main(each: int) -> int:
    started = time.monotonic()
    known = survivors()
    results = list(run(each))
    killed = [one for one in results if one.killed]
    left = [one for one in results if not one.killed]
    equivalent = [one for one in left if one.name in known and known[one.name][0]]
    print("| operator | mutants | killed | equivalent | left | allclose 1e-2 sees |")
    print("|---|---|---|---|---|---|")
    for operator in sorted({one.mutant.operator for one in results}):
        rows = [one for one in results if one.mutant.operator == operator]
        same = [one for one in rows if one in equivalent]
        counts = (len(rows), sum(one.killed for one in rows), len(same), sum(one in left for one in rows) - len(same))
        print("|", operator, "|", *(f"{n} |" for n in counts), sum(one.allclose is True for one in rows), "|")
    real = len(results) - len(equivalent)
    print(f"{len(killed)} of {len(results)} killed; without {len(equivalent)} equivalent ones {len(killed)}/{real}")
    print("seen by", dict(Counter(one.gate for one in killed).most_common()))
    print("decided on", dict(Counter(one.device for one in killed)))
    closes = Counter(one.allclose for one in results if one not in equivalent)
    print(f"allclose: sees {closes[True]}, passes {closes[False]}, {closes[None]} end in a fault of the executor")
    for one in left:
        print("left:", one.name, "-", known.get(one.name, (False, "NOT EXPLAINED"))[1])
    print(f"{time.monotonic() - started:.0f} s")
    return 1 if any(one.name not in known for one in left) else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))

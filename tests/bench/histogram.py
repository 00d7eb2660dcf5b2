"""What counting in LDS saves (`atomic-bins`): `python -m tests.bench.histogram`.

The case `byte.cu` of the rule is ported with and without `--optimize`, built for isa:gfx950 with counts, and run on
bytes of several distributions. Prints a table.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from hipport import api
from hipport.config import Config
from hipport.device import Limits, device
from hipport.rewrites import atomic_bins

SOURCE = Path(atomic_bins.__file__).parent / "cases/byte.cu"
COUNT, BLOCK, GRIDS = 1 << 18, 256, (8, 64, 512)


def built(folder: Path, *, optimize: bool) -> Any:
    """The kernel as a port has it."""
    out = folder / f"byte_{optimize}.hip"
    api.port(SOURCE, out, config=Config(optimize=optimize))
    module: Any = device("isa:gfx950", limits=Limits(threads=1)).build(out, profile=True)
    return module["histogram"]


def bytes_of(name: str) -> np.ndarray[Any, Any]:
    """Values to count: even, a narrow bell, or one value."""
    random = np.random.default_rng(5)
    if name == "even":
        return random.integers(0, 256, COUNT).astype(np.uint8)
    spread = random.normal(128, 6, COUNT) if name == "bell" else np.full(COUNT, 7.0)
    return np.clip(spread, 0, 255).astype(np.uint8)


def counted(kernel: Any, values: np.ndarray[Any, Any], grid: int) -> tuple[int, int, np.ndarray[Any, Any]]:
    """Atomics of a launch as memory sees them, the most on one address, and the bins."""
    bins = np.zeros(256, np.uint32)
    counts = kernel(grid=grid, block=BLOCK, args=[values, bins, COUNT]).counts
    return counts["global_atomic_lanes"], counts["global_atomic_worst"], bins


def main() -> None:
    print("| bytes | blocks | atomics of a launch | most on one address | with `--optimize` | most on one address |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        before, after = (built(Path(folder), optimize=optimize) for optimize in (False, True))
        for name in ("even", "bell", "one"):
            values = bytes_of(name)
            for grid in GRIDS:
                a, b = counted(before, values, grid), counted(after, values, grid)
                assert (a[2] == np.bincount(values, minlength=256)).all()
                assert (b[2] == a[2]).all()
                print(f"| {name} | {grid} | {a[0]:,} | {a[1]:,} | {b[0]:,} | {b[1]:,} |")


if __name__ == "__main__":
    main()

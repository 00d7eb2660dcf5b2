"""What joining the atomics of examples/bounds_check saves: `python -m tests.bench.bounds_check [SVG]`.

The kernel is ported with and without `--optimize`, built for isa:gfx950 with counts, and run at several rates of
violations. Prints a table; writes a plot where a file is named.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from hipport import api
from hipport.config import Config
from hipport.device import Limits, device
from hipport.resources import data_dir

RATES = (0, 1, 10, 100)
TABLES, BAGS_PER_TABLE, LENGTH, LANES, BAGS_PER_BLOCK = 8, 37, 200, 32, 8
BAGS = TABLES * BAGS_PER_TABLE


def built(folder: Path, *, optimize: bool) -> Any:
    """The kernel of the example as a port has it."""
    out = folder / f"bounds_check_{optimize}.hip"
    api.port(data_dir("examples") / "bounds_check/bounds_check.cu", out, config=Config(optimize=optimize))
    module: Any = device("isa:gfx950", limits=Limits(threads=1)).build(out, profile=True)
    return module["bounds_check"]


def lookup(percent: int) -> tuple[np.ndarray[Any, Any], ...]:
    """Rows of each table, indices, offsets; `percent` of the indices are out of range."""
    random = np.random.default_rng(11)
    rows = random.integers(50, 1050, TABLES).astype(np.int32)
    offsets = np.concatenate([[0], np.cumsum(random.integers(0, LENGTH, BAGS))]).astype(np.int32)
    limits = np.repeat(rows[np.arange(BAGS) // BAGS_PER_TABLE], np.diff(offsets))
    bad = random.integers(0, 100, len(limits)) < percent
    indices = np.where(bad, limits + random.integers(0, 9, len(limits)), random.integers(0, 50, len(limits)))
    return rows, indices.astype(np.int32), offsets


def counted(kernel: Any, percent: int) -> tuple[int, int, int, np.ndarray[Any, Any]]:
    """Atomics of a launch as memory sees them, the most on one address, violations found, and the indices after it."""
    rows, indices, offsets = lookup(percent)
    violations = np.zeros(1, np.uint64)
    grid = -(-BAGS // BAGS_PER_BLOCK)
    arguments = [rows, indices, offsets, BAGS_PER_TABLE, BAGS, violations]
    counts = kernel(grid=grid, block=(LANES, BAGS_PER_BLOCK), args=arguments).counts
    return counts["global_atomic_lanes"], counts["global_atomic_worst"], int(violations[0]), indices


def measured() -> list[tuple[int, int, int, int, int, int]]:
    """For each rate: violations, atomics and worst address before, and after."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        before, after = (built(Path(folder), optimize=optimize) for optimize in (False, True))
        for percent in RATES:
            a, b = counted(before, percent), counted(after, percent)
            assert a[2] == b[2]
            assert (a[3] == b[3]).all()
            rows.append((percent, a[2], a[0], a[1], b[0], b[1]))
    return rows


WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 560, 300, 56, 250, 34


def svg(rows: list[tuple[int, int, int, int, int, int]]) -> str:
    """Bars on a logarithmic scale: the updates of the counter's address at each rate, before and after."""
    high = max(2, *(row[3] for row in rows))
    scale = (BOTTOM - TOP) / np.log10(high * 1.3)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-size="12">',
        f'<style>text {{ font-family: sans-serif }}</style><rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="18" font-size="13">Atomics on the counter in one launch, isa:gfx950</text>',
    ]
    for power in range(int(np.log10(high)) + 1):
        y = BOTTOM - scale * power
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 12}" y1="{y:.1f}" y2="{y:.1f}" stroke="#d0d0d0"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10**power}</text>')
    step = (WIDTH - LEFT - 20) / len(rows)
    for place, (percent, _, _, before, _, after) in enumerate(rows):
        for shift, value, colour in ((0.18, before, "#b2493b"), (0.5, after, "#2f6f9f")):
            x, width = LEFT + step * (place + shift), step * 0.28
            height = scale * np.log10(value) if value > 1 else value * 3.0
            parts.append(
                f'<rect x="{x:.1f}" y="{BOTTOM - height:.1f}" width="{width:.1f}" height="{height:.1f}" '
                f'fill="{colour}"/>'
            )
            parts.append(
                f'<text x="{x + width / 2:.1f}" y="{BOTTOM - height - 4:.1f}" text-anchor="middle">{value}</text>'
            )
        parts.append(
            f'<text x="{LEFT + step * (place + 0.48):.1f}" y="{BOTTOM + 18}" text-anchor="middle">{percent} %</text>'
        )
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 8}" fill="#b2493b">as ported</text>')
    parts.append(f'<text x="{LEFT + 90}" y="{HEIGHT - 8}" fill="#2f6f9f">with --optimize</text>')
    parts.append(f'<text x="{WIDTH - 12}" y="{HEIGHT - 8}" text-anchor="end">indices out of range</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main(words: list[str]) -> None:
    rows = measured()
    print(
        "| indices out of range | violations | atomics | most on one address | with --optimize | most on one address |"
    )
    print("|---|---|---|---|---|---|")
    for percent, found, *numbers in rows:
        print(f"| {percent} % | {found:,} | " + " | ".join(f"{number:,}" for number in numbers) + " |")
    if words:
        Path(words[0]).write_text(svg(rows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

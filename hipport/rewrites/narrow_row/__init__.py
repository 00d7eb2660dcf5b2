"""# narrow-row: a row narrower than the wave that takes it

Where a warp or a wave takes one row, and the row has fewer columns than it has lanes, the other lanes do nothing: half
of a warp at 16 columns, three quarters of a wave of 64 lanes.

Advice, no edit: let one wave take several rows. `rows_per_wave = 64 / columns`; lane `l` works on row `l / columns` and
column `l % columns`; launch as many waves fewer. FBGEMM does so for the rows of group_index_select (#5233). Reductions
within a row need their width changed too, and columns that do not divide the wave leave a few lanes over.

What it saves, as executed on isa:gfx950 (`hipport run --profile`): 1,024 rows of 16 columns take 1,024 waves and 15,360
instructions with a wave for each; packed four to a wave, 256 waves and 3,584 instructions
(tests/unit/test_narrow_row.py).

Told for loops of a lane over columns whose number is constant (`for (c = lane; c < 16; c += 32)`). Where it is known at
run time only nothing is told. Blocks that are narrower than a wave are told by `block-shape`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.rewrites.forms import advice
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "narrow-row"
_LOGICAL_WARP = 32  # lanes of a CUDA warp
_WIDTHS = (32, 64)  # steps that mean a warp or a wave
_ROW = re.compile(
    rb"for\s*\(\s*(?:const\s+)?[\w:]+(?:\s+[\w:]+)*\s+(?P<i>\w+)\s*=\s*(?:lane\w*|threadIdx\.x\s*(?:&\s*31|%\s*32))\s*;"
    rb"\s*(?P=i)\s*<\s*(?P<bound>\w+)\s*;\s*(?P=i)\s*\+=\s*(?P<step>\w+)\s*\)",
    re.IGNORECASE,
)


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    for function in unit.functions:
        for match in _ROW.finditer(unit.text.code, function.body, function.end):
            columns = unit.macros.value(match["bound"].decode())
            lanes = unit.macros.value(match["step"].decode()) or target.warp_size
            if (
                columns is None
                or not 0 < columns < _LOGICAL_WARP
                or lanes not in _WIDTHS
                or not unit.live(match.start())
            ):
                continue
            rows = target.warp_size // columns
            yield advice(
                unit,
                _ID,
                (match.start("bound"), match.end("bound")),
                f"a row of {columns} columns leaves {lanes - columns} of {lanes} lanes without one",
                f"let one wave take {rows} rows: lane / {columns} is the row, lane % {columns} the column",
                family="shape",
            )


RULE = Rule(
    _ID,
    "A row narrower than the wave that takes it",
    ("R2", "M9"),
    "shape",
    Provenance(
        "FBGEMM #5080, #5233 (be1b514b4, b34ced630); HIP documentation (warp size)",
        "all; wave64 most",
    ),
    _find,
)

"""The plot in docs is what examples/bounds_check gives, and joining its atomics changes no result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench import bounds_check

from hipport.resources import data_dir

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler


@pytest.mark.amd
def test_the_plot_shows_what_is_counted(amd: Compiler) -> None:
    if not amd.name.startswith("clang 22"):
        pytest.skip("the plot was made with clang 22, whose joining of atomics in a wave it shows")
    rows = bounds_check.measured()
    blocks = -(-bounds_check.BAGS // bounds_check.BAGS_PER_BLOCK)
    assert [row[4] for row in rows] == [0, blocks, blocks, blocks]
    assert rows[0][1] == 0
    assert bounds_check.svg(rows) == (data_dir("examples").parent / "docs/bounds_check.svg").read_text()

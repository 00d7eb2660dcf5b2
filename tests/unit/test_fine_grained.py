"""`fine-grained`: told for the targets whose additions vanish, with the memory and the kernel named."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipport.frontend import libclang, units
from hipport.model import SourceFile
from hipport.rewrites import fine_grained
from hipport.targets import target

CASE = Path(fine_grained.__file__).parent / "cases/skip_native.cu"


@pytest.mark.parametrize(("name", "count"), [("gfx90a", 1), ("gfx1100", 1), ("gfx942", 0), ("gfx1201", 0)])
def test_additions_to_managed_memory_are_told_where_they_would_vanish(name: str, count: int) -> None:
    if libclang.load() is None:
        pytest.skip("needs libclang")
    unit = units.read([SourceFile("case.cu", CASE.read_bytes())])["case.cu"]
    found = list(fine_grained.RULE.find(unit, target(name)))
    assert len(found) == count
    for one in found:
        assert "`sum` adds floats atomically to `total`, which is managed memory" in one.message
        assert unit.text.word(one.span.start, one.span.end) == "total"

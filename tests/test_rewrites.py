"""Every rewrite's cases, which lie beside it: exact bytes, announced findings only, no change by a second run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hipport.frontend import libclang, units
from hipport.frontend.closure import Mode
from hipport.model import Finding, Purpose, SourceFile
from hipport.rewrites import rule
from hipport.source import edits, guard
from hipport.targets import targets

FOLDER = Path(rule.__file__).parent
CASES = sorted(FOLDER.glob("*/cases/*.cu"))
# the other cases of these rules must offer nothing
OFFERING = {
    "lds_banks",
    "lds_occupancy",
    "sm_count",
    "block_shape",
    "block_bounds",
    "atomic_tree",
    "load_chain",
    "tile_width",
    "block_rows",
    "lane_xor",
    "narrow_row",
    "atomic_bins",
    "wave_width",
    "lds_budget",
    "cas_atomic",
    "float_atomic",
    "device_heap",
}
WAVE64, WAVE32 = targets(["gfx942", "gfx950"]), targets(["gfx1100", "gfx1201"])


def name(path: Path) -> str:
    return f"{path.parts[-3]}/{path.stem}"


def announced(data: bytes, word: str) -> list[str]:
    return [item for line in re.findall(rf"^// {word}: (.*)$", data.decode(), re.MULTILINE) for item in line.split()]


def found(data: bytes, wanted: tuple[object, ...]) -> tuple[Finding, ...]:
    mode = Mode((announced(data, "warp") or ["subwarp"])[0])
    found = units.read([SourceFile("case.cu", data)], mode)
    return tuple(f for one in found.values() for f in rule.find(one, wanted))  # type: ignore[arg-type]


def asked(data: bytes) -> tuple[object, ...]:
    """The targets that a case is ported for."""
    return targets(announced(data, "targets")) if announced(data, "targets") else WAVE64


@pytest.mark.parametrize("path", CASES, ids=name)
def test_a_case_gives_exactly_what_it_announces(path: Path) -> None:
    data = path.read_bytes()
    expected = announced(data, "expect")
    if libclang.load() is None and {"half-wave-wait", "barrier-divergence"} & {*expected}:
        pytest.skip("needs libclang")
    findings = found(data, asked(data))
    faults = [f for f in findings if f.purpose is Purpose.CORRECTNESS]
    assert [f.rule for f in faults] == expected, [f.message for f in faults]
    offers = [f.rule for f in findings if f.purpose is Purpose.PERFORMANCE]
    if announced(data, "offers") or path.parts[-3] in OFFERING:
        assert offers == announced(data, "offers"), [f.message for f in findings]
    done = edits.apply(data, findings)
    assert not done.skipped
    golden = path.with_suffix(".hip")
    assert done.result.decode() == (golden if golden.exists() else path).read_text()


@pytest.mark.parametrize("path", CASES, ids=name)
def test_a_second_run_changes_nothing_and_the_text_stays_whole(path: Path) -> None:
    data = path.read_bytes()
    done = edits.apply(data, found(data, asked(data)))
    result = done.result
    again = edits.apply(result, found(result, asked(data)))
    assert again.result == result
    assert not guard.new_fault("case.cu", data, result, done.placed, code=True)


@pytest.mark.parametrize("path", CASES, ids=name)
def test_a_wave_of_32_lanes_asks_for_no_other_edit(path: Path) -> None:
    data = path.read_bytes()
    narrow = {e for f in found(data, WAVE32) for e in f.edits}
    wide = {e for f in found(data, WAVE64) for e in f.edits}
    assert narrow <= wide
    if announced(data, "wave32") == ["unchanged"]:
        assert not narrow


def test_every_rule_has_a_page_golden_cases_and_skip_cases() -> None:
    for one in rule.rules():
        folder = FOLDER / one.id.replace("-", "_")
        cases = sorted(p.stem for p in (folder / "cases").glob("*.cu"))
        assert any(case.startswith("skip_") for case in cases), one.id
        assert any(not case.startswith("skip_") for case in cases), one.id
        page = (folder / "__init__.py").read_text()
        assert page.startswith(f'"""# {one.id}:'), one.id
        assert one.provenance.source
        assert one.provenance.arch

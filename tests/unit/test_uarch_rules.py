"""LDS, launches, barriers and atomics: which targets a finding names, and what a port writes in each style."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from hipport.cli import app
from hipport.frontend import libclang, units
from hipport.model import Finding, SourceFile
from hipport.rewrites import rule
from hipport.targets import targets

if TYPE_CHECKING:
    from pathlib import Path

BOUNDS = b"__global__ void __launch_bounds__(512, 2) k(float* x) {\n  x[threadIdx.x] = 1;\n}\n"


def found(code: str, names: str) -> tuple[Finding, ...]:
    data = code.encode()
    found = units.read([SourceFile("k.cu", data)])
    return tuple(f for one in found.values() for f in rule.find(one, targets(names)))


def lds(size: str) -> tuple[Finding, ...]:
    code = f"__global__ void k(float* x) {{ x[0] = 1; }}\nvoid run(float* x) {{ k<<<1, 64, {size}>>>(x); }}\n"
    return found(code, "gfx90a,gfx942,gfx950,gfx1100")


def test_lds_is_held_against_each_target() -> None:
    assert not lds("65536")
    assert [f.targets for f in lds("65537")] == [("gfx1100", "gfx90a", "gfx942")]
    assert [f.targets for f in lds("160 * 1024")] == [("gfx1100", "gfx90a", "gfx942")]
    over = lds("227 * 1024")
    assert [f.targets for f in over] == [("gfx1100", "gfx90a", "gfx942", "gfx950")]
    assert "232448" in over[0].message
    assert "gfx950" not in over[0].next_step


def test_a_line_that_opens_a_block_may_stand_twice(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_bytes(BOUNDS)
    done = CliRunner().invoke(app, ["port", str(tmp_path), "-o", str(tmp_path / "out"), "--style", "dual"])
    assert done.exit_code == 0, done.output
    text = (tmp_path / "out/k.cu").read_text()
    assert "(512, 4 /* waves per SIMD */) k(float* x) {\n#else\n" in text
    assert "#else\n__global__ void __launch_bounds__(512, 2) k(float* x) {\n#endif\n" in text


def test_launch_bounds_name_the_number_of_each_kind_of_wave() -> None:
    narrow = found(BOUNDS.decode(), "gfx1100")
    assert [f.edits for f in narrow] == [()]
    assert "16 waves a SIMD on gfx1100" in narrow[0].message
    wide = found(BOUNDS.decode(), "gfx90a,gfx950")
    assert [[e.text for e in f.edits] for f in wide] == [[b"4 /* waves per SIMD */"]]


SCATTER = (
    "__global__ void k(float* x, const int* i, double* y) { atomicAdd(x + i[threadIdx.x], 1.0f); atomicAdd(y, 1.0); }"
)


def test_float_atomics_are_judged_by_target() -> None:
    if libclang.load() is None:
        pytest.skip("needs libclang")
    newer = [f for f in found(SCATTER, "gfx942,gfx950") if f.rule == "float-atomic"]
    assert [f.message.split(":")[0] for f in newer] == ["atomicAdd on a float at addresses from data"]
    older = found(SCATTER, "gfx90a")
    assert sum("compare-and-swap loop on gfx90a" in f.message for f in older) == 2
    rdna = found(SCATTER, "gfx1100")
    assert ["float" in f.message for f in rdna if "compare-and-swap" in f.message] == [True]
    assert not any("compare-and-swap" in f.message for f in found(SCATTER, "gfx1030"))


def test_advice_on_speed_is_no_occurrence(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(SCATTER)
    done = CliRunner().invoke(app, ["port", str(tmp_path), "--json"])
    report = json.loads(done.output)
    assert "atomics" not in report["families"]

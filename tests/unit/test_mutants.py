"""Mutants of ported kernels do not pass the gates of `hipport verify`: a sample of tests/bench/mutants.py."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.mutants import judging
from tests.mutants.operators import OPERATORS, mutants

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

SAMPLE = {"compact": 1, "layernorm": 1}  # a ballot, and a forward and a backward pass


@pytest.fixture(scope="module")
def port(amd: Compiler, tmp_path_factory: pytest.TempPathFactory) -> Path:
    del amd
    if not shutil.which("g++") and not shutil.which("clang++"):
        pytest.skip("no C++ compiler for the wave executor")
    return judging.ported(tmp_path_factory.mktemp("mutants") / "port")


@pytest.mark.parametrize("source", SAMPLE)
def test_mutants_are_killed_and_the_port_is_not_flagged(source: str, port: Path) -> None:
    chosen = judging.candidates(port, SAMPLE[source])[source]
    results = judging.judged(source, chosen, port)  # raises where the unchanged port is flagged
    assert len(results) >= 10
    explained = judging.survivors()
    assert [one.name for one in results if not one.killed and one.name not in explained] == []
    assert sum(one.killed for one in results) >= 0.8 * len(results)


def test_there_are_more_than_two_hundred_mutants_of_ten_kernels_and_every_operator_is_used(port: Path) -> None:
    found = judging.candidates(port, 5)
    assert len(found) == 10
    assert sum(map(len, found.values())) >= 200
    used = {one.operator for rows in found.values() for one in rows}
    assert used == {operator.name for operator in OPERATORS}


def test_a_mutant_changes_one_place_and_no_comment() -> None:
    source = "// __syncthreads();\n__global__ void k() {\n  __syncthreads();\n}\n"
    (found,) = mutants(source)
    assert (found.operator, found.line, found.after) == ("dropped barrier", 3, ";")
    assert found.text.startswith("// __syncthreads();")

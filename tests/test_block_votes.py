"""__syncthreads_count, _and and _or on AMD machine code: what they give in CUDA, for blocks of every kind of size."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hipport import api
from hipport.errors import UntestedError
from hipport.rewrites import rule

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

CASE = Path(rule.__file__).parent / "vote_width/cases/skip_block_votes.cu"


@pytest.fixture(scope="module", params=["gfx942", "gfx950"])
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, amd: Compiler) -> Any:
    del amd
    import hipport

    path = tmp_path_factory.mktemp("votes") / "votes.hip"
    api.port(CASE, path)
    try:
        return hipport.device(f"isa:{request.param}").build(path)
    except UntestedError as error:
        pytest.skip(str(error))


@pytest.mark.amd
@pytest.mark.parametrize("block", [1, 31, 32, 33, 64, 65, 96, 256, 1000, 1024])
def test_votes_of_a_block_count_its_threads(module: Any, block: int) -> None:
    x = np.random.default_rng(block).integers(0, 100, 3 * block).astype(np.int32)
    x[:block] = 7
    y, z = np.zeros(3 * block, np.int32), np.zeros(3 * block, np.int32)
    module["block_votes"](grid=3, block=block, args=[x, y, z])
    rows = x.reshape(3, block)
    assert (y.reshape(3, block) == (rows & 1).sum(1)[:, None]).all()
    assert (z.reshape(3, block) == ((rows > 2).all(1) * 2 + (rows > 90).any(1))[:, None]).all()

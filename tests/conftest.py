"""What every test may lean on: the toolchain of tests/install.py, or a skip with its reason where there is none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hipport.toolchain.compiler import Compiler

ROOT = Path(__file__).resolve().parent.parent
os.environ.setdefault("HIPPORT_TOOLCHAIN", str(ROOT / ".cache" / "amd"))


@pytest.fixture(scope="session")
def amd() -> Compiler:
    """A compiler for AMD GPUs; the test skips where there is none."""
    from hipport.errors import UntestedError
    from hipport.toolchain import find

    try:
        return find("gfx950")
    except UntestedError as error:
        pytest.skip(f"{error.what} (make amd)")


@pytest.fixture(scope="session")
def rocm_libraries(amd: Compiler) -> Compiler:
    """A compiler for AMD GPUs whose headers are complete; skips with what is missing otherwise."""
    missing = [lack for lack in amd.lacks if "hip/" in lack or "hipcub" in lack or "thrust" in lack]
    if missing:
        pytest.skip(f"{amd.name} lacks {', '.join(missing)}")
    return amd

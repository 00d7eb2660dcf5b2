"""Device code that is empty on a GPU (rule target-branch): what it computes there, executed; conditions by GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hipport.device import device
from hipport.frontend import units
from hipport.frontend.text import CodeText
from hipport.model import SourceFile
from hipport.rewrites import target_branch
from hipport.rewrites.target_branch.conditions import Conditions
from hipport.targets import targets

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

SOURCE = """
__device__ void pair_sum(int& value) {
#if defined(__gfx90a__) || defined(__gfx942__)
  value += __builtin_amdgcn_mov_dpp(value, 0xb1, 0xf, 0xf, true);
FALLBACK
#endif
}
extern "C" __global__ void pairs(int* x) {
  int value = x[threadIdx.x];
  pair_sum(value);
  x[threadIdx.x] = value;
}
"""
FALLBACK = "#else\n  value += __shfl_xor(value, 1);"


def told(text: str, target: str) -> list[str]:
    unit = units.read([SourceFile("k.hip", text.encode())])["k.hip"]
    return [f.message for f in target_branch.RULE.find(unit, targets([target])[0])]


@pytest.mark.amd
def test_what_is_told_is_wrong_and_what_is_not_is_right(amd: Compiler, tmp_path: Path) -> None:
    del amd
    x = np.arange(64, dtype=np.int32) ** 2
    sums = x + x[np.arange(64) ^ 1]
    for number, fallback in enumerate(("", FALLBACK)):
        text = SOURCE.replace("FALLBACK", fallback)
        path = tmp_path / f"pairs{number}.hip"
        path.write_text(text)
        for target in ("gfx942", "gfx950"):
            module: Any = device(f"isa:{target}").build(path)
            got = x.copy()
            module["pairs"](grid=1, block=64, args=[got])
            assert (got == sums).all() != bool(told(text, target))
    assert told(SOURCE.replace("FALLBACK", ""), "gfx950") == [
        "`pair_sum` is empty on gfx950: all of it stands behind conditions on other GPUs"
    ]


CONDITIONS = {
    "defined(__gfx942__)": (True, False, False),
    "defined(__GFX9__) && !defined(__gfx90a__)": (True, True, False),
    "__gfx950__ || __GFX11__": (False, True, True),
    "defined(USE_IT) && defined(__gfx942__)": (None, False, False),
    "defined(USE_IT) || defined(__gfx942__)": (True, None, None),
    "defined(__HIP_DEVICE_COMPILE__) && (defined(__gfx942__) || defined __gfx1100__)": (True, False, True),
    "__CUDA_ARCH__ >= 800 || defined(__gfx950__)": (False, True, False),
    "HIP_VERSION >= 70000000": (None, None, None),
    "defined(OLDER)": (True, False, False),
    "!defined(OLDER) && 1": (False, True, True),
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_is_true_false_or_open_for_each_gpu(condition: str) -> None:
    code = f"#ifdef __gfx942__\n#define OLDER\n#endif\n#if {condition}\nA\n#else\nB\n#endif\n"
    found = []
    for target in targets(["gfx942", "gfx950", "gfx1100"]):
        conditions = Conditions(CodeText.of("k.h", code.encode()), target)
        first, other = conditions.never(code.index("A\n#else")), conditions.never(code.index("B\n#endif"))
        assert not (first and other)
        found.append(True if other else False if first else None)
    assert tuple(found) == CONDITIONS[condition]

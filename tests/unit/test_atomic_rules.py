"""Atomics that stay as they are, suffixes of scope, and what differs by target in what is told of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hipport import api
from hipport.config import Config, Style
from hipport.frontend import libclang, units
from hipport.model import SourceFile
from hipport.rewrites import atomic_bins, rule
from hipport.targets import targets

if TYPE_CHECKING:
    from hipport.model import Finding
    from hipport.toolchain.compiler import Compiler

INTEGERS = ("Add", "Sub", "Exch", "Min", "Max", "And", "Or", "Xor")
TICKETS = """__global__ void append(const int* x, int* list, int* n, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < limit && x[i] > 0) list[atomicAdd(n, 1)] = i;
  int slot = -1;
  if (i < limit && x[i] < 0) slot = atomicAdd(&n[1], 2);
  if (slot >= 0) list[slot] = -i;
  const unsigned turn = atomicInc((unsigned*)n + 2, gridDim.x - 1);
  if (turn == gridDim.x - 1) list[0] = 0;
}
"""
TRICKS = """__device__ static float atomicMax(float* address, float val) {
  return val >= 0 ? __int_as_float(atomicMax((int*)address, __float_as_int(val)))
                  : __uint_as_float(atomicMin((unsigned*)address, __float_as_uint(val)));
}
__global__ void k(float* x, float v) { atomicMax(x, v); }
"""


def found(text: str, *names: str) -> list[Finding]:
    unit = units.read([SourceFile("x.cu", text.encode())])["x.cu"]
    return [f for f in rule.find(unit, targets(names or ("gfx942", "gfx950"))) if f.family == "atomics"]


def test_tickets_are_left_to_the_compiler() -> None:
    assert found(TICKETS) == []


@pytest.mark.parametrize("name", ["gfx942", "gfx1201"])
def test_a_maximum_by_integers_is_told_apart_where_hips_is_a_loop(name: str) -> None:
    (one,) = (f for f in found(TRICKS, name) if f.rule == "own-atomic")
    assert ("HIP's is a loop on gfx942" in one.next_step) == (name == "gfx942")


@pytest.mark.amd
@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_suffixes_of_scope_compile(target: str, amd: Compiler, tmp_path: Path) -> None:
    calls = "".join(f"atomic{name}_{scope}(x, 1);\n" for name in INTEGERS for scope in ("block", "system"))
    calls += "".join(f"atomic{name}_{scope}(u, 9u);\n" for name in ("Inc", "Dec") for scope in ("block", "system"))
    calls += "".join(f"atomicCAS_{scope}(x, 1, 2); atomicAdd_{scope}(d, 1.0);\n" for scope in ("block", "system"))
    source, out = tmp_path / "scopes.cu", tmp_path / "scopes.hip"
    source.write_text(f"__global__ void k(int* x, unsigned* u, double* d) {{\n{calls}}}\n", encoding="utf-8")
    api.port(source, out)
    done = amd.compile(out, target, kind="asm", output=tmp_path / "scopes.s")
    assert done.ok, done.log


@pytest.mark.skipif(libclang.load() is None, reason="needs libclang")
@pytest.mark.parametrize(
    ("declared", "told"), [("cuda::atomic_ref<int>", 1), ("cuda::atomic_ref<int, cuda::thread_scope_device>", 0)]
)
def test_the_scope_of_the_whole_system_by_accident_is_told(declared: str, told: int) -> None:
    text = f"#include <cuda/atomic>\n__global__ void k(int* x) {{ {declared}(*x).fetch_add(1); }}\n"
    assert sum("whole system" in f.message for f in found(text)) == told


@pytest.mark.amd
def test_a_shim_stands_after_the_vendor_header_where_a_file_includes_nothing(amd: Compiler, tmp_path: Path) -> None:
    source, out = Path(atomic_bins.__file__).parent / "cases/byte.cu", tmp_path / "byte.cu"
    api.port(source, out, config=Config(optimize=True, style=Style.DUAL))
    text = out.read_bytes()
    assert text.index(b"hipport_vendor.h") < text.index(b"HIPPORT_SHIM_BLOCK_BINS")
    done = amd.compile(out, "gfx950", kind="asm", output=tmp_path / "byte.s", options=("-I", str(tmp_path)))
    assert done.ok, done.log

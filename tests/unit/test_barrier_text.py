"""Barriers that some threads miss, told from the text alone: where clang is not there, or read nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hipport.frontend import units
from hipport.frontend.tree import EMPTY
from hipport.model import SourceFile
from hipport.rewrites import barrier_divergence
from hipport.targets import targets

CASES = Path(barrier_divergence.__file__).parent / "cases"


def told(data: bytes) -> list[tuple[int, str, bool]]:
    """Line, the first words, and whether there are edits."""
    unit = replace(units.read([SourceFile("k.cu", data)])["k.cu"], tree=EMPTY, waits=())
    found = [f for target in targets(["gfx942"]) for f in barrier_divergence.RULE.find(unit, target)]
    return [(data.count(b"\n", 0, f.span.start) + 1, f.message.partition(" in line")[0], bool(f.edits)) for f in found]


def test_what_threads_leave_is_told_without_a_tree() -> None:
    assert told((CASES / "unread.cu").read_bytes()) == [
        (6, "threads that return", False),
        (12, "threads that skip the rest of a turn", False),
        (17, "threads that leave the loop", False),
    ]


def test_barriers_behind_lambdas_macros_groups_and_asm_are_seen() -> None:
    data = b"""#include <cooperative_groups.h>
#define MEET() \\
  __syncthreads()
#define AGAIN MEET()
__global__ void by_macro(int* x, int n) {
  if (threadIdx.x >= n) return;
  AGAIN;
}
__global__ void by_lambda(int* x, int n) {
  auto meet = [&] { __syncthreads(); };
  if (threadIdx.x < n) meet();
}
__global__ void by_group(int* x, int n) {
  if (threadIdx.x < n) cooperative_groups::this_thread_block().sync();
}
__global__ void by_function(int* x, int n) {
  if (threadIdx.x < n) cooperative_groups::sync(cooperative_groups::this_thread_block());
}
__global__ void by_grid(int* x, int n) {
  auto grid = cooperative_groups::this_grid();
  if (threadIdx.x >= n) return;
  grid.sync();
}
__global__ void by_asm(int* x, int n) {
  if (threadIdx.x >= n) return;
  asm volatile("bar.sync 0;" ::: "memory");
}
__global__ void named(int* x, int n) {
  if (threadIdx.x >= n) return;
  asm volatile("bar.sync 1, 64;" ::: "memory");
}
"""
    assert [line for line, _, _ in told(data)] == [7, 11, 14, 17, 22, 26]


def test_what_is_the_same_for_the_block_stays_silent() -> None:
    assert told((CASES / "skip_same.cu").read_bytes()) == []

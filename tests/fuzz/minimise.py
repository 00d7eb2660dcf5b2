"""The smallest of a kernel that still differs: statements are left out, in ever smaller pieces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.fuzz.runner import compare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.fuzz.kernels import Kernel
    from tests.fuzz.runner import Problem


def smallest(kernel: Kernel, seed: str, problem: Problem, tries: int = 20) -> tuple[Kernel, Problem]:
    """A kernel with fewer statements, whose port for that target still differs; `tries` at most."""
    best, shown = _single(kernel), problem
    for _ in range(4):
        for smaller in list(_smaller(best)):
            if tries <= 0:
                return best, shown
            tries -= 1
            again = _differs(smaller, seed, problem)
            if again is not None:
                best, shown = smaller, again
                break
        else:
            return best, shown
    return best, shown


def _single(kernel: Kernel) -> Kernel:
    """Every line that is a statement of its own stands alone."""
    out: list[str] = []
    for block in kernel.body:
        depth, held = 0, ""
        for line in block.split("\n"):
            held = f"{held}\n{line}" if held else line
            depth += line.count("{") + line.count("(") - line.count("}") - line.count(")")
            if depth == 0 and line.rstrip().endswith((";", "}")):
                out.append(held)
                held = ""
        if held:
            out.append(held)
    return replace(kernel, body=tuple(out))


def _smaller(kernel: Kernel) -> Iterator[Kernel]:
    count = len(kernel.body)
    size = max(1, count // 2)
    while True:
        for start in range(count - size, -1, -size):
            yield kernel.without(range(start, start + size))
        if size == 1:
            return
        size //= 2


def _differs(kernel: Kernel, seed: str, problem: Problem) -> Problem | None:
    out = compare([kernel], seed, targets=[problem.target], modes=[problem.mode], orders=[problem.order or "in"])
    kind = problem.what.split(":")[0]
    return next((p for p in out.problems if p.what.split(":")[0] == kind), None)

"""How close two outputs must be: exact, strict-f32 or accelerated; never blind to the magnitude of what is compared."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from hipport.diffing.formats import FORMATS
from hipport.errors import UsageError

if TYPE_CHECKING:
    from hipport.diffing.formats import Format


class Grade(str, Enum):
    """What a pass says. A pass of a lower grade is none of a higher one."""

    EXACT = "exact"  # the same bits; any NaN is any other
    STRICT = "strict-f32"  # what rounding in another order can do, fast paths off
    ACCELERATED = "accelerated"  # what the named reduced format can do


# the relative rounding error of what an accelerated path computes in; fast-math: ~4 ulp of __expf and division
ACCELERATED = {
    "tf32": 2.0**-11,
    "bfloat16": 2.0**-8,
    "float16": 2.0**-11,
    "float8_e4m3": 2.0**-4,
    "float8_e5m2": 2.0**-3,
    "fast-math": 2.0**-20,
}
_RUNS_WERE_FEW = 2.0  # the spread is measured at one point, by a few runs
_UNIT = 2.0**-24  # of float32: what a strict path computes in, whatever it stores


@dataclass(frozen=True, slots=True)
class Contract:
    """Tolerances for one case.

    An element passes within `ulps` of its own format, or within `factor * unit * sqrt(length)` of the output's own
    scale: the root mean square of the finite reference values in its row. `length` is how many terms a result sums
    (K): the error of a sum of K rounded terms grows as sqrt(K). `floor` is the original's own spread between runs,
    relative to the same scale. `scale` is the least scale, for results that may cancel to nothing. Whole numbers and
    truth values are always exact.
    """

    grade: Grade = Grade.STRICT
    length: int = 1
    format: str = ""
    ulps: int = 4
    factor: float = 4.0
    floor: float = 0.0
    scale: float = 0.0

    @classmethod
    def named(cls, text: str, *, length: int = 1) -> Contract:
        """Of `exact`, `strict-f32`, or `accelerated:tf32` and its like.

        Raises:
            UsageError: there is no such contract.
        """
        head, _, form = text.partition(":")
        grades = {grade.value: grade for grade in Grade}
        if head not in grades or (grades[head] is not Grade.ACCELERATED and form):
            raise UsageError(f"`{text}` is no contract", next_step=f"one of {', '.join(grades)}")
        if grades[head] is Grade.ACCELERATED and form not in ACCELERATED:
            known = ", ".join(f"accelerated:{name}" for name in ACCELERATED)
            raise UsageError(f"`{text}` does not name what is computed in", next_step=f"one of {known}")
        return cls(grades[head], max(1, length), form)

    @property
    def name(self) -> str:
        """As it is written."""
        return f"{self.grade.value}:{self.format}" if self.format else self.grade.value

    def with_length(self, length: int) -> Contract:
        """The same for sums of `length` terms."""
        return replace(self, length=max(1, length))

    def with_floor(self, floor: float) -> Contract:
        """The same above the original's own spread."""
        return replace(self, floor=floor)

    def relative(self, form: Format) -> float:
        """The tolerance as a part of the output's scale."""
        if self.grade is Grade.EXACT:
            return 0.0
        unit = ACCELERATED[self.format] if self.grade is Grade.ACCELERATED else _UNIT
        if form.bits == 64 and self.grade is Grade.STRICT:
            unit = form.epsilon
        grown = self.factor * unit * math.sqrt(self.length)
        stored = form.epsilon if form.bits < 32 else 0.0  # results are rounded once more when they are stored
        return max(grown + stored, _RUNS_WERE_FEW * self.floor)

    def steps(self, form: Format) -> float:
        """The tolerance in units in the last place of the output's format."""
        if self.grade is Grade.EXACT:
            return 0.0
        if form.bits < 32:
            return 1.0 if self.grade is Grade.STRICT else 2.0
        if self.grade is Grade.ACCELERATED:
            return max(self.ulps, self.factor * ACCELERATED[self.format] / form.epsilon)
        return float(self.ulps)


def known_format(dtype: str) -> bool:
    """Whether an array of that dtype holds floating-point numbers."""
    return dtype in FORMATS

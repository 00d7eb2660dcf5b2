"""One side of a comparison: something that runs a case's inputs and gives its outputs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from hipport.diffing.cases import Point
    from hipport.diffing.contract import Contract
    from hipport.diffing.formats import Tensor
    from hipport.diffing.owners import Owners


@dataclass(frozen=True, slots=True, eq=False)
class Outputs:
    """What one run gave.

    `forward` and `backward` are tensors by name; `unwritten` are the elements (flat) that still hold the sentinel;
    `overwritten` are inputs that changed, and outputs whose padding did; `copies` are (output, input) of the same bits.
    `seconds` are of the device: (forward, backward), 0 where nobody measured.
    """

    forward: Mapping[str, Tensor]
    backward: Mapping[str, Tensor] = field(default_factory=dict)
    unwritten: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    overwritten: tuple[str, ...] = ()
    copies: tuple[tuple[str, str], ...] = ()
    owners: Mapping[str, Owners] = field(default_factory=dict)
    seconds: tuple[float, float] = (0.0, 0.0)
    fidelity: str = "exact"
    approximate: tuple[str, ...] = ()


class Prepared(Protocol):
    """Inputs that are ready to run."""

    @property
    def digest(self) -> str:
        """Of everything that is read."""


class Side(Protocol):
    """Where one side runs, and what it runs."""

    @property
    def spec(self) -> str:
        """The device: `wave:32`."""

    def run(self, inputs: Any, *, order: str = "in") -> Outputs:
        """Run it once; the inputs stay as they are. `order` is of waves and blocks: `in` or `random:SEED`.

        Raises:
            FaultError: it did what it may not.
            UntestedError: it cannot be run here.
            HipportError: it does not build.
        """

    @property
    def reorders(self) -> bool:
        """Whether `order` changes anything."""


class Subject(Protocol):
    """A case as the judge sees it, whatever it runs."""

    @property
    def name(self) -> str:
        """Of the case."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs that can be given other numbers."""

    @property
    def unordered(self) -> frozenset[str]:
        """Outputs whose elements may come in any order."""

    def points(self) -> tuple[Point, ...]:
        """What it is run on."""

    def made(self, point: Point, *, stale: bool = False, other: str = "") -> Any:
        """The inputs of a point. See inputs.made."""

    def oracle(self, inputs: Any) -> Mapping[str, Tensor] | None:
        """The truth in float64, by output; None where nobody gave one."""

    def contract(self, inputs: Any) -> Contract:
        """How close outputs must be, with the length of the sums at this point."""

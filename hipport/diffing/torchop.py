"""A torch case: a PyTorch extension's forward and backward on a device, with tensors that a Python file makes."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hipport.device.executor import Limits
from hipport.device.torch_extension.building import build_extension
from hipport.device.torch_extension.case import STALE, Asked, answered
from hipport.device.torch_extension.session import Session
from hipport.diffing import cases
from hipport.diffing.expressions import whole
from hipport.diffing.formats import FORMATS, Tensor
from hipport.diffing.sides import Outputs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hipport.device.torch_extension.case import Array, CaseRun
    from hipport.diffing.cases import Case, Point
    from hipport.diffing.contract import Contract


@dataclass(frozen=True, slots=True, eq=False)
class TorchInputs:
    """What one run is asked for. `known` is what runs of it have shown: the inputs' names and sizes, the truth."""

    asked: Asked
    names: Mapping[str, Any]
    known: dict[str, Any]

    @property
    def digest(self) -> str:
        """Of the file that makes the tensors, and of what it is given."""
        text = f"{self.asked.seed}\0{sorted(self.asked.values.items())}\0{self.asked.other}\0{self.asked.patterns}"
        return hashlib.sha256(self.asked.case.read_bytes() + text.encode()).hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class TorchSubject:
    """A torch case as the judge sees it. `known` is filled by the runs."""

    case: Case
    full: bool = False
    chosen: tuple[Point, ...] = ()
    known: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """See Subject."""
        return self.case.name

    @property
    def inputs(self) -> tuple[str, ...]:
        """See Subject: known once the case has been run."""
        return tuple(self.known.get("inputs", ()))

    @property
    def unordered(self) -> frozenset[str]:
        """See Subject."""
        return frozenset()

    def points(self) -> tuple[Point, ...]:
        """See Subject."""
        return self.chosen or cases.points(self.case, full=self.full)

    def made(self, point: Point, *, stale: bool = False, other: str = "") -> TorchInputs:
        """See Subject."""
        names = cases.names_of(self.case, point)
        values = {**names, "family": point.family, "layout": point.layout}
        asked = Asked(self.case.folder / self.case.module, point.seed, values, other)
        return TorchInputs(replace(asked, patterns=STALE) if stale else asked, names, self.known)

    def oracle(self, inputs: TorchInputs) -> Mapping[str, Tensor] | None:
        """See Subject: what the file's `truth` gave in the last run of these inputs."""
        truth: Mapping[str, Tensor] | None = inputs.known.get(inputs.digest)
        return truth

    def contract(self, inputs: TorchInputs) -> Contract:
        """See Subject. Without `length`, an output is taken to sum its part of the inputs."""
        length = whole(self.case.length, inputs.names) if self.case.length else inputs.known.get("length", 1)
        return self.case.contract.with_length(length)


@dataclass(slots=True)
class TorchSide:
    """An extension on one device; built at the first run, its process kept for the others."""

    case: Case
    source: Path
    spec: str
    limits: Limits = field(default_factory=Limits)
    sessions: dict[str, Session] = field(default_factory=dict)

    @property
    def reorders(self) -> bool:
        """See Side."""
        return self.spec.startswith("isa:") and "@" not in self.spec

    def run(self, inputs: TorchInputs, *, order: str = "in") -> Outputs:
        """See Side."""
        if order not in self.sessions:
            extension = build_extension(self._sources(), self.spec)
            self.sessions[order] = Session(extension, replace(self.limits, order=order))
        found = answered(self.sessions[order], inputs.asked)
        _learn(inputs, found)
        return _outputs(found)

    def _sources(self) -> Path | list[Path]:
        """The folder of a setup.py, or the named sources, each as a port may have renamed it."""
        if not self.case.extension:
            return self.source
        named = [self.source / name for name in self.case.extension]
        return [path if path.exists() else path.with_suffix(".hip") for path in named]


def _tensors(found: Mapping[str, Array]) -> dict[str, Tensor]:
    return {name: Tensor.of(array.data, array.dtype) for name, array in found.items()}


def _learn(inputs: TorchInputs, found: CaseRun) -> None:
    sizes = [math.prod(array.data.shape) for array in found.inputs.values()]
    wrote = [math.prod(array.data.shape) for array in found.forward.values()]
    inputs.known["inputs"] = [name for name, array in found.inputs.items() if array.dtype in FORMATS]
    inputs.known["length"] = max(1, max(sizes, default=1) // max(min(wrote, default=1), 1))
    if found.truth:
        inputs.known[inputs.digest] = _tensors(found.truth)


def _outputs(found: CaseRun) -> Outputs:
    forward = _tensors(found.forward)
    shapes = {**forward, **_tensors(found.backward)}
    copies = [
        (name, given)
        for given, array in found.inputs.items()
        for name, tensor in forward.items()
        if array.data.size > 1 and tensor.dtype == array.dtype and tensor.data.tobytes() == array.data.tobytes()
    ]
    return Outputs(
        forward,
        _tensors(found.backward),
        unwritten={name: mask.reshape(shapes[name].shape) for name, mask in found.unwritten.items()},
        overwritten=found.overwritten,
        copies=tuple(copies),
        fidelity=found.fidelity.value,
        approximate=found.approximate,
    )

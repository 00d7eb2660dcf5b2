"""A kernel case: its inputs and oracle, and a side that launches the kernel on a device."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hipport.device import device
from hipport.device.buffers import Undefined
from hipport.device.configured import resolved
from hipport.device.executor import Limits, extent
from hipport.diffing import cases
from hipport.diffing.cases import Case, Point, Role
from hipport.diffing.expressions import whole
from hipport.diffing.inputs import Inputs, Slot, blank_bits, made, storage_of, tensors
from hipport.diffing.oracle import truth
from hipport.diffing.owners import Owners
from hipport.diffing.propose import kernels
from hipport.diffing.sides import Outputs
from hipport.diffing.wrapper import buildable, include_options, sliced_root
from hipport.errors import HipportError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hipport.device.executor import Kernel, Launched, Module
    from hipport.diffing.contract import Contract
    from hipport.diffing.formats import Tensor

TURNS = b"hipport_blocks"  # the parameter that rewrites/grid_limit adds


@dataclass(frozen=True, slots=True)
class KernelSubject:
    """A kernel case as the judge sees it."""

    case: Case
    full: bool = False
    chosen: tuple[Point, ...] = ()

    @property
    def name(self) -> str:
        """See Subject."""
        return self.case.name

    @property
    def inputs(self) -> tuple[str, ...]:
        """See Subject."""
        given = (arg for arg in self.case.args if arg.role in {Role.IN, Role.INOUT})
        return tuple(arg.name for arg in given if arg.fill == "family")

    @property
    def unordered(self) -> frozenset[str]:
        """See Subject."""
        return frozenset(arg.name for arg in self.case.args if arg.unordered)

    def points(self) -> tuple[Point, ...]:
        """See Subject."""
        return self.chosen or cases.points(self.case, full=self.full)

    def made(self, point: Point, *, stale: bool = False, other: str = "") -> Inputs:
        """See Subject."""
        return made(self.case, point, stale=stale, other=other)

    def oracle(self, inputs: Inputs) -> Mapping[str, Tensor] | None:
        """See Subject."""
        return truth(self.case, {**inputs.names, **_readable(inputs)}) if self.case.oracle else None

    def contract(self, inputs: Inputs) -> Contract:
        """See Subject. Without `length`, an output is taken to sum its part of the inputs."""
        if self.case.length:
            return self.case.contract.with_length(whole(self.case.length, inputs.names))
        read = max((_count(s) for s in inputs.slots if s.arg.role in {Role.IN, Role.INOUT}), default=1)
        wrote = min((_count(s) for s in inputs.slots if s.arg.role in {Role.OUT, Role.INOUT}), default=1)
        return self.case.contract.with_length(max(1, read // max(wrote, 1)))


def _count(slot: Slot) -> int:
    return math.prod(slot.shape)


def _readable(inputs: Inputs) -> dict[str, Any]:
    """The inputs as an oracle reads them: float64 arrays, scalars as they are."""
    found: dict[str, Any] = {}
    for slot in inputs.slots:
        if slot.base is None:
            found[slot.arg.name] = slot.value
        elif slot.arg.role is not Role.OUT:
            one = tensors(slot, slot.base)
            found |= {name: tensor.values() for name, tensor in one.items()}
    return found


@dataclass(slots=True)
class Modules:
    """Built sources, by all that decides what is built: the cases of one source share them."""

    built: dict[tuple[str, ...], Module | HipportError] = field(default_factory=dict)

    def get(self, key: tuple[str, ...], make: Callable[[], Module]) -> Module:
        """The module, built at the first call; a build that failed fails again."""
        if key not in self.built:
            try:
                self.built[key] = make()
            except HipportError as error:
                self.built[key] = error
        found = self.built[key]
        if isinstance(found, HipportError):
            raise found
        return found


@dataclass(slots=True)
class KernelSide:
    """A kernel of one source on one device; built at the first run, kept for the others."""

    case: Case
    source: Path
    spec: str
    limits: Limits = field(default_factory=Limits)
    modules: Modules = field(default_factory=Modules)

    @property
    def reorders(self) -> bool:
        """See Side."""
        return self._ordered

    def run(self, inputs: Inputs, *, order: str = "in") -> Outputs:
        """See Side."""
        grid, block, shared = launch_of(self.case, inputs)
        turns = takes_turns(self.case, self.source)
        held = [slot.value if slot.base is None else slot.base.copy() for slot in inputs.slots]
        kernel = self._kernel(order if self.reorders else "in")
        launched = kernel(
            grid=capped(grid) if turns else grid,
            block=block,
            shared=shared,
            cooperative=self.case.cooperative,
            args=[
                *([grid[0]] if turns else []),
                *(self._argument(slot, value) for slot, value in zip(inputs.slots, held, strict=True)),
            ],
        )
        return outputs_of(inputs, held, replace(launched, grid=extent(grid, "grid")))

    def _argument(self, slot: Slot, value: Any) -> Any:
        """What the launch gets; outputs count as never written where the device can tell."""
        if slot.base is None:
            return value
        part = value[slot.start :]
        # the wave executor writes over memory that counts as never written: the sentinel would be lost
        return Undefined(part) if slot.arg.role is Role.OUT and self._kind.startswith("isa:") else part

    def _kernel(self, order: str) -> Kernel:
        limits = replace(self.limits, order=order)
        instance = (self.case.kernel, self.case.instantiate) if self.case.instantiate else ("", "")
        state = self.source.stat()
        key = (str(self.source), f"{state.st_mtime_ns} {state.st_size}", self.spec, *instance)
        options = self.case.options

        def make() -> Module:
            folder = self._folder()
            with buildable(self.case, self.source, folder, self._kind, remote=self._remote) as source:
                searched = include_options(sliced_root(source, self.source, folder))
                return device(self.spec, limits=limits).build(source, options=(*options, *searched))

        module = self.modules.get((*key, *options, "" if self._ordered else order), make)
        if self._ordered and order != "in":  # the same machine code, run in another order
            own = module.executor  # type: ignore[attr-defined]
            module = replace(module, executor=replace(own, limits=replace(own.limits, order=order)))  # type: ignore[type-var]
        return self._named(module)

    def _named(self, module: Module) -> Kernel:
        """The case's kernel of a module; without its namespaces where the device knows it by others.

        Raises:
            HipportError: the source has no such kernel.
        """
        last = self.case.kernel.rpartition("::")[2]
        # machine code holds the one instance that the wrapper uses; elsewhere it is made by its name
        other = last if self._kind.startswith("isa:") else last + self.case.instantiate
        try:
            return module[self.case.kernel + self.case.instantiate]
        except UsageError as error:
            problem = error
        try:
            return module[other]
        except UsageError:
            raise HipportError(problem.what, where=problem.where, next_step=problem.next_step) from None

    def _folder(self) -> Path:
        """The folder of the case file, or of the port: what the source may include from."""
        names = self.case.source.count("/")
        return self.source.resolve().parents[names]

    @property
    def _ordered(self) -> bool:
        """Whether a built module can be run in any order."""
        return self._kind.startswith(("isa:", "wave:")) and not self._remote

    @property
    def _kind(self) -> str:
        """The device, wherever it is."""
        return resolved(self.spec).device

    @property
    def _remote(self) -> bool:
        return bool(resolved(self.spec).host)


def takes_turns(case: Case, source: Path) -> bool:
    """Whether the port gave its kernel the number of blocks as first parameter: its grid is capped (grid-limit)."""
    name = case.kernel.rpartition("::")[2]
    data = source.read_bytes() if source.suffix == ".hip" else b""
    if TURNS not in data:
        return False
    found = next((one for one in kernels(data) if one.name == name), None)
    return found is not None and bool(found.parameters) and found.parameters[0].name == TURNS.decode()


def capped(grid: tuple[int, ...]) -> tuple[int, ...]:
    """Half of the blocks, so that each of them takes turns: what the cap would do at a size too large to run."""
    return (max(1, (grid[0] + 1) // 2), *grid[1:])


def launch_of(case: Case, inputs: Inputs) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Grid, block and bytes of dynamic LDS at a point.

    Raises:
        UsageError: an expression is wrong there; with the case's place.
    """
    try:
        grid = tuple(whole(part, inputs.names) for part in case.grid)
        block = tuple(whole(part, inputs.names) for part in case.block)
        return grid, block, whole(case.shared, inputs.names)
    except UsageError as error:
        raise UsageError(error.what, where=case.where, next_step=error.next_step) from None


def outputs_of(inputs: Inputs, held: list[Any], launched: Launched) -> Outputs:
    """The outputs of a launch whose arguments are now `held`."""
    forward: dict[str, Tensor] = {}
    unwritten: dict[str, Any] = {}
    owners: dict[str, Owners] = {}
    overwritten: list[str] = []
    blocks, threads = math.prod(launched.grid), math.prod(launched.block)
    for slot, after in zip(inputs.slots, held, strict=True):
        if slot.base is None:
            continue
        if slot.arg.role is Role.IN:
            overwritten += [slot.arg.name] if after.tobytes() != slot.base.tobytes() else []
            continue
        padding = slot.padding(after)
        if after[padding].tobytes() != slot.base[padding].tobytes():
            overwritten.append(f"{slot.arg.name} (padding)")
        found = tensors(slot, after)
        forward |= found
        owners |= {name: Owners(blocks, threads, slot.arg.map) for name in found}
        if slot.arg.role is Role.OUT:
            unwritten |= _unwritten(slot, found)
    return Outputs(
        forward,
        unwritten=unwritten,
        overwritten=tuple(overwritten),
        copies=_copies(inputs, forward),
        owners=owners,
        seconds=(launched.seconds, 0.0),
        fidelity=launched.fidelity.value,
        approximate=launched.approximate,
    )


def _unwritten(slot: Slot, found: Mapping[str, Tensor]) -> dict[str, Any]:
    """The elements that still are as `sentinel` makes them."""
    marks = {}
    fields = storage_of(slot.arg.dtype).names
    for name, tensor in found.items():
        field_name = name.rpartition(".")[2] if fields else ""
        marks[name] = tensor.bits() == blank_bits(slot.arg.dtype, field_name, tensor.dtype)
    return marks


def _copies(inputs: Inputs, forward: Mapping[str, Tensor]) -> tuple[tuple[str, str], ...]:
    import numpy as np

    found = []
    for slot in inputs.slots:
        if slot.base is None or slot.arg.role is not Role.IN or _count(slot) < 2:
            continue
        bits = np.ascontiguousarray(slot.view()).tobytes()
        found += [(name, slot.arg.name) for name, tensor in forward.items() if tensor.data.tobytes() == bits]
    return tuple(found)

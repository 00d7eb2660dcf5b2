"""One `hipport run` of a kernel: build, fill the arguments, launch, save and compare."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipport.device import device
from hipport.device.arguments import Argument, decoded, difference, read
from hipport.device.executor import Limits
from hipport.errors import HipportError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hipport.device.executor import Launched


@dataclass(frozen=True, slots=True)
class Request:
    """What to run, where, with what. `args_file` may be None for a kernel without parameters."""

    source: Path
    kernel: str
    device: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int = 0
    cooperative: bool = False
    args_file: Path | None = None
    options: tuple[str, ...] = ()
    profile: bool = False
    limits: Limits = field(default_factory=Limits)
    out: Path | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """One array after the launch. `values` are those asked for; `difference` is empty where it is as expected."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    values: tuple[float | int | bool, ...]
    saved: str
    compared: bool
    difference: str


@dataclass(frozen=True, slots=True)
class KernelRun:
    """A finished run of one kernel and what became of its arrays."""

    launched: Launched
    arrays: tuple[Shown, ...]

    @property
    def differs(self) -> bool:
        """Whether an array is not as expected."""
        return any(row.difference for row in self.arrays)


def serve(request: Request) -> KernelRun:
    """Do it. See Executor.build and Kernel for what is raised."""
    where = device(request.device, limits=request.limits)
    arguments = read(request.args_file) if request.args_file else ()
    module = where.build(request.source, options=request.options, profile=request.profile)
    launched = module[request.kernel](
        grid=request.grid,
        block=request.block,
        shared=request.shared,
        cooperative=request.cooperative,
        args=[argument.value for argument in arguments],
    )
    return KernelRun(launched, _shown(arguments, request.out))


def _shown(arguments: Sequence[Argument], out: Path | None) -> tuple[Shown, ...]:
    rows = []
    for number, argument in enumerate(arguments, 1):
        if argument.array is None or not (argument.printed or argument.save or argument.expect):
            continue
        values = decoded(argument).reshape(-1)
        count = len(values) if argument.printed < 0 else argument.printed
        rows.append(
            Shown(
                name=argument.name or f"argument {number}",
                dtype=argument.dtype or str(argument.array.dtype),
                shape=tuple(argument.array.shape),
                values=tuple(values[:count].tolist()),
                saved=_save(argument, out),
                compared=argument.expect is not None,
                difference=difference(argument),
            )
        )
    return tuple(rows)


def _save(argument: Argument, out: Path | None) -> str:
    """Write the array below the folder `out`; the path, or nothing if it is not asked for."""
    import numpy as np

    if not argument.save:
        return ""
    if out is None:
        raise HipportError(f"`{argument.name}` is to be saved as {argument.save}", next_step="name a folder: -o DIR")
    path = out / argument.save
    if not path.resolve().is_relative_to(out.resolve()):
        raise HipportError(f"`save = {argument.save}` leads out of the output folder", where=str(out))
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, decoded(argument), allow_pickle=False)
    return str(path if path.suffix == ".npy" else path.with_name(path.name + ".npy"))

"""Where kernels run: real GPUs, and AMD machine code or source-level lanes on the CPU.

import hipport
module = hipport.device("isa:gfx950").build("k.hip")
module["softmax"](grid=64, block=256, args=[x, y, 1024])      # numpy arrays and CPU torch tensors, in place
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from hipport.device.executor import (
    Executor,
    Fault,
    FaultError,
    Fidelity,
    InconclusiveError,
    Launched,
    Limits,
    RefusedError,
)
from hipport.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Executor",
    "Fault",
    "FaultError",
    "Fidelity",
    "InconclusiveError",
    "Launched",
    "Limits",
    "RefusedError",
    "device",
]

SPECS = ("isa:gfx942", "isa:gfx950", "wave:32", "wave:64", "cuda", "hip", "hip-on-nvidia")


def device(spec: str, *, limits: Limits | None = None) -> Executor:
    """The device of that spelling: `isa:gfx950`, `wave:32`, `cuda`, `hip`, `hip-on-nvidia`, or a configured name.

    With `@host` it is one of another machine, by ssh.

    Raises:
        UsageError: no device is spelled like that.
        UntestedError: it is not here, or not there yet.
    """
    from hipport.device.configured import resolved

    kept, place = limits or Limits(), resolved(spec)
    if place.host:
        from hipport.device import remote

        return remote.executor(place, kept)
    spec = place.device
    kind, _, name = spec.partition(":")
    if kind == "isa" and name:
        from hipport.device import cpu

        return cpu.executor(name, kept)
    if spec in {"cuda", "hip", "hip-on-nvidia"}:
        from hipport.device import gpu

        return gpu.executor(spec, kept)
    if kind == "wave":
        from hipport.device.wave import launch

        return launch.executor(name, kept)
    raise UsageError(f"there is no device `{spec}`", next_step=f"one of {', '.join(SPECS)}")


def default_spec(targets: Sequence[str]) -> str:
    """`hip` if this machine has a GPU of one of the targets, else `isa:` the first of them that is modelled."""
    from hipport.device import cpu, gpu

    if set(targets) & set(gpu.amd_gpus()):
        return "hip"
    ready = [name for name in targets if name in cpu.READY]
    return f"isa:{(ready or list(cpu.READY[-1:]))[0]}"


class _Callable(ModuleType):
    """Lets `hipport.device("isa:gfx950")` mean device.device, though `hipport.device` is this package."""

    def __call__(self, spec: str, *, limits: Limits | None = None) -> Executor:
        return device(spec, limits=limits)


sys.modules[__name__].__class__ = _Callable

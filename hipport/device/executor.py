"""What runs kernels, whatever the device: the Protocol, its values and its three ways to fail."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from hipport.errors import ExitCode, HipportError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

SECONDS = 600.0  # the default time limit of one launch or program
MEMORY = 8 << 30  # the default memory limit of a child process, in bytes


class Fidelity(str, Enum):
    """How close a result is to the machine's own."""

    EXACT = "exact"
    APPROXIMATE = "approximate"  # some opcodes differ within a stated bound
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child process may use, and how blocks are run.

    `threads` 0 means every core; `order` is `in` or `random:SEED`; `budget` is instructions a wave (0: the
    executor's own); `poison` finds reads of memory that was never written. `repeats` are further launches of which a
    GPU gives the mean time, once the outputs are taken.
    """

    seconds: float = SECONDS
    memory: int = MEMORY
    threads: int = 0
    order: str = "in"
    budget: int = 0
    poison: bool = True
    repeats: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """Where and why a kernel was stopped, refused, or could not be judged. `line` 0 means unknown."""

    kind: str
    message: str
    kernel: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    block: tuple[int, int, int] = (0, 0, 0)
    thread: tuple[int, int, int] = (0, 0, 0)
    wave: int = 0
    lane: int = -1
    address: int = 0
    opcode: str = ""
    hip_error: str = ""

    @property
    def where(self) -> str:
        """`file:line` of the source, or nothing."""
        if not self.file:
            return ""
        return f"{self.file}:{self.line}" if self.line else self.file


class FaultError(HipportError):
    """A kernel did what it may not: out of bounds, uninitialised, divergent barrier, deadlock, trap, assert."""

    def __init__(self, fault: Fault, *, printed: str = "") -> None:
        super().__init__(fault.message, where=fault.where)
        self.fault = fault
        self.printed = printed


class RefusedError(FaultError):
    """A launch that the machine's limits forbid; `fault.hip_error` is HIP's name for it."""


class InconclusiveError(FaultError):
    """The executor lacks something: the run says nothing about the program."""

    exit_code = ExitCode.UNTESTED


@dataclass(frozen=True, slots=True)
class Launched:
    """One finished launch. `approximate` names opcodes with their bounds; `counts` is empty without profiling."""

    kernel: str
    device: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    seconds: float
    fidelity: Fidelity
    approximate: tuple[str, ...] = ()
    counts: Mapping[str, Any] = field(default_factory=dict)
    printed: str = ""


class Kernel(Protocol):
    """One kernel of a built module."""

    def __call__(
        self,
        *,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[object],
        shared: int = 0,
        cooperative: bool = False,
    ) -> Launched:
        """Launch it and wait. Arrays among `args` (numpy, CPU torch) are used in place.

        Raises:
            RefusedError: over a limit of the machine.
            FaultError: the kernel did what it may not.
            InconclusiveError: the device cannot judge it.
            UsageError: the arguments do not fit the kernel's parameters.
        """


class Module(Protocol):
    """A built source."""

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names of its kernels, demangled."""

    def __getitem__(self, name: str) -> Kernel:
        """The kernel of that name: `softmax`, `softmax<float>` or the mangled name."""


class Executor(Protocol):
    """A device that runs kernels."""

    @property
    def spec(self) -> str:
        """Its spelling: `isa:gfx950`, `cuda`, `hip`."""

    def build(self, source: str | Path, *, options: Sequence[str] = (), profile: bool = False) -> Module:
        """Compile a source for it; `options` are words for the compiler.

        Raises:
            HipportError: the source does not compile; with the compiler's first errors.
            UntestedError: there is no compiler for it here.
        """


def extent(value: int | Sequence[int], what: str) -> tuple[int, int, int]:
    """Three extents of `64`, `(64, 2)` or `(64, 2, 1)`.

    Raises:
        UsageError: no whole numbers above 0 that fit in 32 bits, or more than three.
    """
    sizes = (value,) if isinstance(value, int) else tuple(value)
    sizes = sizes + (1,) * (3 - len(sizes))
    if len(sizes) != 3 or not all(isinstance(n, int) and 0 <= n < 1 << 32 for n in sizes):
        raise UsageError(f"{what} {value!r} is not one to three whole numbers below 2^32")
    return sizes[0], sizes[1], sizes[2]

"""`isa:TARGET`: a kernel's real machine code for an AMD GPU, run on this CPU in a child process."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hipport.device.buffers import Parameter, Range, memory_of, scalar_bytes
from hipport.device.executor import (
    Fidelity,
    Launched,
    Limits,
    extent,
)
from hipport.device.isa import abi
from hipport.device.isa.build import DEVICE_HEADER, build
from hipport.device.isolation import cores, in_child, ordering
from hipport.device.outcome import raise_fault
from hipport.device.signature import parameters, pick, short_name
from hipport.device.staging import Block, SharedFile, blocks_of, place
from hipport.errors import HipportError, UntestedError, UsageError
from hipport.targets import Target
from hipport.targets import target as target_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.toolchain import Compiler

READY = ("gfx942", "gfx950")  # targets whose every instruction class is modelled


@dataclass(frozen=True, slots=True)
class IsaExecutor:
    """The executor of one target. It is an Executor."""

    target: Target
    limits: Limits = field(default_factory=Limits)

    @property
    def spec(self) -> str:
        """Its spelling."""
        return f"isa:{self.target.name}"

    def build(self, source: str | Path, *, options: Sequence[str] = (), profile: bool = False) -> IsaModule:
        """See Executor. An assembly file (`.s`) of the target is taken as it is."""
        path = Path(source)
        if not path.is_file():
            raise UsageError("there is no such file", where=str(path))
        if path.suffix == ".s":
            return IsaModule(self, lifted(path, self.target.name, profile=profile))
        with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
            words = ("-include", "hip/hip_runtime.h", *options)  # as nvcc does: a .cu need not name it
            assembly = assembled(compiler_for(self.target.name), path, self.target.name, Path(scratch), words)
            return IsaModule(self, lifted(assembly, self.target.name, profile=profile))


def executor(target: str, limits: Limits) -> IsaExecutor:
    """The executor for a target.

    Raises:
        UsageError: no such target.
        UntestedError: it is not modelled yet.
    """
    found = target_of(target)
    if found.name not in READY:
        raise UntestedError(
            f"isa:{found.name} is not there yet",
            next_step=f"the isa executor runs {', '.join(READY)}; others are to come",
        )
    return IsaExecutor(found, limits)


def compiler_for(target: str) -> Compiler:
    """The compiler of this machine for the target."""
    from hipport.toolchain import find

    return find(target)


def lifted(assembly: Path, target: str, *, profile: bool) -> Path:
    """The shared object made from the target's assembly, from the cache if it is there."""
    text = assembly.read_text(encoding="utf-8", errors="surrogateescape")
    if f"-amdhsa--{target}" not in text:
        raise UsageError(f"it is no assembly of {target}", where=str(assembly))
    return build(text, profile=profile)


# -g maps a fault to its line; the frame pointer and the rest of the code stay as they are without it
DEVICE_OPTIONS = ("-g", "-Wno-unused-command-line-argument", "-include", str(DEVICE_HEADER))


def assembled(compiler: Compiler, source: Path, target: str, scratch: Path, options: Sequence[str]) -> Path:
    """The target's assembly of a source.

    Raises:
        HipportError: it does not compile.
    """
    output = scratch / f"{source.stem}.s"
    built = compiler.compile(source, target, kind="asm", output=output, options=(*DEVICE_OPTIONS, *options))
    if built.ok and built.output:
        return built.output
    errors = [f"{d.file}:{d.line}: {d.message}" for d in built.diagnostics if d.severity == "error"][:5]
    raise HipportError(
        f"it does not compile for {target}: " + ("; ".join(errors) or built.log.strip()[-400:]),
        where=str(source),
        next_step=f"the compiler's log: {built.log_path}" if built.log_path else "",
    )


@dataclass(frozen=True, slots=True)
class IsaModule:
    """The kernels of one shared object."""

    executor: IsaExecutor
    path: Path

    @property
    def kernels(self) -> tuple[str, ...]:
        """See Module."""
        return tuple(short_name(name) for name in self._names())

    def _names(self) -> list[str]:
        _, header = abi.load(str(self.path))
        return [header.kernels[i].name.decode() for i in range(header.kernel_count)]

    def __getitem__(self, name: str) -> IsaKernel:
        """See Module."""
        names = self._names()
        mangled = pick(name, names)
        return IsaKernel(self, mangled, names.index(mangled), *_describe(self.path, names.index(mangled)))


def _describe(path: Path, index: int) -> tuple[tuple[Parameter, ...], int, int]:
    """A kernel's parameters, its kernarg bytes, and whether the module counts."""
    _, header = abi.load(str(path))
    kernel = header.kernels[index]
    kinds = parameters(kernel.name.decode())
    slots = [kernel.args[i] for i in range(kernel.arg_count) if kernel.args[i].kind < abi.HIDDEN]
    known = kinds if len(kinds) == len(slots) else ("",) * len(slots)
    found = tuple(
        Parameter(at, slot.name.decode(), kind, slot.offset, slot.size, slot.kind == _POINTER)
        for at, (slot, kind) in enumerate(zip(slots, known, strict=True))
    )
    return found, max(kernel.explicit_size, 1), header.profiled


_POINTER = 1  # HIPPORT_ARG_POINTER


class Runner(Protocol):
    """A device whose modules have the interface of native/abi.h."""

    @property
    def spec(self) -> str:
        """Its spelling."""

    @property
    def target(self) -> Target:
        """Whose limits a launch keeps to."""

    @property
    def limits(self) -> Limits:
        """Of the child process."""


class Loadable(Protocol):
    """A shared object with that interface, and where it runs."""

    @property
    def executor(self) -> Runner:
        """The device."""

    @property
    def path(self) -> Path:
        """The shared object."""


@dataclass(frozen=True, slots=True)
class IsaKernel:
    """One kernel of a shared object that has the interface of native/abi.h, ready to launch."""

    module: Loadable
    mangled: str
    index: int
    parameters: tuple[Parameter, ...]
    kernarg_bytes: int
    profiled: int

    def __call__(
        self,
        *,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[object],
        shared: int = 0,
        cooperative: bool = False,
    ) -> Launched:
        """See Kernel."""
        shape = (extent(grid, "grid"), extent(block, "block"))
        if not 0 <= shared < 1 << 32:
            raise UsageError(f"{shared} is no number of bytes of LDS")
        kernarg, ranges = self._arguments(args)
        blocks = blocks_of([item for _, item in ranges])
        pointers = [(offset, *at) for offset, item in ranges if (at := place(blocks, item))]
        request = self._request(shape, shared, cooperative=cooperative)
        request |= {
            "kernarg": kernarg.hex(),
            "pointers": pointers,
            "blocks": [
                {"offset": b.offset, "size": b.size, "name": b.name, "writable": b.writable, "undefined": b.undefined}
                for b in blocks
            ],
        }
        return self._run(request, blocks, shape, shared)

    def _arguments(self, args: Sequence[object]) -> tuple[bytearray, list[tuple[int, Range]]]:
        if len(args) != len(self.parameters):
            wanted = ", ".join(p.kind or p.name or f"{p.size} bytes" for p in self.parameters)
            raise UsageError(
                f"{short_name(self.mangled)} takes {len(self.parameters)} arguments ({wanted}), not {len(args)}"
            )
        kernarg = bytearray(self.kernarg_bytes)
        ranges = []
        for parameter, value in zip(self.parameters, args, strict=True):
            if parameter.pointer and value is None:
                continue
            if parameter.pointer:
                ranges.append((parameter.offset, memory_of(value, parameter)))
            else:
                kernarg[parameter.offset : parameter.offset + parameter.size] = scalar_bytes(value, parameter)
        return kernarg, ranges

    def _request(
        self, shape: tuple[tuple[int, int, int], tuple[int, int, int]], shared: int, *, cooperative: bool
    ) -> dict[str, Any]:
        target, limits = self.module.executor.target, self.module.executor.limits
        order, seed = ordering(limits.order)
        flags = (abi.Flag.POISON if limits.poison else 0) | (abi.Flag.COOPERATIVE if cooperative else 0)
        return {
            "module": str(self.module.path),
            "kernel": self.index,
            "grid": shape[0],
            "block": shape[1],
            "shared": shared,
            "lds_limit": target.lds_dynamic_bytes,
            "lds_banks": target.number("lds_banks"),
            "threads": limits.threads or cores(),
            "order": order,
            "seed": seed,
            "budget": limits.budget,
            "flags": int(flags),
            "memory": limits.memory,
        }

    def _run(
        self,
        request: dict[str, Any],
        blocks: Sequence[Block],
        shape: tuple[tuple[int, int, int], tuple[int, int, int]],
        shared: int,
    ) -> Launched:
        executor = self.module.executor
        memory = SharedFile(blocks)
        try:
            memory.fill()
            result, printed = in_child(
                {**request, "handle": memory.handle, "bytes": memory.size}, memory.handle, executor.limits
            )
            memory.take_back()
        finally:
            memory.close()
        raise_fault(result["code"], result["fault"], printed)
        return Launched(
            kernel=short_name(self.mangled),
            device=executor.spec,
            grid=shape[0],
            block=shape[1],
            shared=shared,
            seconds=result["seconds"],
            fidelity=Fidelity.APPROXIMATE if result["approximate"] else Fidelity.EXACT,
            approximate=tuple(result["approximate"]),
            counts=result["counts"] if result["profiled"] else {},
            printed=printed,
        )

"""`wave:32` and `wave:64`: the device, its modules and their kernels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.device.buffers import Parameter
from hipport.device.cpu import IsaKernel
from hipport.device.executor import Limits
from hipport.device.isa import abi
from hipport.device.signature import pick
from hipport.device.wave.build import build
from hipport.errors import HipportError, UsageError
from hipport.targets import Target
from hipport.targets import target as target_of

if TYPE_CHECKING:
    from collections.abc import Sequence

# whose limits a launch keeps to: an H200's where waves have 32 lanes, an MI350X's where they have 64
MODELS = {32: "sm_90", 64: "gfx950"}


@dataclass(frozen=True, slots=True)
class WaveExecutor:
    """The executor of one wave width. It is an Executor."""

    width: int
    target: Target
    limits: Limits = field(default_factory=Limits)

    @property
    def spec(self) -> str:
        """Its spelling."""
        return f"wave:{self.width}"

    def build(self, source: str | Path, *, options: Sequence[str] = (), profile: bool = False) -> WaveModule:
        """See Executor."""
        if profile:
            raise UsageError(f"{self.spec} keeps no counts", next_step="--profile is for isa devices")
        path = Path(source)
        if not path.is_file():
            raise UsageError("there is no such file", where=str(path))
        return WaveModule(self, build(path, self.width, options=tuple(options)), path, tuple(options))


def executor(name: str, limits: Limits) -> WaveExecutor:
    """The executor of `32` or `64`.

    Raises:
        UsageError: any other width.
    """
    if name not in {"32", "64"}:
        raise UsageError(f"there is no device `wave:{name}`", next_step="wave:32 or wave:64")
    # one CPU thread unless more are asked for: the order of blocks, and of their atomics, is then the same in every run
    kept = replace(limits, threads=limits.threads or 1)
    return WaveExecutor(int(name), target_of(MODELS[int(name)]), kept)


@dataclass(frozen=True, slots=True)
class WaveModule:
    """The kernels of one shared object."""

    executor: WaveExecutor
    path: Path
    source: Path
    options: tuple[str, ...] = ()

    @property
    def kernels(self) -> tuple[str, ...]:
        """See Module."""
        _, header = abi.load(str(self.path))
        return tuple(header.kernels[i].name.decode() for i in range(header.kernel_count))

    def __getitem__(self, name: str) -> IsaKernel:
        """See Module. An instance of a template that the source does not name is built when it is asked for."""
        try:
            found = pick(name, self.kernels)
        except UsageError:
            if not name.endswith(">"):
                raise
            return _kernel(self._with(name), name)
        return _kernel(self, found)

    def _with(self, name: str) -> WaveModule:
        try:
            path = build(self.source, self.executor.width, options=self.options, wanted=(name,))
        except HipportError as error:
            raise UsageError(f"`{name}` is no kernel of this source: {error.what}", where=str(self.source)) from error
        return WaveModule(self.executor, path, self.source, self.options)


def _kernel(module: WaveModule, name: str) -> IsaKernel:
    _, header = abi.load(str(module.path))
    index = module.kernels.index(name)
    row = header.kernels[index]
    found = tuple(
        Parameter(i, slot.name.decode(), slot.value_kind.decode(), slot.offset, slot.size, slot.kind == 1)
        for i, slot in enumerate(row.args[i] for i in range(row.arg_count))
    )
    return IsaKernel(module, name, index, found, max(row.explicit_size, 1), 0)

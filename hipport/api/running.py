"""Running kernels and programs on a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hipport.device.executor import Executor, Limits
    from hipport.device.listing import Listed
    from hipport.device.program.run import ProgramRun
    from hipport.device.request import KernelRun, Request


def device(spec: str = "", *, targets: Sequence[str] = ("gfx942", "gfx950"), limits: Limits | None = None) -> Executor:
    """The device of that spelling; with none, a real GPU of one of the targets if there is one, else the isa executor.

    Raises:
        UsageError: no device is spelled like that.
        UntestedError: it is not here, or not there yet.
    """
    from hipport.device import default_spec
    from hipport.device import device as named

    return named(spec or default_spec(targets), limits=limits)


def default_device(targets: Sequence[str]) -> str:
    """`hip` if this machine has a GPU of one of the targets, else `isa:` and the first that the isa executor runs."""
    from hipport.device import default_spec

    return default_spec(targets)


def run(request: Request) -> KernelRun:
    """Build and launch one kernel, save and compare its arrays. See hipport.device.executor for what is raised."""
    from hipport.device.request import serve

    return serve(request)


def run_program(
    folder: Path,
    target: str,
    args: Sequence[str] = (),
    *,
    limits: Limits | None = None,
    cflags: Sequence[str] = (),
    make: Sequence[str] = (),
    profile: bool = False,
    capture: bool = False,
) -> ProgramRun:
    """Build the HIP program of a folder for the isa executor of `target` and run it; the folder stays as it is.

    Args:
        folder: with a Makefile that calls hipcc, or sources.
        target: gfx942 or gfx950; `wave:32` or `wave:64` for the wave executor.
        args: the program's own words.
        limits: of time, memory and threads.
        cflags: words for every compilation.
        make: words for make.
        profile: count what kernels do.
        capture: keep the program's output instead of passing it on.

    Raises:
        HipportError: it does not build.
        UntestedError: a compiler or something that the build needs is not here.
    """
    if target.startswith("wave:"):
        from hipport.device.wave import program as lanes

        width = lanes.width_of(target, profile=profile)
        return lanes.run_program(folder, width, args, limits=limits, cflags=cflags, make=make, capture=capture)
    from hipport.device.program import run as programs

    return programs.run_program(
        folder, target, args, limits=limits, cflags=cflags, make=make, profile=profile, capture=capture
    )


def devices(*, ask: bool = False) -> tuple[Listed, ...]:
    """Every device that can be named here; hosts of hipport.toml are reached only where `ask` is set."""
    from hipport.device.listing import listed

    return listed(ask=ask)

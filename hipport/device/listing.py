"""Every device that can be named: whether it is here, what it runs on, and what its results are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.device import SPECS, cpu, gpu
from hipport.device.configured import Place, places
from hipport.device.described import FIDELITY
from hipport.errors import HipportError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Listed:
    """One device. `problem` says why it is not here; `asked` is false for other machines that nobody asked."""

    name: str
    device: str
    here: bool
    fidelity: str
    detail: str = ""
    problem: str = ""
    host: str = ""
    asked: bool = True


def listed(start: Path | None = None, *, ask: bool = False) -> tuple[Listed, ...]:
    """This machine's devices, and those that hipport.toml names; hosts are reached only where `ask` is set."""
    own = tuple(_local(Place(spec, spec)) for spec in SPECS)
    return own + tuple(_remote(place, ask=ask) if place.host else _local(place) for place in places(start))


def _local(place: Place) -> Listed:
    kind, _, name = place.device.partition(":")
    fidelity = FIDELITY.get(kind, "")
    try:
        return Listed(place.name, place.device, True, fidelity, _detail(kind, name))
    except HipportError as error:
        return Listed(place.name, place.device, False, fidelity, problem=error.what)


def _detail(kind: str, name: str) -> str:
    """What it runs on.

    Raises:
        UntestedError: it is not here.
    """
    from hipport.device.executor import Limits

    if kind == "isa":
        cpu.executor(name, Limits())
        return cpu.compiler_for(name).name
    if kind == "wave":
        from hipport.device.wave import launch
        from hipport.device.wave.compiler import cxx_compiler

        launch.executor(name, Limits())
        return cxx_compiler().version.splitlines()[0]
    tools = gpu.toolchain(kind)
    return f"{tools.target}, {tools.words[0]}"


def _remote(place: Place, *, ask: bool) -> Listed:
    kind = place.device.partition(":")[0]
    fidelity = FIDELITY.get(kind, "")
    if not ask:
        return Listed(place.name, place.device, False, fidelity, host=place.host, problem="not asked", asked=False)
    from hipport.device.remote import Connection

    try:
        connection = Connection(place)
    except HipportError as error:
        return Listed(place.name, place.device, False, fidelity, problem=error.what, host=place.host)
    said = connection.said
    connection.close()
    told = said["described"]
    detail = ", ".join(str(told[key]) for key in ("target", "gpu", "compiler") if told.get(key))
    problem = str(told.get("problem", ""))
    return Listed(
        place.name, place.device, not problem, fidelity, f"hipport {said['hipport']}: {detail}", problem, place.host
    )

"""What this machine can do with code for each GPU."""

from __future__ import annotations

import functools
import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend.typecheck import available
from hipport.targets import Vendor
from hipport.toolchain import compilers
from hipport.toolchain.compiler import Level
from hipport.toolchain.places import default_prefix, read_prefix
from hipport.toolchain.process import run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hipport.targets import Target
    from hipport.toolchain.compiler import Compiler


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that is here, or was looked for and is not (`place` is empty); `lacks` is what it cannot build."""

    name: str
    language: str
    place: str
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class TargetLevel:
    """How far code for a target is taken here, by which compiler, and what it cannot build."""

    target: str
    level: Level
    compiler: str
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tools:
    """What was found. `prefix` is the private toolchain, whether it is there or not."""

    prefix: str
    route: str
    packages: tuple[tuple[str, str], ...]
    tools: tuple[Tool, ...]
    levels: tuple[TargetLevel, ...]


def discover(wanted: Sequence[Target], prefix: Path | None = None) -> Tools:
    """The tools of this machine and the level of each target."""
    folder = prefix or default_prefix()
    private = read_prefix(folder)
    have = {vendor: tuple(compilers(vendor, prefix)) for vendor in Vendor}
    tools = [Tool(c.name, c.language, c.place, "; ".join(c.lacks)) for found in have.values() for c in found]
    tools += [_program(name) for name in ("hipcc", "g++")]
    libclang = available()
    tools.append(Tool(f"libclang {libclang}".strip(), "", "in process" if libclang else ""))
    return Tools(
        prefix=str(folder),
        route=private.route if private else "",
        packages=private.packages if private else (),
        tools=tuple(tools),
        levels=tuple(_level(target, have[target.vendor], bool(libclang)) for target in wanted),
    )


def _level(target: Target, have: Sequence[Compiler], libclang: bool) -> TargetLevel:
    best = max(have, key=lambda c: c.level(target.name).rank, default=None)
    level = best.level(target.name) if best else Level.NONE
    if best is None or level is Level.NONE:
        return TargetLevel(target.name, Level.PARSED if libclang else Level.NONE, "libclang" if libclang else "")
    if level is Level.COMPILED and _runs(target):
        level = Level.RUN
    return TargetLevel(target.name, level, best.name, best.lacks)


@functools.cache
def _gpus() -> frozenset[str]:
    """The architectures of this machine's own GPUs, as its drivers' tools name them."""
    found: set[str] = set()
    if shutil.which("nvidia-smi"):
        ran = run(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"], limit=30)
        found |= {f"sm_{cap.replace('.', '')}" for cap in re.findall(r"^(\d+\.\d+)\s*$", ran.output, re.MULTILINE)}
    for name in ("rocm_agent_enumerator", "amdgpu-arch"):
        if shutil.which(name):
            found |= set(re.findall(r"^(gfx\w+)\s*$", run([name], limit=30).output, re.MULTILINE)) - {"gfx000"}
    return frozenset(found)


def _runs(target: Target) -> bool:
    """Whether a GPU here runs the target's code: its own, or for CUDA one of the same major version, not older."""
    if target.vendor is Vendor.AMD:
        return target.name in _gpus()
    number = int(target.name.removeprefix("sm_"))
    mine = [int(name.removeprefix("sm_")) for name in _gpus() if name.startswith("sm_")]
    return any(gpu // 10 == number // 10 and gpu >= number for gpu in mine)


def _program(name: str) -> Tool:
    found = shutil.which(name)
    if not found:
        return Tool(name, "", "")
    ran = run([found, "--version"], limit=30)
    match = re.search(r"\d+\.\d+[\w.]*", ran.output)
    return Tool(f"{name} {match[0]}" if match else name, "", found)

"""What this machine can do with code for each GPU."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.toolchain import compilers
from hipport.toolchain.compiler import Level
from hipport.toolchain.places import default_prefix, read_prefix
from hipport.toolchain.process import run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that is here, or looked for and not: `place` is empty then, and `detail` says what it would give."""

    name: str
    version: str
    place: str
    detail: str = ""


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
    tools: tuple[Tool, ...]
    levels: tuple[TargetLevel, ...]


def discover(names: Sequence[str], prefix: Path | None = None) -> Tools:
    """The tools of this machine and the level of each named target."""
    folder = prefix or default_prefix()
    private = read_prefix(folder)
    have = compilers(prefix)
    tools = [Tool(c.name, "", "", "") for c in have]
    tools += [_program(name) for name in ("hipcc", "g++")]
    levels = []
    for name in names:
        best = max(have, key=lambda c: c.level(name).rank, default=None)  # used at once
        level = best.level(name) if best else Level.NONE
        levels.append(
            TargetLevel(name, level, best.name if best and level is not Level.NONE else "", best.lacks if best else ())
        )
    return Tools(str(folder), private.route if private else "", tuple(tools), tuple(levels))


def _program(name: str) -> Tool:
    found = shutil.which(name)
    if not found:
        return Tool(name, "", "")
    ran = run([found, "--version"], limit=30)
    match = re.search(r"\d+\.\d+[\w.]*", ran.output)
    return Tool(name, match[0] if match else "", found)

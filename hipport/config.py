"""[tool.hipport] of pyproject.toml, or hipport.toml -> a frozen Config."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Style(str, Enum):
    """`hip`: HIP sources; `dual`: one source for both vendors."""

    HIP = "hip"
    DUAL = "dual"


class WarpMode(str, Enum):
    """`subwarp`: 32-lane logical warps on a 64-lane wave; `native`: the wave's own width."""

    SUBWARP = "subwarp"
    NATIVE = "native"


class Launch(str, Enum):
    """`keep`: `<<<>>>` stays; `ggl`: hipLaunchKernelGGL."""

    KEEP = "keep"
    GGL = "ggl"


class Stage(str, Enum):
    """What a port does: `--only` chooses."""

    RENAME = "rename"
    BUILD = "build"
    REWRITE = "rewrite"
    SHIM = "shim"


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a port is told, after files and options are merged; options win."""

    targets: tuple[str, ...] = ("gfx942", "gfx950")
    rocm: str = "7.2"
    torch: str = "2.13"
    style: Style = Style.HIP
    warp: WarpMode = WarpMode.SUBWARP
    launch: Launch = Launch.KEEP
    optimize: bool = False
    only: tuple[Stage, ...] = tuple(Stage)
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    jobs: int = 0

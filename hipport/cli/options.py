"""The options that every command shares, in one spelling, and what they make of the configuration."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from hipport import config as settings

if TYPE_CHECKING:
    from hipport.config import Config


class Format(str, Enum):
    """How a port's report is written."""

    TEXT = "text"
    JSON = "json"
    MD = "md"


Text = Optional[str]  # noqa: UP045  typer reads annotations at run time, on Python 3.10 too
Target = Annotated[Text, typer.Option("--target", metavar="GFX,...", help="AMD targets [gfx942,gfx950]")]
Rocm = Annotated[Text, typer.Option("--rocm", metavar="VERSION", help="ROCm version whose names are written [7.2]")]
Torch = Annotated[Text, typer.Option("--torch", metavar="VERSION", help="PyTorch version of the port [2.13]")]
StyleOption = Annotated[
    Optional[settings.Style],  # noqa: UP045
    typer.Option("--style", help="hip: HIP sources; dual: one source for both vendors [hip]"),
]
Warp = Annotated[
    Optional[settings.WarpMode],  # noqa: UP045
    typer.Option("--warp", help="subwarp: keep 32-lane warps; native: the wave's own width [subwarp]"),
]
LaunchOption = Annotated[
    Optional[settings.Launch],  # noqa: UP045
    typer.Option("--launch", help="keep: <<<>>> stays; ggl: hipLaunchKernelGGL [keep]"),
]
Optimize = Annotated[Optional[bool], typer.Option("--optimize", help="Apply performance rewrites too")]  # noqa: UP045
Only = Annotated[Text, typer.Option("--only", metavar="STAGE,...", help="Stages: rename,build,rewrite,shim [all]")]
Select = Annotated[Text, typer.Option("--select", metavar="RULE,...", help="Only these rules or families")]
Ignore = Annotated[Text, typer.Option("--ignore", metavar="RULE,...", help="Not these rules or families")]
Jobs = Annotated[Optional[int], typer.Option("--jobs", "-j", help="Processes; 0 is one a core [0]")]  # noqa: UP045
SystemHeaders = Annotated[
    Optional[bool],  # noqa: UP045
    typer.Option("--system-headers", help="Read the system's C++ headers, not built-in stubs, with device code"),
]
Output = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option("--output", metavar="FILE", help="Write the report to FILE instead of the terminal"),
]
Json = Annotated[bool, typer.Option("--json", help="The same as --format json")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Say only what failed or is left")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="List every file and every edit")]


def configured(start: Path, **options: object) -> Config:
    """The configuration that holds for `start`, with the options that were given (None: not given)."""
    return settings.merged(settings.load(start), options)

"""`hipport port`: a file or a repository from CUDA to HIP."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from hipport import api
from hipport.cli import options, stdout
from hipport.cli.progress import shown
from hipport.report.coverage import exit_code

if TYPE_CHECKING:
    from hipport.api import PortAnswer

app = typer.Typer()


@app.command()
def port(
    src: Annotated[Path, typer.Argument(metavar="SRC", help="A CUDA file or a repository's folder")],
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("-o", "--out", metavar="OUT", help="Write the port: a file for a file, a folder for a folder"),
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Write over the sources; needs a clean git tree")
    ] = False,
    patch: Annotated[bool, typer.Option("--patch", help="Print a unified diff and write nothing")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over files in OUT that are not hipport's")] = False,
    vendored: Annotated[
        Optional[bool],  # noqa: UP045
        typer.Option("--vendored", help="Port third_party/, submodules and the like too"),
    ] = None,
    target: options.Target = None,
    rocm: options.Rocm = None,
    torch: options.Torch = None,
    style: options.StyleOption = None,
    warp: options.Warp = None,
    launch: options.LaunchOption = None,
    optimize: options.Optimize = None,
    only: options.Only = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    system_headers: options.SystemHeaders = None,
    jobs: options.Jobs = None,
    format_: Annotated[
        options.Format, typer.Option("--format", help="How the report is written")
    ] = options.Format.TEXT,
    output: options.Output = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Port SRC to HIP; without -o, --in-place or --patch only the report is printed."""
    config = options.configured(
        src, target=target, rocm=rocm, torch=torch, style=style, warp=warp, launch=launch, optimize=optimize, only=only,
        select=select, ignore=ignore, jobs=jobs, vendored=vendored, system_headers=system_headers,
    )  # fmt: skip
    kind = options.Format.JSON if json else format_
    with shown(quiet=quiet) as progress:
        answer = api.port(
            src, out, config=config, in_place=in_place, patch=patch, force=force, progress=progress,
            detail=verbose or kind is options.Format.JSON,
        )  # fmt: skip
    if patch:
        sys.stdout.buffer.write(answer.patch)
        sys.stdout.buffer.flush()
    stdout.say(_rendered(answer, kind, verbose - quiet), output, to_stderr=patch)
    raise typer.Exit(exit_code(answer.report))


def _rendered(answer: PortAnswer, kind: options.Format, verbosity: int) -> str:
    if kind is options.Format.JSON:
        from hipport.report.port_json import port_json

        return port_json(answer.report, answer.config)
    if kind is options.Format.MD:
        from hipport.report.port_markdown import port_markdown

        return port_markdown(answer.report)
    from hipport.report.port_text import port_text

    return port_text(answer.report, verbosity=verbosity)

"""`hipport toolchain`: what this machine compiles with, and a private toolchain where it has none."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from hipport import api
from hipport.report.tools import tools_json, tools_text

app = typer.Typer(invoke_without_command=True)


@app.callback()
def toolchain(
    context: typer.Context,
    target: str = typer.Option("", "--target", help="GPUs to tell of; all that are known by default."),
    prefix: Path | None = typer.Option(None, "--prefix", help="The private toolchain's folder."),
    as_json: bool = typer.Option(False, "--json", help="As JSON (docs/toolchain.md)."),
) -> None:
    """Say which compilers are here and how far they take code for each GPU."""
    if context.invoked_subcommand is None:
        status = api.toolchain_status(target, prefix=prefix)
        print(tools_json(status) if as_json else tools_text(status), end="")


@app.command()
def install(
    prefix: Path | None = typer.Option(None, "--prefix", help="The folder to make; see docs/toolchain.md."),
    route: str | None = typer.Option(None, "--from", metavar="debian|pypi", help="Where from; the best by default."),
    again: bool = typer.Option(False, "--again", help="Make it anew although it is there."),
) -> None:
    """Make a private toolchain for AMD GPUs: no root, and nothing on the system changes."""
    made = api.install_toolchain(prefix, route, again=again, say=_say)
    for warning in made.warnings:
        _say(f"warning: {warning}")
    print(f"{made.prefix.folder}: {'installed' if made.fresh else 'already there'} ({made.prefix.route})")
    for lack in made.prefix.lacks:
        print(f"lacks: {lack}")


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")

"""`hipport shim`: what the shims are, and their text."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from hipport import api

app = typer.Typer(no_args_is_help=True, help="List, show or write the shims: what HIP lacks, as headers.")


@app.command("list")
def list_shims(as_json: bool = typer.Option(False, "--json", help="As JSON (schema 1).")) -> None:
    """Name every shim with what it replaces."""
    shims = api.shims()
    if as_json:
        rows = [
            {"name": s.name, "title": s.title, "replaces": s.replaces, "rocm_until": s.rocm_until, "source": s.source}
            for s in shims
        ]
        print(json.dumps({"schema": 1, "shims": rows}, indent=2))
        return
    for one in shims:
        until = f" (until ROCm {one.rocm_until})" if one.rocm_until else ""
        print(f"{one.name:18} {one.title}{until}")


@app.command()
def show(
    name: str = typer.Argument(help="A shim's name."),
    target: str = typer.Option("gfx942,gfx950,gfx1100", "--target", help="The targets that a template is filled for."),
) -> None:
    """Print a shim's header."""
    print(api.shim_header(name, target), end="")


@app.command()
def write(
    name: str = typer.Argument(help="A shim's name."),
    output: Path = typer.Option(..., "-o", "--output", help="The header to write."),
    target: str = typer.Option("gfx942,gfx950,gfx1100", "--target", help="The targets that a template is filled for."),
    force: bool = typer.Option(False, "--force", help="Replace a file that is there."),
) -> None:
    """Write a shim's header to a file."""
    api.write_shim(name, output, target, force=force)
    print(output)

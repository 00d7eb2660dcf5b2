"""`hipport explain`: what is known of a CUDA name, a header, a HIP name or a rule."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from hipport import api
from hipport.cli.options import Rocm, configured
from hipport.errors import ExitCode
from hipport.report.explanation import explanation_json, explanation_text

app = typer.Typer()


@app.command()
def explain(
    name: str = typer.Argument(help="A CUDA name, a header, a HIP name, or a rule id."),
    rocm: Rocm = None,
    as_json: bool = typer.Option(False, "--json", help="As JSON (docs/explain.md)."),
) -> None:
    """Tell what a CUDA name becomes, how far that can be trusted, and what to do where HIP has nothing."""
    found = api.explain(name, configured(Path(), rocm=rocm).rocm, Path())
    unknown = found.kind == "unknown"
    if as_json:
        print(explanation_json(found), end="")
    elif not unknown:
        print(explanation_text(found), end="")
    if unknown:
        near = f"\n  next: did you mean {', '.join(found.suggestions)}?" if found.suggestions else ""
        sys.stderr.write(f"hipport: `{found.name}` is no name, header or rule that hipport knows{near}\n")
        raise typer.Exit(ExitCode.LEFT)

"""`hipport diff`: two recordings, compared by their contracts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hipport import api
from hipport.cli import options, stdout
from hipport.report import verification

app = typer.Typer()


@app.command()
def diff(
    original: Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The recording of the original", exists=True)],
    port: Annotated[Path, typer.Argument(metavar="PORT", help="The recording of the port", exists=True)],
    contract: Annotated[
        str, typer.Option("--contract", help="exact, strict-f32, accelerated:bfloat16, ... [as recorded]")
    ] = "",
    output: options.Output = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Compare two recordings: 0 same, 3 a step failed, 4 differs, 5 could not be tested."""
    answer = api.diff(original, port, contract)
    stdout.say(verification.as_json(answer) if as_json else verification.text(answer, verbose=verbose), output)
    raise typer.Exit(answer.exit_code)

"""`hipport targets`: what is known of each GPU, and from where."""

from __future__ import annotations

import typer

from hipport import api
from hipport.report.targets_table import target_text, targets_json, targets_text

app = typer.Typer()


@app.command()
def targets(
    names: list[str] = typer.Argument(None, metavar="[TARGET]...", help="gfx950, sm_90, ...; all by default."),
    as_json: bool = typer.Option(False, "--json", help="As JSON (docs/targets.md)."),
) -> None:
    """List the GPUs that hipport knows; with names, every number of them and its source."""
    found = api.targets(",".join(names or ()))
    sources = api.target_sources()
    if as_json:
        print(targets_json(found, sources), end="")
        return
    print("\n".join(target_text(target, sources) for target in found) if names else targets_text(found), end="")

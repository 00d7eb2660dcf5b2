"""`hipport devices`: what kernels can run on."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from hipport import api
from hipport.cli import options, stdout

app = typer.Typer()


@app.command()
def devices(
    ask: Annotated[bool, typer.Option("--ask", help="Reach the hosts of hipport.toml too")] = False,
    as_json: options.Json = False,
) -> None:
    """List the devices of this machine and of hipport.toml, and what their results are worth."""
    rows = api.devices(ask=ask)
    if as_json:
        stdout.say(
            json.dumps({"schema": "hipport.devices/1", "devices": [asdict(row) for row in rows]}, indent=2) + "\n"
        )
        return
    width = max(len(row.name) for row in rows)
    lines = []
    for row in rows:
        state = "here" if row.here else "not asked" if not row.asked else "not here"
        where = f" on {row.host}" if row.host else ""
        lines.append(f"{row.name:{width}}  {state:9}  {row.detail or row.problem}{where}")
        lines.append(f"{'':{width}}             {row.fidelity}")
    stdout.say("\n".join(lines) + "\n")

"""`hipport cache`: what is kept between runs, and what may go."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from hipport import api
from hipport.cli import options, stdout

app = typer.Typer()
_DAYS = 30


@app.command()
def cache(
    prune: Annotated[bool, typer.Option("--prune", help="Remove what was not used for --days")] = False,
    days: Annotated[float, typer.Option("--days", min=0, help="How long unused (0: everything)")] = _DAYS,
    as_json: options.Json = False,
) -> None:
    """Show what hipport keeps between runs, and remove what is not used any more.

    All of it is made again when it is needed; what `hipport verify` proved is never removed.
    """
    held = api.prune_cache(days) if prune else api.cache()
    if as_json:
        rows = [kind._asdict() for kind in held.kinds]
        answer = {"schema": "hipport.cache/1", "folder": str(held.folder), "removed": held.removed, "kinds": rows}
        stdout.say(json.dumps(answer, indent=2) + "\n")
        return
    lines = [str(held.folder)]
    lines += [f"{kind.name:18} {kind.entries:7,} {_mib(kind.size):>12}" for kind in held.kinds]
    lines.append(f"{'all':18} {sum(k.entries for k in held.kinds):7,} {_mib(sum(k.size for k in held.kinds)):>12}")
    if prune:
        lines.append(f"removed: {_mib(held.removed)}")
    stdout.say("\n".join(lines) + "\n")


def _mib(size: int) -> str:
    return f"{size / (1 << 20):,.1f} MiB"

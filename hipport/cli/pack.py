"""`hipport pack`: cases for the owner of an AMD GPU who has no hipport."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from hipport import api
from hipport.cli import options, stdout
from hipport.cli.verify import case_file
from hipport.diffing.verify import Ported

app = typer.Typer()


@app.command()
def pack(
    what: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder with a verify.toml, or the file")] = Path(),
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The bundle")] = Path("bundle.tar.gz"),
    case: Annotated[list[str] | None, typer.Option("--case", metavar="NAME", help="Only this case")] = None,
    ported: Annotated[
        Path | None, typer.Option("--ported", metavar="DIR", help="A port that exists, instead of making one")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few and small inputs")] = False,
    target: options.Target = None,
    as_json: options.Json = False,
) -> None:
    """Write a bundle: `tar xf FILE`, then `python3 run.py` there writes a recording for `hipport diff`."""
    place = case_file(what)
    done = api.pack(
        place,
        out,
        case or (),
        config=options.configured(place, target=target),
        port=Ported.existing(ported, place.parent) if ported else None,
        quick=quick,
    )
    if as_json:
        row = {"schema": "hipport.pack/1", "file": str(done.path), "bundle": done.digest, "cases": list(done.cases)}
        stdout.say(json.dumps({**row, "left_out": dict(done.left_out)}, indent=2) + "\n")
        return
    lines = [f"{done.path}: {len(done.cases)} cases ({', '.join(done.cases)})"]
    lines += [f"left out: {name}: {reason}" for name, reason in done.left_out]
    name = done.path.name.partition(".")[0]
    lines.append(f"on the other machine: tar xf {done.path.name} && python3 {name}/run.py -o recording.safetensors")
    stdout.say("\n".join(lines) + "\n")

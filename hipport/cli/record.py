"""`hipport record`: one device's outputs of a case file, to be compared elsewhere by `hipport diff`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hipport import api
from hipport.cli import options, stdout
from hipport.cli.verify import case_file
from hipport.device.executor import Limits
from hipport.diffing.verify import Ported, Settings
from hipport.errors import ExitCode
from hipport.report import verification

app = typer.Typer()


@app.command()
def record(
    what: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder with a verify.toml, or the file")] = Path(),
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The recording")] = Path(
        "recording.safetensors"
    ),
    device: Annotated[str, typer.Option("--device", help="cuda, wave:32: the original; hip, isa:: its port")] = "",
    case: Annotated[list[str] | None, typer.Option("--case", metavar="NAME", help="Only this case")] = None,
    ported: Annotated[
        Path | None, typer.Option("--ported", metavar="DIR", help="A port that exists, instead of making one")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few and small inputs")] = False,
    full: Annotated[bool, typer.Option("--full", help="Every combination of sizes, families and layouts")] = False,
    repeats: Annotated[int, typer.Option("--repeats", help="Further launches on a GPU, for its time")] = 0,
    limit: Annotated[float, typer.Option("--limit", metavar="SECONDS", help="Of one run")] = 600.0,
    target: options.Target = None,
    only: options.Only = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run cases on one device and keep their outputs: 0 all ran, 3 one failed, 5 one could not be run."""
    place = case_file(what)
    answer = api.record(
        place,
        case or (),
        device=device,
        out=out,
        config=options.configured(place, target=target, only=only),
        port=Ported.existing(ported, place.parent) if ported else None,
        settings=Settings(full=full, limits=Limits(limit, repeats=repeats)),
        quick=quick,
        progress=(lambda _: None) if quiet or as_json else (lambda line: stdout.say(f"{line}\n", to_stderr=True)),
    )
    stdout.say(verification.recording_json(answer, out) if as_json else verification.recording_text(answer, out))
    problems = [row for one in answer.cases for row in one.points if row.problem]
    failed = any(not row.untested for row in problems)
    raise typer.Exit(ExitCode.FAILED if failed else ExitCode.UNTESTED if problems else ExitCode.DONE)

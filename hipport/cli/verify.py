"""`hipport verify`: the original and its port on the same inputs, and whether they give the same."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hipport import api
from hipport.cli import options, stdout
from hipport.device.executor import Limits
from hipport.diffing.verify import Ported, Settings
from hipport.errors import ExitCode, UsageError
from hipport.report import verification

app = typer.Typer()


@app.command()
def verify(
    what: Annotated[
        str, typer.Argument(metavar="[init] FOLDER", help="A folder with a verify.toml, or the file")
    ] = ".",
    folder: Annotated[str, typer.Argument(metavar="", help="After init: the folder", hidden=True)] = "",
    case: Annotated[list[str] | None, typer.Option("--case", metavar="NAME", help="Only this case")] = None,
    original: Annotated[
        str, typer.Option("--original", metavar="DEVICE", help="Of the CUDA original [cuda if here, else wave:32]")
    ] = "",
    port: Annotated[
        str, typer.Option("--port", metavar="DEVICE,...", help="Of the port [hip if here, else isa: each target]")
    ] = "",
    ported: Annotated[
        Path | None, typer.Option("--ported", metavar="DIR", help="A port that exists, instead of making one")
    ] = None,
    target: options.Target = None,
    warp: options.Warp = None,
    only: options.Only = None,
    optimize: options.Optimize = None,
    full: Annotated[bool, typer.Option("--full", help="Every combination of sizes, families and layouts")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="End a case at its first difference")] = False,
    limit: Annotated[float, typer.Option("--limit", metavar="SECONDS", help="Of one run")] = 600.0,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page with plots")] = None,
    certificates: Annotated[
        Path | None, typer.Option("--certificates", metavar="DIR", help="Write a certificate for each case")
    ] = None,
    output: options.Output = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Run cases on both sides and compare: 0 same, 3 a step failed, 4 differs, 5 could not be tested."""
    if what == "init":
        raise typer.Exit(_init(Path(folder or "."), output, quiet=quiet))
    place = case_file(Path(what))
    config = options.configured(place, target=target, warp=warp, only=only, optimize=optimize)
    answer = api.verify(
        place,
        case or (),
        original=original,
        ports=tuple(word for word in port.split(",") if word),
        config=config,
        port=Ported.existing(ported, place.parent) if ported else None,
        settings=Settings(
            full=full, stop=stop, keep=html is not None or certificates is not None, limits=Limits(limit)
        ),
        progress=(lambda _: None) if quiet or as_json else (lambda line: stdout.say(f"{line}\n", to_stderr=True)),
    )
    stdout.say(verification.as_json(answer) if as_json else verification.text(answer, verbose=verbose), output)
    if html is not None:
        from hipport.report import verification_html

        stdout.say(verification_html.html(answer), html)
    if certificates is not None:
        api.certificates(answer, certificates)
    raise typer.Exit(answer.exit_code)


def _init(folder: Path, output: Path | None, *, quiet: bool) -> int:
    """Propose a case file; one that exists stays as it is."""
    place = output or folder / "verify.toml"
    if place.exists():
        raise UsageError(f"{place} exists", next_step="name another file with --output")
    text = api.verify_init(folder)
    stdout.say(text, place)
    if not quiet:
        stdout.say(
            f"{place}: {text.count(chr(10) + '[[case]]')} cases; check shapes and roles, then hipport verify {folder}\n"
        )
    return ExitCode.DONE


def case_file(path: Path) -> Path:
    """The case file that is meant.

    Raises:
        UsageError: there is none.
    """
    found = path / "verify.toml" if path.is_dir() else path
    if not found.is_file():
        raise UsageError(f"there is no {found}", next_step=f"`hipport verify init {path}` proposes one")
    return found

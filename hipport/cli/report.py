"""`hipport report`: port coverage over many repositories."""

from __future__ import annotations

import sys
import time
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from hipport import api
from hipport.cli import options, stdout
from hipport.errors import ExitCode
from hipport.report import batch_formats

if TYPE_CHECKING:
    from collections.abc import Callable

    from hipport.batch.run import Progress

app = typer.Typer()


class Format(str, Enum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    MD = "md"
    HTML = "html"


@app.command()
def report(
    repositories: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(metavar="[REPO]...", help="Folders, archives (.tar.gz, .zip) or git addresses"),
    ] = None,
    from_: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--from", metavar="FILE", help="A list of further repositories, one a line"),
    ] = None,
    store: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--store", metavar="FILE", help="Keep the run in an SQLite file and compare it with the last"),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the store's last run, if cut short")] = False,
    fast: Annotated[bool, typer.Option("--fast", help="Lexical rules only: no parse of the code")] = False,
    scheduler: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--scheduler", metavar="ADDRESS", help="Work on a Dask cluster: tcp://host:port"),
    ] = None,
    target: options.Target = None,
    rocm: options.Rocm = None,
    torch: options.Torch = None,
    jobs: options.Jobs = None,
    format_: Annotated[Format, typer.Option("--format", help="How the report is written")] = Format.TEXT,
    output: options.Output = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Report how much of each repository ports by itself, what is left, and how much work that is."""
    config = options.configured(Path(), target=target, rocm=rocm, torch=torch, jobs=jobs)
    try:
        made = api.report(
            repositories or [], config=config, list_file=from_, store=store, resume=resume, fast=fast,
            scheduler=scheduler, progress=None if quiet or not sys.stderr.isatty() else _progress(),
        )  # fmt: skip
    except KeyboardInterrupt:
        kept = f"what is done is kept: go on with --store {store} --resume" if store else "--store keeps what is done"
        sys.stderr.write(f"\r\x1b[Kinterrupted; {kept}\n")
        raise typer.Exit(ExitCode.FAILED) from None
    kind = Format.JSON if json else format_
    if kind is Format.TEXT:
        from hipport.report.batch_text import render

        width = None if output is None and sys.stdout.isatty() else 160
        text = render(made, width=width, colour=width is None)
    else:
        formats = {
            Format.JSON: batch_formats.to_json,
            Format.CSV: batch_formats.to_csv,
            Format.MD: batch_formats.to_markdown,
            Format.HTML: batch_formats.to_html,
        }
        text = formats[kind](made)
    stdout.say(text, output)
    verdicts = {row.verdict for row in made.rows}
    left = ExitCode.LEFT if "blocked" in verdicts else ExitCode.DONE
    raise typer.Exit(ExitCode.FAILED if "failed" in verdicts else left)


def _progress() -> Callable[[Progress], None]:
    """A line that says how far the batch is, at what rate, and how long it may take."""
    start = last = time.monotonic()

    def show(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < 0.2 and progress.done < progress.total:  # seconds
            return
        last = now
        rate = progress.files / (now - start)
        left = (progress.total - progress.done) * (now - start) / max(progress.done, 1)
        sys.stderr.write(
            f"\r\x1b[K{progress.done} of {progress.total} repositories, {progress.files} files, "
            f"{rate:.0f} files a second, {left:.0f} s left"
        )
        if progress.done == progress.total:
            sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()

    return show

"""`hipport check`: flag what would break or silently go wrong on AMD."""

from __future__ import annotations

import os
import sys
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer
from typer.core import TyperCommand

from hipport import api
from hipport.checking.severity import Severity
from hipport.cli import options, stdout
from hipport.cli.progress import shown
from hipport.errors import ExitCode
from hipport.model import Safety

if TYPE_CHECKING:
    from hipport.checking.answer import CheckAnswer

app = typer.Typer()


class Format(str, Enum):
    """How the answer is written."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"


class ChangedCommand(TyperCommand):
    """Lets `--changed` stand with and without a commit; a word after it that is a file's path is no commit."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Write `--changed` and `--changed BASE` as `--changed=` and `--changed=BASE`."""
        words: list[str] = []
        rest = iter(args)
        for word in rest:
            if word == "--":
                words += [word, *rest]
            elif word != "--changed":
                words.append(word)
            else:
                base = next(rest, None)
                is_commit = base is not None and not base.startswith("-") and not Path(base).exists()
                words.append(f"--changed={base if is_commit else ''}")
                words += [] if is_commit or base is None else [base, *rest] if base == "--" else [base]
        return super().parse_args(ctx, words)


@app.command(cls=ChangedCommand)
def check(
    paths: Annotated[
        Optional[list[Path]],  # noqa: UP045
        typer.Argument(metavar="[PATHS]...", help="Files and folders [the current folder]"),
    ] = None,
    fast: Annotated[bool, typer.Option("--fast", help="Lexical rules only: no parse of the code")] = False,
    changed: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--changed", metavar="[BASE]", help="Only lines that differ from a git commit [the last one]"),
    ] = None,
    staged: Annotated[bool, typer.Option("--staged", help="Check what git's index holds (a hook's default)")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Apply SAFE edits to the files")] = False,
    unsafe_fixes: Annotated[bool, typer.Option("--unsafe-fixes", help="Apply REVIEW edits too")] = False,
    severity: Annotated[
        Optional[Severity],  # noqa: UP045
        typer.Option("--severity", help="Leave out what is milder"),
    ] = None,
    baseline: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--baseline", metavar="FILE", help="Findings to leave out: those that FILE knows"),
    ] = None,
    write_baseline: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--write-baseline", metavar="FILE", help="Write the findings to FILE, to leave them out later"),
    ] = None,
    stdin_filename: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--stdin-filename", metavar="NAME", help="Check standard input as the file NAME"),
    ] = None,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="End with 0 though something is left")] = False,
    target: options.Target = None,
    rocm: options.Rocm = None,
    torch: options.Torch = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    system_headers: options.SystemHeaders = None,
    jobs: options.Jobs = None,
    format_: Annotated[Format, typer.Option("--format", help="How the answer is written")] = Format.TEXT,
    output: options.Output = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Flag CUDA code that would break or silently go wrong on AMD. Fails where something is left for a person."""
    config = options.configured(Path(), target=target, rocm=rocm, torch=torch, jobs=jobs, system_headers=system_headers)
    in_hook = "GIT_INDEX_FILE" in os.environ and changed is None and not fix
    with shown(quiet=quiet or stdin_filename is not None) as progress:
        answer = api.check(
            paths or [Path()], config=config, fast=fast, changed=changed, staged=staged or in_hook, severity=severity,
            select=_words(select), ignore=_words(ignore), baseline=baseline, write_baseline=write_baseline,
            fix=Safety.REVIEW if unsafe_fixes else Safety.SAFE if fix else None, progress=progress,
            text=None if stdin_filename is None else (stdin_filename, sys.stdin.buffer.read()),
        )  # fmt: skip
    kind = Format.JSON if json else format_
    if not (quiet and kind is Format.TEXT and answer.exit_code is ExitCode.DONE):
        stdout.say(_rendered(answer, kind, verbose=verbose, colour=output is None and sys.stdout.isatty()), output)
    left = answer.exit_code is ExitCode.LEFT
    raise typer.Exit(ExitCode.DONE if left and (exit_zero or write_baseline) else answer.exit_code)


def _words(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(word.strip() for word in text.split(",") if word.strip())


def _rendered(answer: CheckAnswer, kind: Format, *, verbose: bool, colour: bool) -> str:
    if kind is Format.TEXT:
        from hipport.report import check_text

        return check_text.render(answer, colour=colour and "NO_COLOR" not in os.environ, verbose=verbose)
    if kind is Format.SARIF:
        from hipport.report import sarif

        return sarif.render(answer, api.rule_pages({found.finding.rule for found in answer.shown}))
    from hipport.report import annotations, check_records

    renderers = {
        Format.JSON: check_records.to_json,
        Format.JSONL: check_records.to_json_lines,
        Format.GITHUB: annotations.github,
        Format.GITLAB: annotations.gitlab,
        Format.JUNIT: annotations.junit,
    }
    return renderers[kind](answer)

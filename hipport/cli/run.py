"""`hipport run`: a kernel or a whole program, on a GPU or, with no GPU, as AMD machine code on the CPU."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from hipport import api
from hipport.cli import options, stdout
from hipport.device.executor import FaultError, Limits
from hipport.device.request import Request
from hipport.errors import ExitCode, UntestedError, UsageError
from hipport.report import execution

app = typer.Typer()
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_EXIT = {"exit 0": ExitCode.DONE, "inconclusive": ExitCode.UNTESTED, "not provided": ExitCode.UNTESTED}
_EXIT |= {"time limit": ExitCode.UNTESTED}


@app.command()
def run(
    source: Annotated[Path | None, typer.Argument(metavar="[SOURCE]", help="A .hip, .cu or .s file")] = None,
    words: Annotated[list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="The program's own words")] = None,
    kernel: Annotated[str, typer.Option("--kernel", metavar="NAME", help="The kernel: softmax, softmax<float>")] = "",
    grid: Annotated[str, typer.Option("--grid", metavar="X[,Y[,Z]]", help="Blocks")] = "1",
    block: Annotated[str, typer.Option("--block", metavar="X[,Y[,Z]]", help="Threads of a block")] = "64",
    shared: Annotated[int, typer.Option("--shared", metavar="BYTES", help="Dynamic LDS of a block")] = 0,
    cooperative: Annotated[
        bool, typer.Option("--cooperative", help="Launch cooperatively: grid barriers work")
    ] = False,
    args: Annotated[Path | None, typer.Option("--args", metavar="TOML", help="The arguments (docs/run.md)")] = None,
    program: Annotated[
        Path | None, typer.Option("--program", metavar="DIR", help="Run a whole program instead")
    ] = None,
    device: Annotated[
        str,
        typer.Option("--device", help="isa:gfx950, isa:gfx942, wave:32, wave:64, cuda or hip [a GPU here, else isa]"),
    ] = "",
    cflags: Annotated[str, typer.Option("--cflags", metavar="WORDS", help="Words for every compilation")] = "",
    make: Annotated[str, typer.Option("--make", metavar="WORDS", help="Words for make, with --program")] = "",
    profile: Annotated[bool, typer.Option("--profile", help="Count instructions, bytes, atomics, conflicts")] = False,
    order: Annotated[str, typer.Option("--order", help="Waves and blocks: in, or random:SEED")] = "in",
    threads: Annotated[int, typer.Option("--threads", help="CPU threads; 0: every core")] = 0,
    limit: Annotated[float, typer.Option("--limit", metavar="SECONDS", help="Of time")] = 600.0,
    memory: Annotated[str, typer.Option("--memory", metavar="SIZE", help="Of the child process: 512M, 8G")] = "8G",
    budget: Annotated[int, typer.Option("--budget", help="Instructions one wave may take; 0: 2^34")] = 0,
    no_poison: Annotated[bool, typer.Option("--no-poison", help="Let memory that was never written be read")] = False,
    out: Annotated[Path | None, typer.Option("-o", metavar="DIR", help="Where arrays are saved")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON (docs/run.md)")] = False,
) -> None:
    """Run a kernel or a program. A fault ends with 3, outputs that differ with 4, what cannot be tested with 5."""
    limits = Limits(limit, _size(memory), threads, order, budget, not no_poison)
    if program is not None:
        own = ([str(source)] if source else []) + (words or [])
        raise typer.Exit(_program(program, device, own, limits, cflags, make, profile=profile, as_json=as_json))
    if source is None or not kernel:
        raise UsageError("say what to run", next_step="SOURCE --kernel NAME, or --program DIR")
    request = Request(
        source, kernel, device or api.default_device(_targets()), _extents(grid), _extents(block), shared, cooperative,
        args, tuple(cflags.split()), profile, limits, out,
    )  # fmt: skip
    try:
        done = api.run(request)
    except FaultError as error:
        said = execution.fault_json(error) if as_json else execution.fault_text(error)
        stdout.say(said, to_stderr=not as_json)
        raise typer.Exit(error.exit_code) from None
    stdout.say(execution.kernel_json(done) if as_json else execution.kernel_text(done))
    raise typer.Exit(ExitCode.DIFFERS if done.differs else ExitCode.DONE)


def _program(
    folder: Path, device: str, words: list[str], limits: Limits, cflags: str, make: str, *, profile: bool, as_json: bool
) -> int:
    spec = device or f"isa:{_targets()[0]}"
    kind, _, target = spec.partition(":")
    if kind not in {"isa", "wave"}:
        raise UntestedError(f"whole programs on {spec} are not there yet", next_step="build them with its own compiler")
    done = api.run_program(
        folder,
        spec if kind == "wave" else target,
        words,
        limits=limits,
        cflags=cflags.split(),
        make=make.split(),
        profile=profile,
        capture=as_json,
    )
    stdout.say(execution.program_json(done) if as_json else execution.program_text(done), to_stderr=not as_json)
    return int(_EXIT.get(done.ended.value, ExitCode.FAILED))


def _targets() -> tuple[str, ...]:
    return options.configured(Path()).targets


def _extents(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d+([,x]\d+){0,2}", text):
        raise UsageError(f"`{text}` is not one to three whole numbers", next_step="for example 64 or 16,16")
    return tuple(int(word) for word in re.split(r"[,x]", text))


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d+)([kmg]?)(i?b)?", text.lower())
    if match is None:
        raise UsageError(f"`{text}` is no size", next_step="for example 512M or 8G")
    return int(match[1]) * _UNITS[match[2]]

"""The command line. A command is one module of this package, imported when it is asked for."""

from __future__ import annotations

import gc
import importlib
import sys
from typing import cast

import typer
from typer.core import TyperCommand, TyperGroup

from hipport import __version__
from hipport.errors import ExitCode, HipportError

# Order is that of a user's day. Each names the module hipport.cli.<name with _>, which defines `app: typer.Typer`.
COMMANDS = (
    "port",
    "check",
    "report",
    "explain",
    "targets",
    "toolchain",
    "compile",
    "run",
    "verify",
    "record",
    "diff",
    "pack",
    "devices",
    "closure",
    "shim",
    "cache",
)


# New objects before the collector looks for circles: CPython's 700 has it look a dozen times at the modules of a start.
GARBAGE = 50_000


class LazyGroup(TyperGroup):
    """A group whose commands are imported only when they are run or listed."""

    def list_commands(self, ctx: object) -> list[str]:
        """The commands in the order of COMMANDS."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: object, cmd_name: str) -> TyperCommand | TyperGroup | None:
        """The command of that name, imported now."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"hipport.cli.{cmd_name.replace('-', '_')}")
        module.app._add_completion = False  # noqa: SLF001 - the root's --install-completion serves them all
        module.app.rich_markup_mode = None  # help is plain text: rich costs more than most commands
        command = cast("TyperCommand | TyperGroup", typer.main.get_command(module.app))
        command.name = cmd_name
        return command


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"hipport {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=LazyGroup,
    name="hipport",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def root(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    """Port CUDA code to HIP so that it is right and fast on AMD GPUs, and prove it."""
    del version


def main(argv: list[str] | None = None) -> None:
    """Run the command line; an error that the user can mend ends in its message and its exit code."""
    gc.set_threshold(GARBAGE)
    try:
        app(args=argv)
    except HipportError as error:
        sys.stderr.write(f"hipport: {error}\n")
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.exit(ExitCode.DONE)

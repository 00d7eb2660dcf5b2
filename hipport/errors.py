"""What a user can mend: what went wrong, where, and the next step; and the exit codes, in one place."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The process exit codes of every command."""

    DONE = 0
    LEFT = 1  # something is left for a person
    USAGE = 2  # the command line or a configuration file is wrong
    FAILED = 3  # a step failed
    DIFFERS = 4  # outputs differ
    UNTESTED = 5  # could not be tested: no tool, no device, inconclusive


class HipportError(Exception):
    """An error that a user can mend.

    Args:
        what: one sentence: the thing and what is wrong with it.
        where: `file`, `file:line` or `file:line:column`; empty if no place applies.
        next_step: what to do about it; empty if `what` says it.
    """

    exit_code = ExitCode.FAILED

    def __init__(self, what: str, *, where: str = "", next_step: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.next_step = next_step

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}\n  next: {self.next_step}" if self.next_step else head


class UsageError(HipportError):
    """An option, argument or configuration value that cannot be used."""

    exit_code = ExitCode.USAGE


class DataError(HipportError):
    """A rules, template, shim or user file that does not fit its schema."""

    exit_code = ExitCode.USAGE


class UntestedError(HipportError):
    """A tool or device that is needed and not there."""

    exit_code = ExitCode.UNTESTED

"""What a check answers: the findings to show, the sums of the rest, and the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hipport.errors import ExitCode

if TYPE_CHECKING:
    from hipport.checking.severity import Selection
    from hipport.model import Located


class Problem(NamedTuple):
    """A file that could not be checked."""

    path: str
    error: str


class CheckAnswer(NamedTuple):
    """`shown` in the order of path and place; `renames` are the safe ones, summed; `known` those of the baseline."""

    shown: tuple[Located, ...]
    selection: Selection
    files: int
    renames: int = 0
    excused: int = 0
    known: int = 0
    fixed: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def failing(self) -> tuple[Located, ...]:
        """Those of `shown` that fail the check."""
        return tuple(found for found in self.shown if self.selection.fails(found.finding))

    @property
    def exit_code(self) -> ExitCode:
        """A file that could not be checked outweighs a finding."""
        if self.problems:
            return ExitCode.FAILED
        return ExitCode.LEFT if self.failing else ExitCode.DONE

"""What a comparison gives: same, differs or unproven; and where, how much and in which lanes it differs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from hipport.errors import ExitCode


class Kind(str, Enum):
    """The answers. None of the last three is a success."""

    SAME = "same"
    DIFFERS = "differs"
    UNPROVEN = "unproven"
    FAILED = "failed"  # a step of the port: it does not compile, it faults

    @property
    def exit_code(self) -> ExitCode:
        """What a command that got it ends with."""
        return _EXIT[self]


_EXIT = {
    Kind.SAME: ExitCode.DONE,
    Kind.FAILED: ExitCode.FAILED,
    Kind.DIFFERS: ExitCode.DIFFERS,
    Kind.UNPROVEN: ExitCode.UNTESTED,
}


def worst(kinds: list[Kind]) -> Kind:
    """The answer for all of them: a difference outweighs a failed step, that one what could not be tested."""
    for kind in (Kind.DIFFERS, Kind.FAILED, Kind.UNPROVEN):
        if kind in kinds:
            return kind
    return Kind.SAME if kinds else Kind.UNPROVEN


class What(str, Enum):
    """The kind of a difference, in the order in which they are looked for."""

    MISSING = "missing"
    DTYPE = "dtype"
    SHAPE = "shape"
    UNWRITTEN = "unwritten"
    CLASS = "class"  # NaN or infinity on one side alone
    IDENTITY = "identity"  # the port's output is a copy of an input
    STALE = "stale"  # depends on what the memory held before
    IGNORES = "ignores input"
    OVERWRITTEN = "input overwritten"
    MAGNITUDE = "magnitude"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Spread:
    """Wrong elements by lane of a 64-lane wave and by block: (wrong, all) each; blocks are (block, wrong), worst first.

    `warps` is the same by lane pairs of the 32-lane halves, (wrong in lanes 0-31, wrong in lanes 32-63).
    """

    lanes: tuple[tuple[int, int], ...] = ()
    blocks: tuple[tuple[int, int], ...] = ()
    block_count: int = 0

    @property
    def text(self) -> str:
        """`lanes 32-63` where only those are wrong; empty where nothing is known."""
        wrong = [lane for lane, (bad, _) in enumerate(self.lanes) if bad]
        if not wrong:
            return ""
        if len(wrong) == sum(1 for _, every in self.lanes if every):
            return "every lane"
        runs: list[list[int]] = []
        for lane in wrong:
            if runs and lane == runs[-1][1] + 1:
                runs[-1][1] = lane
            else:
                runs.append([lane, lane])
        shown = [f"{a}-{b}" if a != b else f"{a}" for a, b in runs[:6]]
        return f"{'lane' if len(wrong) == 1 else 'lanes'} {', '.join(shown)}" + (", ..." if len(runs) > 6 else "")

    @property
    def bar(self) -> str:
        """One character a lane: how much of it is wrong."""
        marks = ".▁▂▃▄▅▆▇█"
        return "".join(" " if not n else marks[0 if not bad else 1 + bad * 7 // n] for bad, n in self.lanes)


@dataclass(frozen=True, slots=True)
class Difference:
    """One output that is not as it should be. `relative` is the worst error as a part of the output's scale."""

    output: str
    what: What
    message: str
    count: int = 0
    size: int = 0
    first: tuple[int, ...] = ()
    got: str = ""
    want: str = ""
    worst_ulp: float = 0.0
    relative: float = 0.0
    spread: Spread = Spread()


@dataclass(frozen=True, slots=True)
class Margin:
    """How close an output that passed came: the worst error in ULP and as a part of the scale, and what was allowed."""

    output: str
    worst_ulp: float = 0.0
    relative: float = 0.0
    allowed: float = 0.0
    settled: int = 0  # elements that only the oracle settled


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer for one direction of one case at one point, or for all of them."""

    kind: Kind
    reason: str = ""
    differences: tuple[Difference, ...] = ()
    margins: tuple[Margin, ...] = ()

    @property
    def text(self) -> str:
        """`differs: y: ...`."""
        said = self.reason or (self.differences[0].message if self.differences else "")
        return f"{self.kind.value}: {said}" if said else self.kind.value

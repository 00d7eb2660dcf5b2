"""What is known while one function is rewritten: its barriers, its variables, the flags so far, and the edits."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hipport.rewrites.forms import edit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hipport.frontend.barriers import Barrier
    from hipport.frontend.meaning import Meanings, Means
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Edit
    from hipport.rewrites.barrier_divergence.parts import Part

FLAG = "hipport_active"
LOOPS = frozenset({"for", "while", "do"})
_PRAGMA = re.compile(rb"#[ \t]*pragma[^\n]*\n\s*\Z")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement stands. `flag` says which threads work there, empty while all do.

    `ends` has the flags to clear for each kind of leaving (`return`, `break`, `continue`); one that is missing is not
    understood there. `top` is true for the statements of the function itself. `since` is where the flag begins to
    hold: what is declared before is still wanted by those who do not work now; 0 where they never work again.
    """

    flag: str = ""
    ends: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    top: bool = False
    since: int = 0

    def under(self, flag: str) -> Place:
        """The same place for the threads of a flag within it."""
        ends = {kind: (*flags, flag) for kind, flags in self.ends.items()}
        return Place(flag, ends, top=self.top, since=self.since)

    def inner(self) -> Place:
        """A block within this place."""
        return Place(self.flag, self.ends, since=self.since)

    def keeps(self, declared: int) -> bool:
        """Whether threads that do not work here may change the variable that is declared at an offset."""
        return not self.flag or declared >= self.since


@dataclass(slots=True)
class Work:
    """One function. `written` are variables that only working threads set; `voted` asks the block before each turn."""

    unit: Unit
    body: Node
    meanings: Meanings
    met: tuple[Barrier, ...]
    apart: tuple[Part, ...]
    same: dict[int, Means]
    voted: bool = False
    edits: list[Edit] = field(default_factory=list)
    shims: set[str] = field(default_factory=set)
    written: set[int] = field(default_factory=set)
    asked: set[int] = field(default_factory=set)
    handled: list[Node] = field(default_factory=list)
    flags: int = 0

    def holds(self, node: Node) -> bool:
        """Whether a barrier stands in a statement."""
        return any(node.start <= b.start < node.end for b in self.met)

    def leaves(self, node: Node, *kinds: str) -> bool:
        """Whether some threads alone leave by a statement within this one."""
        return any(p.kind in kinds and node.start < p.end <= node.end + 1 for p in self.apart)

    def of(self, start: int, name: str) -> bool:
        """Whether the barrier at an offset is called so."""
        return any(b.start == start and b.through.startswith(name) for b in self.met)

    def put(self, at: int, text: str) -> None:
        """Insert a text."""
        self.edits.append(edit(self.unit, at, at, text.encode()))

    def replace(self, start: int, end: int, text: str) -> None:
        """Put a text in place of another."""
        self.edits.append(edit(self.unit, start, end, text.encode()))

    def flag(self) -> str:
        """A new flag's name."""
        self.flags += 1
        return FLAG if self.flags == 1 else f"{FLAG}{self.flags}"

    def text(self, start: int, end: int) -> str:
        """A piece of the source."""
        return self.unit.text.data[start:end].decode("utf-8", "replace")

    def head(self, node: Node) -> tuple[int, int]:
        """The parentheses of an `if` or a loop."""
        opening = self.unit.text.code.index(b"(", node.start)
        return opening, self.unit.text.close(opening)

    def begin(self, node: Node) -> int:
        """Where a statement begins, the pragma of its loop included."""
        pragma = _PRAGMA.search(self.unit.text.code, 0, node.start)
        return pragma.start() if pragma else node.start

    def past(self, node: Node) -> int:
        """Where a statement ends, its semicolon included."""
        rest = re.compile(rb"\s*;").match(self.unit.text.code, node.end)
        return rest.end() if rest else node.end

    def line(self, node: Node) -> int:
        """The line of a statement, from 1."""
        return self.unit.text.data.count(b"\n", 0, node.start) + 1


def bare(node: Node) -> Node:
    """A loop without the pragma that stands before it."""
    return node.kids[0] if node.kind == "other" and len(node.kids) == 1 else node


def inside(node: Node) -> Sequence[Node]:
    """The statements of a block, or the one that stands without braces."""
    return node.kids if node.kind == "block" else (node,)

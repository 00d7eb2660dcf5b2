"""The syntax of device functions as plain values: what clang saw, kept without clang."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Node:
    """One statement, declaration or expression.

    `kind` is one of KINDS; `name` its name, operator or, for a literal, its text; `type` the type of a declaration;
    `start` and `end` are byte offsets in the file; `macro` is true where the text stands in a macro's body: such a
    place is never edited. `refers` is where the variable that it names is declared, or -1.
    """

    kind: str
    name: str
    start: int
    end: int
    macro: bool
    type: str
    refers: int
    kids: tuple[Node, ...]

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in the order of the text."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo += reversed(node.kids)


@dataclass(frozen=True, slots=True)
class Variable:
    """One `__shared__` variable that a kernel's code names, in whatever file.

    `at` is where its name stands in this file, -1 if in another; `size` its least bytes, all of them where `exact`;
    `said` the text that declares it.
    """

    name: str
    at: int
    size: int
    exact: bool
    said: str


@dataclass(frozen=True, slots=True)
class Instance:
    """A kernel as clang instantiates it: its name with its template's arguments, and the LDS that it declares."""

    label: str
    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """What clang saw of one file: the bodies of its device functions by the offset of their `{`.

    `problems` are the errors in this file (offset, message), in order; `parameters` maps a body to its parameters.
    `shared` are the bytes of the `__shared__` variables of these bodies by where their names stand, where they are
    known; `instances` are the kernels that stand where the host names one, or one is defined.
    """

    bodies: dict[int, Node]
    parameters: dict[int, tuple[Node, ...]]
    problems: tuple[tuple[int, str], ...]
    shared: dict[int, int] = field(default_factory=dict)
    instances: dict[int, tuple[Instance, ...]] = field(default_factory=dict)

    def whole(self, start: int, end: int) -> bool:
        """Whether clang reported no error between two offsets."""
        first = bisect_left(self.problems, (start, ""))
        return first == len(self.problems) or self.problems[first][0] >= end


EMPTY = Tree({}, {}, ())

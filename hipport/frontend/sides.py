"""The other sides of `#if`: variants of a file in which a side that clang did not see is taken, and trees joined.

Each condition is true somewhere: what is read is every side in which device code exchanges values, waits or declares
shared memory, not only the one that the prelude's macros choose.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hipport.frontend.branches import DIRECTIVE, Branches, Side
from hipport.frontend.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hipport.frontend.functions import Function
    from hipport.frontend.text import CodeText
    from hipport.frontend.tree import Node

_MATTERS = re.compile(
    rb"(?<!\w)(?:__(?:shfl|ballot|any|all|match|reduce|activemask|sync)\w*|__shared__|Warp(?:Reduce|Scan)|tiled_partition"
    rb"|coalesced_threads|warpSize)(?!\w)"
)
_DEFINE = re.compile(rb"^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*", re.MULTILINE)
_VISIBLE = re.compile(rb"[^\r\n]")
_MOST = 2  # further readings of one file


@dataclass(frozen=True, slots=True)
class Group:
    """One `#if` to its `#endif`: the byte ranges of its directives."""

    marks: tuple[tuple[int, int], ...]

    def side(self, offset: int) -> int:
        """Which side an offset inside the group is on, from 0."""
        return bisect_left(self.marks, (offset, offset)) - 1

    def bounds(self, side: int) -> tuple[int, int]:
        """The bytes of one side."""
        return self.marks[side][1], self.marks[side + 1][0]


@functools.lru_cache(maxsize=256)
def conditionals(text: CodeText) -> tuple[Group, ...]:
    """The conditionals of a file, outer ones before those in them."""
    found: list[Group] = []
    stack: list[list[tuple[int, int]]] = []
    for match in DIRECTIVE.finditer(text.code):
        word = match.group(1)
        if word in (b"if", b"ifdef", b"ifndef"):
            stack.append([match.span()])
        elif stack:
            stack[-1].append(match.span())
            if word == b"endif":
                found.append(Group(tuple(stack.pop())))
    return tuple(sorted(found, key=lambda group: group.marks[0]))


def variants(
    text: CodeText, branches: Branches, functions: Sequence[Function], tree: Tree
) -> Iterator[tuple[bytes, frozenset[int]]]:
    """Texts of the same length that take sides which `tree` does not show, and the bodies that differ in them."""
    if not functions or b"#" not in text.code or not _MATTERS.search(text.code):
        return
    groups = [g for g in conditionals(text) if not _holds_all(g, functions)]
    left = [o for o in _unseen(text, functions, groups, tree) if branches.at(o) is Side.BOTH] if groups else []
    for _ in range(_MOST):
        if not left:
            return
        taken: dict[Group, int] = {}
        later: list[int] = []
        bodies: set[int] = set()
        for offset, chain in ((o, enclosing(groups, o)) for o in left):
            if all(taken.get(group, side) == side for group, side in chain):
                taken.update(chain)
                bodies |= {f.body for f in functions if f.start <= offset < f.end}
            else:
                later.append(offset)
        yield _taking(text.data, taken), frozenset(bodies)
        left = later


def _holds_all(group: Group, functions: Sequence[Function]) -> bool:
    """Whether a conditional is an include guard, or another that has one side with all of the file."""
    start, end = group.bounds(0)
    return len(group.marks) == 2 and start <= functions[0].start and functions[-1].end <= end


def enclosing(groups: Sequence[Group], offset: int) -> list[tuple[Group, int]]:
    """The conditionals around an offset with the side that it is on."""
    return [(g, g.side(offset)) for g in groups if g.marks[0][1] <= offset < g.marks[-1][0]]


def _unseen(text: CodeText, functions: Sequence[Function], groups: Sequence[Group], tree: Tree) -> Iterator[int]:
    """Where something that matters stands on a side of which the tree shows nothing."""
    directives = [m.span() for m in _DEFINE.finditer(text.code)]
    for function in functions:
        around = [g for g in groups if g.marks[0][0] < function.end and function.body < g.marks[-1][1]]
        if not around:
            continue
        body = tree.bodies.get(function.body)
        starts = sorted(n.start for n in body.walk()) if body is not None else []
        for match in _MATTERS.finditer(text.code, function.body, function.end):
            chain = enclosing(around, match.start())
            if not chain or _inside(directives, match.start()):
                continue
            group, side = chain[-1]
            begin, end = group.bounds(side)
            first = bisect_left(starts, begin)
            if first == len(starts) or starts[first] >= end:
                yield match.start()


def _inside(spans: list[tuple[int, int]], offset: int) -> bool:
    index = bisect_left(spans, (offset + 1, -1)) - 1
    return index >= 0 and spans[index][0] <= offset < spans[index][1]


def _taking(data: bytes, taken: dict[Group, int]) -> bytes:
    """The text with one side of these conditionals left, everything else of them blanked."""
    out = bytearray(data)
    for group, side in taken.items():
        begin, end = group.bounds(side)
        for start, stop in ((group.marks[0][0], begin), (end, group.marks[-1][1])):
            out[start:stop] = _VISIBLE.sub(b" ", data[start:stop])
    return bytes(out)


def joined(tree: Tree, other: Tree, bodies: frozenset[int]) -> Tree:
    """A tree that also shows what another one saw of some bodies, those in which that one met no error."""
    found, parameters = dict(tree.bodies), dict(tree.parameters)
    problems = list(tree.problems)
    for at in bodies & other.bodies.keys():
        node = other.bodies[at]
        if at not in found:
            found[at], parameters[at] = node, other.parameters[at]
            problems += [p for p in other.problems if node.start <= p[0] < node.end]
        elif other.whole(node.start, node.end):
            found[at] = _both(found[at], node)[0]
    return Tree(found, parameters, tuple(sorted(problems)), {**other.shared, **tree.shared}, tree.instances)


def _both(a: Node, b: Node) -> tuple[Node, ...]:
    """What two readings of one text show: a node with the statements of both, or two where they differ in form."""
    if (a.kind, a.start, a.end, a.name) != (b.kind, b.start, b.end, b.name):
        return a, b
    if a.kind == "block":
        return (replace(a, kids=_statements(a.kids, b.kids)),)
    if len(a.kids) != len(b.kids):
        return a, b
    kids = [_both(x, y) for x, y in zip(a.kids, b.kids, strict=True)]
    return (replace(a, kids=tuple(k for (k,) in kids)),) if all(len(k) == 1 for k in kids) else (a, b)


def _statements(first: tuple[Node, ...], second: tuple[Node, ...]) -> tuple[Node, ...]:
    """The statements of both readings in the order of the text."""
    others = {(n.kind, n.start, n.end, n.name): n for n in second}
    out: list[Node] = []
    for node in first:
        same = others.pop((node.kind, node.start, node.end, node.name), None)
        out += (node,) if same is None else _both(node, same)
    return tuple(sorted([*out, *others.values()], key=lambda n: n.start))

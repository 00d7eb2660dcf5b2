"""What is told of hot atomics and never rewritten: through helpers, as text alone shows them, and claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.rewrites.atomic_tree import helpers, textual
from hipport.rewrites.forms import advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Finding

ID = "atomic-tree"
STEP = "sum in the block first, and let one thread do the atomic"


def through(
    unit: Unit, function: Function, body: Node, counting: dict[str, frozenset[helpers.Counter]]
) -> Iterator[Finding]:
    """The first call of each function that updates one counter for the block."""
    told: set[tuple[str, str]] = set()
    for call, name, key in helpers.find(unit, function, body, counting):
        if (name, key) not in told:
            what = f"`{key}`" if key else "one counter"
            message = f"all threads of a block update {what} in `{name}`; not rewritten: it may have other callers"
            step = f"let `{name}` return what it counts, sum that in the block, and let one thread do the atomic"
            yield advice(unit, ID, (call.start, call.end), message, step, family="atomics")
        told.add((name, key))


def as_text(unit: Unit, function: Function) -> Iterator[Finding]:
    """The first of each counter in a kernel that clang could not read whole."""
    told: set[str] = set()
    for site, key in textual.find(unit, function):
        if key not in told:
            message = f"all threads of a block update `{key}`; not rewritten: clang could not read all of the kernel"
            yield advice(unit, ID, (site.start, site.end), message, STEP, family="atomics")
        told.add(key)
    asked: set[str] = set()
    for site, key in textual.claims(unit, function):
        if key not in asked:
            yield claim(unit, site.start, site.end)
        asked.add(key)


def claim(unit: Unit, start: int, end: int) -> Finding:
    """An atomic by which every thread asks whether it is the first."""
    message = "every thread asks by an atomic whether it is the first: they queue, though only one can be"
    return advice(
        unit,
        ID,
        (start, end),
        message,
        "read the flag before the atomic: `if (flag == 0 && atomicExch(&flag, 1) == 0)`",
        family="atomics",
    )

"""Counters that a kernel updates through a function that it calls: told, as the function may have other callers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.frontend.meaning import Meanings
from hipport.rewrites.atomic_tree import sites
from hipport.rewrites.atomic_tree.uniform import Fixed, origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit


def counting(unit: Unit) -> dict[str, frozenset[int]]:
    """The device functions of a file that update one address: which parameter points there, -1 for one of the file.

    Left out are names that more than one function has, and atomics of one's own.
    """
    found: dict[str, frozenset[int]] = {}
    names = [function.name for function in unit.functions]
    for function in unit.functions:
        body = unit.tree.bodies.get(function.body)
        if function.kernel or not function.name or body is None or names.count(function.name) > 1:
            continue
        if not unit.tree.whole(function.start, function.end) or function.name in sites.NAMES:
            continue
        places = {n.refers: at for at, n in enumerate(unit.tree.parameters[function.body])}
        counted = {places.get(site.base, -1) for site in sites.find(unit, function, body)}
        if counted:
            found[function.name] = frozenset(counted)
    return found


def find(
    unit: Unit, function: Function, body: Node, counting_: dict[str, frozenset[int]]
) -> Iterator[tuple[Node, str, str]]:
    """The calls by which all threads of a kernel's block may update one address: call, function, and what it gets."""
    called = function.calls & counting_.keys()
    if not called:
        return
    parameters = unit.tree.parameters[function.body]
    types = pointees.declared(parameters, body)
    meanings = Meanings(body, parameters, unit.macros)
    fixed = Fixed(unit, body, parameters)
    for path in sites.paths(body):
        name = pointees.called(path[-1], unit.text.code)
        if name not in called or not unit.live(path[-1].start) or sites.alone(path, meanings):
            continue
        given = pointees.arguments(path[-1])
        for place in sorted(counting_[name]):
            if place < 0:
                yield path[-1], name, ""
            elif place < len(given) and _shared_by_all(given[place], fixed, types):
                key = "".join(unit.text.word(given[place].start, given[place].end).split())
                yield path[-1], name, key


def _shared_by_all(address: Node, fixed: Fixed, types: dict[int, str]) -> bool:
    """Whether an address is one for the block, outside of LDS."""
    return fixed.address(address) and "__shared__" not in types.get(origin(address).refers, "")

"""Counters that a kernel updates through a function that it calls: told, as the function may have other callers."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Counter:
    """One address that a function updates: which parameters it is made of; `pointer` is -1 for one of the file."""

    pointer: int
    others: frozenset[int]


def counting(unit: Unit) -> dict[str, frozenset[Counter]]:
    """The device functions of a file that update an address which is one where all that it is made of is.

    Left out are names that more than one function has, and atomics of one's own.
    """
    found: dict[str, frozenset[Counter]] = {}
    names = [function.name for function in unit.functions]
    for function in unit.functions:
        body = unit.tree.bodies.get(function.body)
        if function.kernel or not function.name or body is None or names.count(function.name) > 1:
            continue
        if not unit.tree.whole(function.start, function.end) or function.name in sites.NAMES:
            continue
        parameters = unit.tree.parameters[function.body]
        places = {n.refers: at for at, n in enumerate(parameters)}
        fixed = Fixed(unit, body, parameters)
        counted = set()
        for site in sites.find(unit, function, body):
            base = fixed.chain(origin(site.address))[-1].refers
            used = {places[name.refers] for name in fixed.made_of(site.address) if name.refers in places}
            counted.add(Counter(places.get(base, -1), frozenset(used - {places.get(base, -1)})))
        if counted:
            found[function.name] = frozenset(counted)
    return found


def find(
    unit: Unit, function: Function, body: Node, known: dict[str, frozenset[Counter]]
) -> Iterator[tuple[Node, str, str]]:
    """The calls by which all threads of a kernel's block may update one address: call, function, and what it gets."""
    called = function.calls & known.keys()
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
        for counter in sorted(known[name], key=lambda c: c.pointer):
            if not all(at < len(given) and fixed.value(given[at]) for at in counter.others):
                continue
            if counter.pointer < 0:
                yield path[-1], name, ""
            elif counter.pointer < len(given) and _shared_by_all(given[counter.pointer], fixed, types):
                address = given[counter.pointer]
                yield path[-1], name, "".join(unit.text.word(address.start, address.end).split())


def _shared_by_all(address: Node, fixed: Fixed, types: dict[int, str]) -> bool:
    """Whether an address is one for the block, outside of LDS."""
    return fixed.address(address) and "__shared__" not in types.get(origin(address).refers, "")

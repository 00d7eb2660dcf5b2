"""Whether anybody reads what a kernel counts: a total that nobody reads needs no faster sum, but none at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend.calls import find as calls

if TYPE_CHECKING:
    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit

_NAME = re.compile(r"\(?\s*(?:\([\w\s*]+\)\s*)?(\w+)\s*\)?\Z")
_CALL = re.compile(rb"\s*>>>\s*\(")
_WRITES = re.compile(rb"(?<!\w)(?:cuda|hip)(?:Malloc(?:Async|Managed)?|Memset(?:Async)?|Free(?:Async)?)(?!\w)")


def unread(unit: Unit, function: Function, base: int, body: Node) -> bool:
    """Whether the memory behind a kernel's parameter is a host function's own, and only ever allocated, set and freed.

    False where it cannot be known: the pointer comes from elsewhere, or goes there.
    """
    parameters = unit.tree.parameters[function.body]
    position = next((i for i, p in enumerate(parameters) if p.refers == base), -1)
    shots = [s for s in unit.launches if s.kernel == function.name]
    if position < 0 or not shots or len(_uses(body, base)) != 1:
        return False
    given = [(shot.start, _arguments(unit, shot)) for shot in shots]
    return all(len(pieces) > position and _dropped(unit, start, pieces[position]) for start, pieces in given)


def _arguments(unit: Unit, shot: Launch) -> tuple[tuple[int, int], ...]:
    """Where the arguments of a launch stand; none where they do not show."""
    found = _CALL.match(unit.text.code, shot.config[-1][1]) if shot.config else None
    close = unit.text.close(found.end() - 1) if found else -1
    return unit.text.arguments(found.end() - 1, close) if found and close >= 0 else ()


def _uses(body: Node, base: int) -> list[Node]:
    return [node for node in body.walk() if node.kind == "name" and node.refers == base]


def _dropped(unit: Unit, launch: int, argument: tuple[int, int]) -> bool:
    """Whether a launch's argument is a variable of the host function around it that nothing reads."""
    host = unit.host_at(launch)
    named = _NAME.match(unit.text.word(*argument).strip())
    if host is None or named is None:
        return False
    name, code = named.group(1).encode(), unit.text.code
    places = [m.start() for m in re.finditer(rb"(?<![\w.])" + name + rb"(?!\w)", code[host.body : host.end])]
    declared = re.compile(rb"[\w>]\s*\*\s*" + name + rb"\s*(?:[;,=]|\Z)")
    if not declared.search(code, host.body, host.end):
        return False
    harmless = [(s.start, s.end) for s in calls(unit.text, _WRITES) if host.body <= s.start < host.end]
    harmless += [argument, *(m.span() for m in declared.finditer(code, host.body, host.end))]
    return all(any(a <= host.body + at < b for a, b in harmless) for at in places)

"""A kernel closure as plain data: functions, shared arrays, launches, meanings, and the numbers that mean the warp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hipport.frontend.meaning import Meanings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.frontend.closure import Closure
    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.unit import Unit

SCHEMA = 1


def closures(units: Mapping[str, Unit], path: str = "", kernel: str = "") -> Iterator[dict[str, Any]]:
    """The closures whose kernel stands in `path` (or is launched there), of that name if one is given."""
    seen: set[tuple[str, int]] = set()
    for unit in units.values():
        for closure in unit.closures:
            key = (closure.path, closure.start)
            wanted = not path or closure.path == path or any(shot.path == path for shot in closure.launches)
            if key not in seen and wanted and (not kernel or closure.kernel == kernel):
                seen.add(key)
                yield described(closure, units)


def described(closure: Closure, units: Mapping[str, Unit]) -> dict[str, Any]:
    """One closure."""
    members = [
        (units[path], function)
        for path, start in closure.functions
        for function in units[path].functions
        if function.start == start
    ]
    return {
        "kernel": closure.kernel,
        "path": closure.path,
        "line": units[closure.path].text.line(closure.start),
        "mode": closure.mode.value,
        "exchanges": closure.crosses,
        "blocked": closure.blocked,
        "functions": [_function(unit, function) for unit, function in members],
        "launches": [_launch(units[shot.path], shot) for shot in closure.launches],
    }


def _function(unit: Unit, function: Function) -> dict[str, Any]:
    body = unit.tree.bodies.get(function.body)
    out: dict[str, Any] = {
        "name": function.name,
        "path": function.path,
        "line": unit.text.line(function.start),
        "read": "whole" if unit.read_whole(function.start) else "in part" if body else "as text",
        "sites": [
            {"name": s.name, "line": unit.text.line(s.start)}
            for s in unit.sites
            if function.start <= s.start < function.end
        ],
        "shared": [],
        "values": {},
        "widths": [],
        "waits": [
            {"kind": w.kind.value, "line": unit.text.line(w.start)}
            for w in unit.waits
            if function.start <= w.start < function.end
        ],
    }
    if body is None:
        return out
    parameters = unit.tree.parameters[function.body]
    meanings = Meanings(body, parameters, unit.macros)
    variables = [n for n in (*parameters, *body.walk()) if n.kind in ("variable", "parameter")]
    declared = ((n, n.type.removeprefix("__shared__ ")) for n in variables if n.type.startswith("__shared__ "))
    out["shared"] = [{"name": n.name, "type": kind, "bytes": unit.tree.shared.get(n.refers)} for n, kind in declared]
    for variable in variables:
        means = meanings.variable(variable.refers)
        if means:
            out["values"][variable.name] = [
                flag.name.lower() for flag in type(means) if flag and flag in means and flag.name
            ]
    out["widths"] = [
        {"role": w.role.value, "line": unit.text.line(w.start), "text": unit.text.word(w.start, w.end)}
        for w in unit.widths(function)
    ]
    return out


def _launch(unit: Unit, shot: Launch) -> dict[str, Any]:
    return {
        "path": shot.path,
        "line": unit.text.line(shot.start),
        "grid": list(shot.grid),
        "block": list(shot.block),
        "dynamic_lds_bytes": shot.lds,
        "config": [unit.text.word(*piece) for piece in shot.config],
    }

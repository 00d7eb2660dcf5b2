"""A rewrite rule, and the catalogue of them all."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import hipport.rewrites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a rule comes from: a public source, its ROCm versions, and whether practice still follows it."""

    source: str
    arch: str
    rocm: str = "all"
    practice: str = "current"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rewrite: `find` gives the findings of a unit for one target. `codes` are its numbers in the catalogue.

    `native` rules also judge files that are HIP already, and change nothing in them.
    """

    id: str
    title: str
    codes: tuple[str, ...]
    family: str
    provenance: Provenance
    find: Callable[[Unit, Target], Iterable[Finding]]
    native: bool = False


@functools.cache
def rules() -> tuple[Rule, ...]:
    """Every rule, by id."""
    names = [module.name for module in pkgutil.iter_modules(hipport.rewrites.__path__) if module.ispkg]
    found = (importlib.import_module(f"hipport.rewrites.{name}").RULE for name in names)
    return tuple(sorted(found, key=lambda rule: rule.id))


def find(unit: Unit, targets: Iterable[Target]) -> tuple[Finding, ...]:
    """The findings of every rule on one unit, each with the targets that it holds for.

    Findings of several targets that have the same place and the same edits become one; its message is that of the
    widest wave.
    """
    merged: dict[tuple[object, ...], Finding] = {}
    for target in sorted(targets, key=lambda t: (-t.warp_size, t.name)):
        for finding in _of_target(unit, target):
            key = (finding.rule, finding.span, finding.edits, finding.safety if not finding.edits else None)
            before = merged.get(key)
            merged[key] = (before or finding)._replace(targets=(*(before.targets if before else ()), target.name))
    everyone = tuple(sorted(merged.values(), key=lambda f: (f.span.start, f.span.end, f.rule)))
    return tuple(f._replace(targets=tuple(sorted(f.targets))) for f in everyone)


def _of_target(unit: Unit, target: Target) -> Iterator[Finding]:
    for rule in rules():
        if rule.native or not unit.native:
            yield from rule.find(unit, target)

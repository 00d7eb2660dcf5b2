"""A written rule and the tables -> the rule as it counts: checked for existence, versions and equal signatures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import RenameRule, Safety
from hipport.renames.names import BINDINGS_OF

if TYPE_CHECKING:
    from hipport.renames.names import HipName, HipNames

# kinds whose HIP name a table must hold; the rest are C++ scopes and file names
CHECKED = frozenset({"function", "type", "constant", "macro", "device"})
NUMBER_DIFFERS = "the value is "
FIELDS_MISSING = "HIP's has no field "
_ARITY_DIFFERS = re.compile(r"it takes \d+ argument")
# what the compiler or the language declares, not a header; and macros that the build sets
BUILT_IN = frozenset(
    {"int", "bool", "uint32_t", "uint64_t", "min", "max", "__builtin_trap", "__builtin_debugtrap", "__HIPCC__"}
    | {"THRUST_DEVICE_SYSTEM_HIP", "__HIP_DEVICE_COMPILE__", "__HIP_NO_HALF_CONVERSIONS__", "__HIP_NO_HALF_OPERATORS__"}
)


def judge(rule: RenameRule, names: HipNames, *, is_judged: bool) -> RenameRule:
    """The rule with its header, the releases that have its HIP name, and what differs from CUDA."""
    if not rule.hip or rule.status == "identity" or rule.kind not in CHECKED or rule.hip in BUILT_IN:
        return _with_header(rule, names)
    return _tagless(_compared(_dated(_with_header(rule, names), names), names, is_judged=is_judged), names)


def _tagless(rule: RenameRule, names: HipNames) -> RenameRule:
    """A structure or enumeration that HIP has under a typedef of another name, which no `struct` may stand before."""
    known = names.names.get(rule.hip)
    if rule.kind != "type" or rule.action or known is None:
        return rule
    tag = known.text.removeprefix("= ")
    is_alias = known.text.startswith("= ") and tag != rule.hip and tag.isidentifier()
    return rule._replace(action="untagged") if is_alias else rule


def _with_header(rule: RenameRule, names: HipNames) -> RenameRule:
    known = names.names.get(rule.hip)
    return rule._replace(header=known.header) if known is not None and not rule.header else rule


def _dated(rule: RenameRule, names: HipNames) -> RenameRule:
    if rule.hip in names.names:
        return rule._replace(until=BINDINGS_OF) if rule.hip in names.gone and not rule.until else rule
    if rule.hip in names.added:
        return rule._replace(since=BINDINGS_OF)
    note = f"`{rule.hip}` is in no ROCm release that the tables know" + (f"; {rule.note}" if rule.note else "")
    return rule._replace(hip="", header="", status="unsupported", safety=Safety.MANUAL, action="", note=note)


def _compared(rule: RenameRule, names: HipNames, *, is_judged: bool) -> RenameRule:
    found = names.differences.get(rule.cuda, "")
    if not found and rule.hip in names.changed:
        found = f"{NUMBER_DIFFERS}{names.changed[rule.hip]} in ROCm {BINDINGS_OF}"
    if not found or not rule.hip:
        return rule
    note = f"{found}; {rule.note}" if rule.note else found
    if is_judged:
        return rule._replace(note=note)
    return rule._replace(safety=Safety.REVIEW, action=_relaxing(found, names.names.get(rule.hip)), note=note)


def _relaxing(found: str, hip: HipName | None) -> str:
    """The action under which a use may still be SAFE: only named, no missing field in use, HIP's arity."""
    if found.startswith(NUMBER_DIFFERS):
        return "by_name"
    if found.startswith(FIELDS_MISSING):
        return "fields:" + found.removeprefix(FIELDS_MISSING).replace(" ", "")
    if not _ARITY_DIFFERS.search(found) or hip is None:
        return ""
    least, most = arity(hip.text)
    return f"arity:{least}-{most}"


def arity(text: str) -> tuple[int, int]:
    """The fewest and the most arguments of the overloads in a table's signature text."""
    counts = []
    for overload in text.split(" | "):
        inside = overload.partition(" (")[2].removesuffix(")")
        depth, parts = 0, 1 if inside else 0
        for char in inside:
            depth += (char in "(<[") - (char in ")>]")
            parts += char == "," and depth == 0
        counts.append((parts - overload.count(" =,") - overload.endswith(" =)"), parts))
    return min(least for least, _ in counts), max(most for _, most in counts)

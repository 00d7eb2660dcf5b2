"""What is known of a name, as text or JSON (docs/explain.md)."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from hipport.model import RenameRule, Safety

if TYPE_CHECKING:
    from hipport.renames.explain import Explanation

SCHEMA = "hipport.explain/1"
_TRUST = {
    Safety.SAFE: "safe: the same meaning on every target",
    Safety.REVIEW: "review: renamed, and listed for a person",
    Safety.MANUAL: "manual: left as it is",
}
_KINDS = {"device": "device function", "include": "header"}
_WITH_COUNT = {
    "argument": "in C `{text}` is written after {count} arguments",
    "added": "`{text}` is added to a call with {count} arguments",
    "named": "with {count} arguments it is `{text}`",
}
_OF_ARGUMENT = {
    "hip_symbol": "argument {nth} is written HIP_SYMBOL(...)",
    "wrap": "argument {nth} is written {text}(...)",
    "reinterpret": "argument {nth} is cast to `{text}`",
    "spelled": "as argument {nth} {text}",
    "dropped": "argument {nth} goes",
    "typed": "where argument {nth} is a `{type}` it is `{name}`",
}


def explanation_text(found: Explanation) -> str:
    """An answer for a terminal."""
    if found.kind == "rule":
        return found.page.rstrip() + "\n"
    if found.kind == "hip":
        return _hip_text(found)
    rule = found.rules[0]
    lines = [_title(rule)]
    lines.append(f"  {_kind(rule)}; {_TRUST[rule.safety] if rule.status != 'identity' else 'spelled alike in HIP'}")
    if found.declaration and rule.kind != "include":
        lines.append(f"  declared as {found.declaration}")
    if rule.header and rule.kind != "include":
        lines.append(f"  include <{rule.header}>")
    lines += _versions(rule)
    if found.difference and found.difference not in rule.note:
        lines.append(f"  differs: {found.difference}")
    if rule.action:
        lines.append(f"  also: {'; '.join(map(_also, rule.action.split('; ')))}")
    if rule.note:
        lines.append(f"  {'instead' if not rule.hip else 'note'}: {rule.note}")
    lines += [f"  shim: hipport supplies `{shim}` (hipport shim show {shim})" for shim in found.shims]
    return "\n".join(lines) + "\n"


def _title(rule: RenameRule) -> str:
    shown = f"<{rule.cuda}>" if rule.kind == "include" else rule.cuda
    if not rule.hip:
        return f"{shown}: no HIP counterpart"
    other = f"<{rule.hip}>" if rule.kind == "include" else rule.hip
    return f"{shown} -> {other}" if rule.hip != rule.cuda else shown


def _kind(rule: RenameRule) -> str:
    return f"{_KINDS.get(rule.kind, rule.kind)} of {rule.family}"


def _also(action: str) -> str:
    """An action of hipport/renames/rules.py in words; arguments count from 1 here."""
    verb, _, detail = action.partition(":")
    if verb == "by_name":
        return "safe where its number does not show: as an argument, or compared by name"
    if verb == "untagged":
        return "`struct` or `enum` before it goes: HIP's is a typedef"
    if verb == "fields":
        return f"safe in a file that names none of the fields {detail.replace(',', ', ')}"
    if verb == "arity":
        return f"safe with {detail.replace('-', ' to ')} arguments"
    number, value, rest = re.split(r"([:=]|$)", detail, maxsplit=1)
    if value == "=":
        return _WITH_COUNT[verb].format(count=number, text=rest)
    rest = re.sub(r"(\w+)=(\w+),?", r"\1 becomes \2, ", rest).removesuffix(", ") if verb == "spelled" else rest
    type_, _, name = rest.partition("=")
    return _OF_ARGUMENT[verb].format(nth=int(number) + 1, text=rest, type=type_, name=name)


def _versions(rule: RenameRule) -> list[str]:
    parts = [f"since ROCm {rule.since}"] if rule.since else []
    parts += [f"until ROCm {rule.until}"] if rule.until else []
    return [f"  {', '.join(parts)}"] if parts and rule.hip else []


def _hip_text(found: Explanation) -> str:
    lines = [f"{found.name}: a HIP name"]
    lines += [f"  declared as {found.declaration}"] if found.declaration else []
    lines += [f"  stands for {', '.join(rule.cuda for rule in found.rules)}"] if found.rules else []
    return "\n".join(lines) + "\n"


def explanation_json(found: Explanation) -> str:
    """The same under a versioned schema."""
    value = {
        "schema": SCHEMA,
        "name": found.name,
        "rocm": found.rocm,
        "kind": found.kind,
        "rules": [_rule(rule) for rule in found.rules],
        "declaration": found.declaration,
        "difference": found.difference,
        "page": found.page,
        "shims": found.shims,
        "suggestions": found.suggestions,
    }
    return json.dumps(value, indent=2) + "\n"


def _rule(rule: RenameRule) -> dict[str, str]:
    return {
        "cuda": rule.cuda,
        "hip": rule.hip,
        "kind": rule.kind,
        "family": rule.family,
        "header": rule.header,
        "since": rule.since,
        "until": rule.until,
        "status": rule.status,
        "safety": rule.safety.value,
        "action": rule.action,
        "note": rule.note,
    }

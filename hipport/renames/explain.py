"""What is known of one name: a CUDA name, a header, a HIP name, or a rule id."""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.renames.names import HEADERS_OF, load_names
from hipport.renames.pages import PAGES
from hipport.renames.table import load
from hipport.resources import data_dir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.model import RenameRule
    from hipport.renames.names import HipName, HipNames
    from hipport.renames.table import RuleTable

CLOSENESS = 0.75  # difflib's ratio from which a name is worth suggesting
MOST_SUGGESTIONS = 6


@dataclass(frozen=True, slots=True)
class Explanation:
    """An answer about `name`; `rules` are several where a HIP name stands for several CUDA names.

    `kind` is rename, hip (a HIP name was asked for), rule (`page` is its documentation) or unknown (`suggestions`).
    `declaration` is what the ROCm headers say of the HIP name, `difference` where CUDA's declaration differs from it.
    """

    name: str
    rocm: str
    kind: str
    rules: tuple[RenameRule, ...] = ()
    declaration: str = ""
    difference: str = ""
    page: str = ""
    shims: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()


def explain(name: str, rocm: str, user: tuple[RenameRule, ...] = ()) -> Explanation:
    """What is known of `name` in a ROCm version; `user` are rules of a repository's own."""
    wanted = name.strip().strip("<>\"'")
    page = rule_page(wanted)
    if page:
        return Explanation(wanted, rocm, "rule", page=page)
    table, names = load(rocm, user), load_names(data_dir("rules"))
    rule = find_rule(wanted, table, names)
    if rule is not None:
        return Explanation(
            wanted, rocm, "rename", (rule,), declared(rule.hip, names), names.differences.get(rule.cuda, "")
        )
    behind = tuple(sorted(_renamed_to(wanted, table), key=lambda r: r.cuda))
    if behind or wanted in names.names or wanted in names.added:
        return Explanation(wanted, rocm, "hip", behind, declared(wanted, names))
    return Explanation(wanted, rocm, "unknown", suggestions=suggestions(wanted, table))


def rule_page(rule_id: str) -> str:
    """The documentation of a rule: the docstring of its rewrite, or a page of the lexical tier."""
    folder = Path(__file__).resolve().parents[1] / "rewrites" / rule_id.replace("-", "_")
    source = folder / "__init__.py"
    if rule_id.replace("-", "").isalnum() and source.is_file():
        return ast.get_docstring(ast.parse(source.read_bytes())) or ""
    return PAGES.get(rule_id, "")


def find_rule(name: str, table: RuleTable, names: HipNames) -> RenameRule | None:
    """The rule for a CUDA name or header, one for its namespace or its library included."""
    key = name.encode("utf-8", "replace")
    is_header = b"." in key or b"/" in key
    maps = [table.names, table.qualified, table.namespaces, table.identities, table.prefixes]
    for rules in [table.includes, *maps] if is_header else maps:
        if key in rules:
            return rules[key]
    if b"::" in key:
        return _by_namespace(name, table, names)
    return table.includes.get(key)


def _by_namespace(name: str, table: RuleTable, names: HipNames) -> RenameRule | None:
    """`cub::BlockReduce` by the rule for `cub`, if HIP's namespace has such a name."""
    scope, _, rest = name.rpartition("::")
    while scope:
        key = scope.encode("utf-8", "replace")
        rule = next((m[key] for m in (table.namespaces, table.qualified, table.identities) if key in m), None)
        if rule is None:
            scope, _, more = scope.rpartition("::")
            rest = f"{more}::{rest}"
            continue
        hip = f"{rule.hip}::{rest}" if rule.hip else ""
        is_listed = any(known.startswith(f"{rule.hip}::") for known in names.names)
        if hip and is_listed and hip not in names.names:
            note = f"the headers of ROCm {HEADERS_OF} declare no `{hip}`"
            return rule._replace(cuda=name, hip="", kind="template", status="unsupported", note=note)
        return rule._replace(cuda=name, hip=hip, kind="template")
    return None


def declared(hip: str, names: HipNames) -> str:
    """What the headers say of a HIP name: kind and signature, value or fields."""
    item: HipName | None = names.names.get(hip) or names.added.get(hip)
    return f"{item.kind} {item.text}".strip() if item is not None else ""


def _renamed_to(hip: str, table: RuleTable) -> Iterator[RenameRule]:
    key = hip.encode("utf-8", "replace")
    for rules in (table.names, table.includes, table.namespaces):
        for cuda in rules.written(key):
            rule = rules[cuda]
            if rule.hip == hip:
                yield rule


def suggestions(name: str, table: RuleTable) -> tuple[str, ...]:
    """Known names that are spelled nearly so."""
    known = [
        key.decode() for rules in (table.names, table.includes, table.qualified, table.identities) for key in rules
    ]
    folded = {other.lower(): other for other in [*PAGES, *known]}
    close = difflib.get_close_matches(name.lower(), folded, MOST_SUGGESTIONS, CLOSENESS)
    begun = sorted(other for low, other in folded.items() if low.startswith(name.lower()))
    found = [folded[low] for low in close] + begun
    return tuple(dict.fromkeys(found))[:MOST_SUGGESTIONS]

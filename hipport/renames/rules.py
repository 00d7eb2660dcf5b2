"""rules/<family>/<topic>.yaml -> RenameRule: the schema, and errors that name file and line.

A file gives defaults at its top and one rule an entry; every value is text:

    family: cublas
    kind: function
    header: hipblas/hipblas.h
    rules:
      - {cuda: cublasSaxpy_v2, hip: hipblasSaxpy, since: 1.8.2}
      - {cuda: cublasLoggerConfigure, note: "set HIPBLAS_LAYER / ROCBLAS_LAYER instead"}

A rule without `hip` is unsupported and must say in `note` (its own or the file's) what to do instead. `hip` equal to
`cuda` is an identity: known to `explain`, never a finding, unless it is `review` or has an `action`.
Names with `::` are qualified, `kind: namespace` renames a namespace, `kind: include` a header as written between
`<>` or quotes.

Actions (`action`, what the matcher does to the call besides renaming it; arguments count from 0):

    hip_symbol:N      wrap argument N in HIP_SYMBOL(...) unless it is wrapped already
    drop_argument:N   delete argument N and one comma beside it
    cast:N:TYPE       write argument N as (TYPE)(argument)
    argument:N=TEXT   insert TEXT as argument N (what was N and after moves up)
    replace:TEXT      the whole call becomes TEXT, where {0}, {1}, ... are its arguments as written, {*} all of them
    statement:        the call is a whole statement and is deleted with its semicolon (nothing to do on AMD)

Several are separated by a space, in order, except `replace`, which stands alone. A call whose arguments cannot be
found (the name is used as a value, or a macro hides the parentheses) gets the rename and REVIEW.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.errors import DataError
from hipport.model import RenameRule, Safety

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

KINDS = frozenset({"function", "type", "constant", "macro", "device", "template", "include", "namespace"})
FIELDS = frozenset({"cuda", "hip", "kind", "family", "header", "since", "until", "safety", "action", "note"})
DEFAULTS = frozenset({"family", "kind", "header", "since", "until", "safety", "action", "note"})
ACTION = re.compile(
    r"hip_symbol:\d+|drop_argument:\d+|cast:\d+:\S+|argument:\d+=\S+|replace:.+|statement:",
)
# rules/ also holds data of other owners, which are no renames
NOT_RENAMES = frozenset({"targets.yaml", "flags.yaml", "ptx.yaml"})
_VERSION = re.compile(r"\d+(\.\d+){0,3}")
_NAME = re.compile(r"[^\s<>\"'\\]+(?: [^\s<>\"'\\]+)*")


def rule_files(folder: Path) -> list[Path]:
    """Every rename file below `folder`, in a fixed order."""
    found = (p for p in folder.glob("*/*.yaml") if not p.parent.name.startswith(("_", ".")))
    return sorted(p for p in found if p.name not in NOT_RENAMES)


def read_rules(folder: Path) -> tuple[RenameRule, ...]:
    """All rules below `folder`; a name given twice is an error that names both places."""
    seen: dict[str, str] = {}
    rules: list[RenameRule] = []
    for path in rule_files(folder):
        shown = f"{folder.name}/{path.relative_to(folder).as_posix()}"
        for rule, line in parse_rules(path.read_bytes(), shown):
            place = f"{shown}:{line}"
            key = f"<{rule.cuda}>" if rule.kind == "include" else rule.cuda
            if key in seen:
                raise DataError(f"`{rule.cuda}` has a rule already, at {seen[key]}", where=place)
            seen[key] = place
            rules.append(rule)
    return tuple(rules)


def parse_rules(text: bytes, shown: str) -> Iterator[tuple[RenameRule, int]]:
    """The rules of one file with the line of each; `shown` is the path that errors name."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{shown}:{mark.line + 1}" if mark else shown
        raise DataError(f"not YAML: {getattr(error, 'problem', None) or error}", where=where) from error
    if not isinstance(root, yaml.MappingNode):
        raise DataError("a rules file is a mapping with `family`, `kind` and `rules`", where=f"{shown}:1")
    defaults: dict[str, str] = {}
    entries: list[yaml.Node] = []
    for key, value in root.value:
        where = f"{shown}:{key.start_mark.line + 1}"
        if key.value == "rules" and isinstance(value, yaml.SequenceNode):
            entries = value.value
        elif key.value in DEFAULTS and isinstance(value, yaml.ScalarNode):
            defaults[key.value] = value.value
        else:
            raise DataError(f"`{key.value}` is no field of a rules file", where=where, next_step=_known(DEFAULTS))
    for entry in entries:
        line = entry.start_mark.line + 1
        yield make_rule(_scalars(entry, shown), defaults, f"{shown}:{line}"), line


def _scalars(entry: object, shown: str) -> dict[str, str]:
    import yaml

    if not isinstance(entry, yaml.MappingNode):
        mark = getattr(entry, "start_mark", None)
        raise DataError("a rule is a mapping", where=f"{shown}:{mark.line + 1}" if mark else shown)
    fields: dict[str, str] = {}
    for key, value in entry.value:
        where = f"{shown}:{key.start_mark.line + 1}"
        if not isinstance(value, yaml.ScalarNode):
            raise DataError(f"`{key.value}` must be text", where=where)
        if key.value in fields:
            raise DataError(f"`{key.value}` is given twice", where=where)
        fields[key.value] = value.value
    return fields


def make_rule(fields: Mapping[str, str], defaults: Mapping[str, str], where: str) -> RenameRule:
    """One validated rule; `where` is what an error names."""
    for name in fields:
        if name not in FIELDS:
            raise DataError(f"`{name}` is no field of a rule", where=where, next_step=_known(FIELDS))
    merged = {**defaults, **fields}
    cuda, hip = merged.get("cuda", ""), fields.get("hip", "")
    problem = _problem(merged, cuda, hip)
    if problem:
        raise DataError(problem, where=where)
    unsupported = not hip
    status = "unsupported" if unsupported else "identity" if hip == cuda else "mapped"
    safety = Safety(merged["safety"]) if "safety" in merged else Safety.MANUAL if unsupported else Safety.SAFE
    return RenameRule(
        cuda=cuda,
        hip=hip,
        kind=merged["kind"],
        family=merged["family"],
        header="" if unsupported else merged.get("header", ""),
        since=merged.get("since", ""),
        until=merged.get("until", ""),
        status=status,
        safety=safety,
        action="" if unsupported else merged.get("action", ""),
        note=merged.get("note", ""),
    )


def _problem(merged: Mapping[str, str], cuda: str, hip: str) -> str:
    """What is wrong with the fields of one rule; empty if nothing is."""
    if not cuda:
        return "a rule needs `cuda`"
    for field in ("cuda", "hip"):
        value = merged.get(field, "")
        if value and not _NAME.fullmatch(value):
            return f"`{field}: {value}` is no name or header"
    if merged.get("kind") not in KINDS:
        return f"`{cuda}`: kind `{merged.get('kind', '')}` is none of {', '.join(sorted(KINDS))}"
    if not merged.get("family"):
        return f"`{cuda}` has no family"
    for field in ("since", "until"):
        if merged.get(field) and not _VERSION.fullmatch(merged[field]):
            return f"`{cuda}`: {field} `{merged[field]}` is no version"
    if merged.get("safety", "safe") not in {s.value for s in Safety}:
        return f"`{cuda}`: safety `{merged['safety']}` is none of {', '.join(s.value for s in Safety)}"
    if not hip and not merged.get("note"):
        return f"`{cuda}` has no HIP name, so `note` must say what to do instead"
    return _action_problem(merged.get("action", ""), cuda)


def _action_problem(action: str, cuda: str) -> str:
    parts = [action] if action.startswith("replace:") else action.split()
    bad = [part for part in parts if not ACTION.fullmatch(part)]
    return f"`{cuda}`: no such action: {bad[0]}" if bad else ""


def _known(names: Iterable[str]) -> str:
    return f"known fields: {', '.join(sorted(names))}"

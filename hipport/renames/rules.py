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
`<>` or quotes. `kind: prefix` (`nppi*`) judges all names of a library at once, a header may end in `*` too.

What the mechanical comparison of signatures and values finds (rules/tables/differences.tsv) makes a rule REVIEW and
adds to its note; a `safety` or an `action` written in the rule is a person's judgement and wins.

Actions (`action`: what the matcher does besides renaming; several are separated by `; `; arguments count from 0):

    hip_symbol:N        wrap argument N in HIP_SYMBOL(...) unless it is wrapped already
    wrap:N:FUNCTION     write argument N as FUNCTION(argument)
    reinterpret:N:TYPE  write argument N as reinterpret_cast<TYPE>(argument) unless it begins with a cast to TYPE
    spelled:N:A=B,C=D   if argument N is exactly the token A it becomes B, if C then D; otherwise nothing
    argument:N=TEXT     in C, which has no default arguments, write TEXT as a further argument of a call with N
    added:N=TEXT        write TEXT as a further argument of a call that has N of them
    dropped:N           take argument N out
    named:N=NAME        with N arguments the function is NAME
    typed:N:TYPE=NAME   where argument N is a variable of TYPE, or begins with TYPE or a brace, the function is NAME
    untagged            HIP's type is a typedef: `struct` or `enum` before it goes
    by_name             the constant's number differs on AMD: REVIEW where it may be used as a number, SAFE where it is
                        a whole argument of a call that is renamed too
    fields:A,B          HIP's structure lacks these fields: REVIEW in a file that names one of them, SAFE in others
    arity:LO-HI         HIP's function takes LO to HI arguments where CUDA has another form too: SAFE with so many,
                        REVIEW with others

A call whose arguments cannot be found (the name is used as a value, or a macro hides the parentheses) gets the rename
and REVIEW.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.errors import DataError
from hipport.model import RenameRule, Safety
from hipport.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

KINDS = frozenset(
    {"function", "type", "constant", "macro", "device", "template", "include", "namespace", "prefix"},
)
FIELDS = frozenset({"cuda", "hip", "kind", "family", "header", "since", "until", "safety", "action", "note"})
DEFAULTS = frozenset({"family", "kind", "header", "since", "until", "safety", "action", "note"})
ACTION_SEPARATOR = "; "
ACTION = pattern(
    r"hip_symbol:\d+|wrap:\d+:\w+|reinterpret:\d+:[^;]+|spelled:\d+:\w+=-?\w+(?:,\w+=-?\w+)*|by_name|untagged|fields:\w+(?:,\w+)*|arity:\d+-\d+"
    r"|(?:argument|added|named):\d+=\w+|dropped:\d+|typed:\d+:\w+=\w+",
)
# rules/ also holds data of other owners, which are no renames
NOT_RENAMES = frozenset({"targets.yaml", "flags.yaml", "ptx.yaml"})
# rules that hold for a library older than the version in the name alone: hipport/renames/older.py
OLDER = "before-"
_VERSION = pattern(r"\d+(\.\d+){0,3}")
_NAME = pattern(r"[^\s<>\"'\\]+(?: [^\s<>\"'\\]+)*")


def rule_files(folder: Path) -> list[Path]:
    """Every rename file below `folder`, in a fixed order."""
    found = (p for p in folder.glob("*/*.yaml") if not p.parent.name.startswith(("_", ".")))
    return sorted(p for p in found if p.name not in NOT_RENAMES and not p.name.startswith(OLDER))


def read_rules(folder: Path) -> Iterator[tuple[RenameRule, str, bool]]:
    """All rules below `folder`, each with its place and whether a person judged it (`safety` or `action` is written).

    A name given twice is an error that names both places.
    """
    seen: dict[str, str] = {}
    for path in rule_files(folder):
        shown = f"{folder.name}/{path.relative_to(folder).as_posix()}"
        for rule, line, is_judged in parse_rules(path.read_bytes(), shown):
            place = f"{shown}:{line}"
            key = f"<{rule.cuda}>" if rule.kind == "include" else rule.cuda
            if key in seen:
                raise DataError(f"`{rule.cuda}` has a rule already, at {seen[key]}", where=place)
            seen[key] = place
            yield rule, place, is_judged


def parse_rules(text: bytes, shown: str) -> Iterator[tuple[RenameRule, int, bool]]:
    """The rules of one file, each with its line and whether it is judged; `shown` is the path that errors name."""
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
        fields = _scalars(entry, shown)
        is_judged = not {"safety", "action"}.isdisjoint(fields)
        yield make_rule(fields, defaults, f"{shown}:{line}"), line, is_judged


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
    if "*" in cuda[:-1] or (cuda.endswith("*") and merged.get("kind") not in {"include", "prefix"}):
        return f"`{cuda}`: `*` stands at the end of a prefix or a header only"
    for field in ("since", "until"):
        if merged.get(field) and not _VERSION.fullmatch(merged[field]):
            return f"`{cuda}`: {field} `{merged[field]}` is no version"
    if merged.get("safety", "safe") not in {s.value for s in Safety}:
        return f"`{cuda}`: safety `{merged['safety']}` is none of {', '.join(s.value for s in Safety)}"
    if not hip and not merged.get("note"):
        return f"`{cuda}` has no HIP name, so `note` must say what to do instead"
    return _action_problem(merged.get("action", ""), cuda)


def _action_problem(action: str, cuda: str) -> str:
    bad = [part for part in action.split(ACTION_SEPARATOR) if part and not ACTION.fullmatch(part)]
    return f"`{cuda}`: no such action: {bad[0]}" if bad else ""


def _known(names: Iterable[str]) -> str:
    return f"known fields: {', '.join(sorted(names))}"

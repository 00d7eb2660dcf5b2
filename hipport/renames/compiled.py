"""Rules in their compiled form: one file of lines, read and split once.

Seven sections, each closed by a line holding one form feed: the notes, names, includes, namespaces, qualified names,
identities and prefixes. All but the notes are the CUDA names, a line holding one vertical tab, and for each name in its
turn the other fields of RenameRule between tabs; a rule's note is the number of a line of the first section.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.errors import HipportError
from hipport.model import RenameRule, Safety
from hipport.resources import compiled, data_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FORMAT = b"hipport-rules-3"
SECTIONS = ("names", "includes", "namespaces", "qualified", "identities", "prefixes")
_FORM_FEED = b"\f\n"
_VERTICAL_TAB = b"\v\n"


def compile_rules(rules: Iterable[RenameRule]) -> bytes:
    """The compiled form of `rules`; equal rules give equal bytes."""
    bodies: dict[str, dict[bytes, bytes]] = {name: {} for name in SECTIONS}
    notes: dict[str, int] = {"": 0}
    for rule in sorted(rules, key=lambda r: (r.cuda, r.kind)):
        note = notes.setdefault(" ".join(rule.note.split()), len(notes))
        bodies[section_of(rule)][rule.cuda.encode()] = _line(rule, note)
    parts = [FORMAT + b"\n", "".join(f"{note}\n" for note in notes).encode()]
    parts += [
        b"".join(name + b"\n" for name in lines) + _VERTICAL_TAB + b"".join(line + b"\n" for line in lines.values())
        for lines in bodies.values()
    ]
    return b"".join(part + _FORM_FEED for part in parts)


def section_of(rule: RenameRule) -> str:
    """The section of RuleTable that a rule belongs to."""
    is_identity = rule.status == "identity" and rule.safety is Safety.SAFE and not rule.action
    if is_identity and not rule.since and not rule.until:
        return "identities"
    if rule.kind == "include":
        return "includes"
    if rule.kind == "prefix":
        return "prefixes"
    if rule.kind == "namespace":
        return "namespaces"
    return "qualified" if "::" in rule.cuda else "names"


def _line(rule: RenameRule, note: int) -> bytes:
    fields = (rule.hip, rule.kind, rule.family, rule.header, rule.since, rule.until, rule.status)
    return "\t".join((*fields, rule.safety.value, rule.action, str(note))).encode()


def lines_of(body: bytes) -> dict[bytes, bytes]:
    """CUDA name -> the fields of its rule, of one section's body."""
    names, _, lines = body.partition(_VERTICAL_TAB)
    return dict(zip(names.split(b"\n")[:-1], lines.split(b"\n"), strict=False))


def rule_of(name: bytes, line: bytes, notes: list[bytes]) -> RenameRule:
    """The rule of a CUDA name from the line of its fields."""
    hip, kind, family, header, since, until, status, safety, action, note = line.decode().split("\t")
    text = notes[int(note)].decode()
    return RenameRule(name.decode(), hip, kind, family, header, since, until, status, Safety(safety), action, text)


def sections(data: bytes) -> tuple[list[bytes], list[bytes]]:
    """The notes, and the bodies of the sections in the order of SECTIONS."""
    head, *bodies = data.split(_FORM_FEED)
    if head.rstrip() != FORMAT or len(bodies) != len(SECTIONS) + 2:
        raise HipportError("the compiled rules are damaged", next_step="reinstall hipport, or delete .cache/")
    return bodies[0].split(b"\n"), bodies[1:-1]


def compiled_rules() -> bytes:
    """The compiled rules of this installation."""
    folder = data_dir("rules")
    return compiled("compiled.tsv", _sources(folder), lambda: build(folder))


def _sources(folder: Path) -> Iterator[str]:
    """All that the compiled form depends on: the rules, the tables and this package's code."""
    below = (entry.path for entry in os.scandir(folder) if entry.is_dir())
    for place in sorted((*below, str(Path(__file__).parent))):
        found = (entry.path for entry in os.scandir(place))
        yield from sorted(path for path in found if path.endswith((".yaml", ".tsv", ".py")))


def build(folder: Path) -> bytes:
    """Read, judge and compile the rules below `folder`."""
    from hipport.renames.judge import judge
    from hipport.renames.names import load_names
    from hipport.renames.rules import read_rules

    names = load_names(folder)
    return compile_rules(judge(rule, names, is_judged=judged) for rule, _, judged in read_rules(folder))

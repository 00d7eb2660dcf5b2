"""Rules in their compiled form: one file of tab-separated lines, read and split once.

Five sections, each closed by a line holding one form feed: names, includes, namespaces, qualified names, identities.
A line is the CUDA name and then the other fields of RenameRule in their order.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.errors import HipportError
from hipport.model import RenameRule, Safety
from hipport.resources import data_dir

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMAT = b"hipport-rules-1"
SECTIONS = ("names", "includes", "namespaces", "qualified", "identities")
_FORM_FEED = b"\f\n"


def compile_rules(rules: Iterable[RenameRule]) -> bytes:
    """The compiled form of `rules`; equal rules give equal bytes."""
    sections: dict[str, list[bytes]] = {name: [] for name in SECTIONS}
    for rule in sorted(rules, key=lambda r: (r.cuda, r.kind)):
        sections[section_of(rule)].append(_line(rule))
    body = b"".join(b"".join(lines) + _FORM_FEED for lines in sections.values())
    return FORMAT + b"\n" + _FORM_FEED + body


def section_of(rule: RenameRule) -> str:
    """The section of RuleTable that a rule belongs to."""
    if rule.kind == "include":
        return "includes"
    if rule.status == "identity" and rule.safety is Safety.SAFE and not rule.action:
        return "identities"
    if rule.kind == "namespace":
        return "namespaces"
    return "qualified" if "::" in rule.cuda else "names"


def _line(rule: RenameRule) -> bytes:
    fields = (rule.cuda, rule.hip, rule.kind, rule.family, rule.header, rule.since, rule.until, rule.status)
    text = "\t".join((*fields, rule.safety.value, rule.action, rule.note.replace("\t", " ").replace("\n", " ")))
    return text.encode() + b"\n"


def rule_of(line: bytes) -> RenameRule:
    """The rule of one compiled line without its end of line."""
    cuda, hip, kind, family, header, since, until, status, safety, action, note = line.decode().split("\t")
    return RenameRule(cuda, hip, kind, family, header, since, until, status, Safety(safety), action, note)


def sections(data: bytes) -> list[bytes]:
    """The bodies of the five sections, in the order of SECTIONS."""
    head, *bodies = data.split(_FORM_FEED)
    if head.rstrip() != FORMAT or len(bodies) != len(SECTIONS) + 1:
        raise HipportError("the compiled rules are damaged", next_step="reinstall hipport, or delete .cache/")
    return bodies[:-1]


def compiled_rules() -> bytes:
    """The compiled rules of this installation: shipped in a wheel, built into .cache/ in a checkout."""
    folder = data_dir("rules")
    shipped = folder / "compiled.tsv"
    if folder.parent.name == "_data" and shipped.is_file():
        return shipped.read_bytes()
    cached = folder.parent / ".cache" / f"rules-{_digest(folder)}.tsv"
    try:
        return cached.read_bytes()
    except OSError:
        pass
    data = build(folder)
    _keep(cached, data)
    return data


def build(folder: Path) -> bytes:
    """Read, judge and compile the rules below `folder`."""
    from hipport.renames.rules import read_rules

    return compile_rules(read_rules(folder))


def _digest(folder: Path) -> str:
    """A key of all that the compiled form depends on: the content of the rules, the tables and this package's code."""
    key = hashlib.sha256()
    code = Path(__file__).parent
    for path in sorted((*folder.glob("*/*.yaml"), *folder.glob("tables/*"), *code.glob("*.py"))):
        key.update(f"{path.name}\n".encode())
        key.update(path.read_bytes())
    return key.hexdigest()[:24]


def _keep(path: Path, data: bytes) -> None:
    """Put `data` at `path` atomically; a folder that cannot be written costs time, nothing else."""
    try:
        path.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix="rules-")
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        Path(name).replace(path)
    except OSError:
        return

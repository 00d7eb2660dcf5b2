"""The rules of one ROCm version, by name: what the matcher looks tokens up in."""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping
from dataclasses import dataclass

from hipport.errors import UsageError
from hipport.model import RenameRule, Safety
from hipport.renames.compiled import SECTIONS, compiled_rules, lines_of, rule_of, section_of, sections
from hipport.renames.names import HEADERS_OF

_HEADERS_OF = tuple(int(part) for part in HEADERS_OF.split("."))


class RuleMap(Mapping[bytes, RenameRule]):
    """CUDA name in bytes -> its rule, made when it is first asked for; `cutlass/*` answers for all below cutlass/."""

    __slots__ = ("_lines", "_made", "_notes", "_prefixes", "_version")

    def __init__(self, body: bytes, notes: list[bytes], version: tuple[int, ...]) -> None:
        self._lines = lines_of(body)
        self._made: dict[bytes, RenameRule] = {}
        self._notes = notes
        self._version = version
        starred = (n[:-1] for n in self._lines if n.endswith(b"*")) if b"*\n" in body else ()
        self._prefixes = tuple(sorted(starred, key=len, reverse=True))

    def add(self, rule: RenameRule) -> None:
        """Put a user's rule in, over one of ours."""
        name = rule.cuda.encode()
        if name.endswith(b"*"):
            self._prefixes = tuple(sorted({*self._prefixes, name[:-1]}, key=len, reverse=True))
        self._lines.setdefault(name, b"")
        self._made[name] = rule

    def drop(self, name: bytes) -> None:
        """Take the rule of a name out: another says that it stays."""
        self._lines.pop(name, None)
        self._made.pop(name, None)

    def __getitem__(self, name: bytes) -> RenameRule:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = self._make(name)
        return made

    def _make(self, name: bytes) -> RenameRule:
        line = self._lines.get(name)
        if line is not None:
            return at_version(rule_of(name, line, self._notes), self._version)
        prefix = self._prefix(name)
        if prefix is None:
            raise KeyError(name)
        rule = self[prefix + b"*"]
        hip = rule.hip[:-1] + name[len(prefix) :].decode() if rule.hip else ""
        return rule._replace(cuda=name.decode("utf-8", "replace"), hip=hip)

    def _prefix(self, name: bytes) -> bytes | None:
        """The longest prefix that has a rule."""
        return next((p for p in self._prefixes if name.startswith(p)), None)

    def __contains__(self, name: object) -> bool:
        return name in self._lines or (isinstance(name, bytes) and self._prefix(name) is not None)

    def written(self, hip: bytes) -> tuple[bytes, ...]:
        """The CUDA names whose rule may write a HIP name; found in the lines, without making every rule."""
        needle = hip + b"\t"
        return tuple(name for name, line in self._lines.items() if line.startswith(needle))

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._lines)

    def keys(self) -> KeysView[bytes]:
        """The names as a dict's own view, which intersects with a set in C."""
        return self._lines.keys()

    def __len__(self) -> int:
        return len(self._lines)


@dataclass(frozen=True, slots=True, eq=False)  # one table is one object: what is made of it is kept by identity
class RuleTable:
    """All rules of one ROCm version.

    `names` holds identifiers, `includes` header paths as written inside `<>` or quotes, `namespaces` namespaces
    (`cub`, `thrust::cuda`), `qualified` names that are CUDA only when qualified (`cuda::atomic`). `identities` are
    names that HIP spells alike: never a finding. `prefixes` judges whole libraries (`nppi`): a name that is in none of
    the others and begins so.
    """

    rocm: str
    names: RuleMap
    includes: RuleMap
    namespaces: RuleMap
    qualified: RuleMap
    identities: RuleMap
    prefixes: RuleMap


def load(rocm: str = "7.2", user: tuple[RenameRule, ...] = (), torch: str = "") -> RuleTable:
    """The rules for `rocm` and a version of PyTorch (empty: the newest).

    Those of `user` win over ours, and a later one of them over an earlier one.
    """
    version = parse_version(rocm)
    notes, bodies = sections(compiled_rules())
    maps = [RuleMap(body, notes, version) for body in bodies]
    by_name = dict(zip(SECTIONS, maps, strict=True))
    for rule in (*_older(torch), *user):
        section = section_of(rule)
        if section == "identities":
            for others in maps:
                others.drop(rule.cuda.encode())
        by_name[section].add(rule)
    return RuleTable(rocm, *maps)


def _older(torch: str) -> tuple[RenameRule, ...]:
    if not torch:
        return ()
    from hipport.renames.older import torch_rules

    return torch_rules(torch)


def parse_version(text: str) -> tuple[int, ...]:
    """`7.2` -> (7, 2)."""
    try:
        return tuple(int(part) for part in text.split("."))
    except ValueError:
        raise UsageError(f"`{text}` is no ROCm version", next_step="write it like 7.2") from None


def at_version(rule: RenameRule, version: tuple[int, ...]) -> RenameRule:
    """The rule as it holds in a ROCm version: without its HIP name where that does not exist there."""
    if not rule.hip:
        return rule
    if rule.since and version < parse_version(rule.since)[: len(version)]:
        return _missing(rule, f"`{rule.hip}` came with ROCm {rule.since}")
    if rule.until and version >= parse_version(rule.until)[: len(version)]:
        return _missing(rule, f"`{rule.hip}` is gone since ROCm {rule.until}")
    if version < _HEADERS_OF and not rule.since and rule.header and rule.safety is Safety.SAFE:
        why = f"ROCm {HEADERS_OF} has `{rule.hip}`; since when is not known"
        return rule._replace(safety=Safety.REVIEW, note=f"{why}; {rule.note}" if rule.note else why)
    return rule


def _missing(rule: RenameRule, why: str) -> RenameRule:
    note = f"{why}; {rule.note}" if rule.note else why
    return rule._replace(hip="", header="", status="unsupported", safety=Safety.MANUAL, action="", note=note)

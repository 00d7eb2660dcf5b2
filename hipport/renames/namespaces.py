"""Namespaces: `cub::`, `using namespace cub`, `namespace prims = cub`, `thrust::cuda::par`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hipport.model import Finding, RenameRule, Safety, Status
from hipport.patterns import pattern
from hipport.renames.occurrences import Place, occurrences, place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hipport.renames.reading import Reading
    from hipport.renames.table import RuleTable

_PATH = pattern(rb"[A-Za-z_$]\w*(?:\s*::\s*[A-Za-z_$]\w*)*(\s*::)?")
_SEGMENT = pattern(rb"[A-Za-z_$]\w*")
_ALIASED = pattern(rb"\bnamespace\s+\w+\s*=(?:\s*::)?$")
_NAMED = pattern(rb"\bnamespace(?:\s+::)?$")


class Namespaces(NamedTuple):
    """What the table says of qualified names, by their first segment."""

    heads: frozenset[bytes]
    rules: dict[tuple[bytes, ...], RenameRule]

    @classmethod
    def of(cls, table: RuleTable) -> Namespaces:
        """The namespaces and qualified names of a table."""
        rules = {tuple(key.split(b"::")): key for key in (*table.namespaces, *table.qualified)}
        made = {
            parts: table.qualified[key] if key in table.qualified else table.namespaces[key]
            for parts, key in rules.items()
        }
        return cls(frozenset(parts[0] for parts in made), made)


def find_namespaces(
    reading: Reading, spaces: Namespaces, is_declared: Callable[[int, bytes, Place], bool]
) -> Iterator[Finding]:
    """Renames of namespaces and of names that count only when qualified."""
    heads = reading.words & spaces.heads
    if not heads:
        return
    opened = _opened(reading, spaces, heads)
    heads |= set(opened)
    for position, head in occurrences(reading, heads):
        place, _ = place_of(reading, position, position + len(head))
        if place not in (Place.PLAIN, Place.GLOBAL) or reading.is_dead(position):
            continue
        if is_declared(position, head, place):
            continue
        finding = _resolve(reading, spaces, position, opened.get(head, ()))
        if finding is not None:
            yield finding


def _opened(reading: Reading, spaces: Namespaces, heads: set[bytes]) -> dict[bytes, tuple[bytes, ...]]:
    """Heads that `using namespace X` makes visible: with `using namespace nvcuda`, `wmma::` means `nvcuda::wmma::`."""
    found: dict[bytes, tuple[bytes, ...]] = {}
    for head in heads:
        own = spaces.rules.get((head,))
        if (own is not None and own.hip) or not re.search(
            rb"\busing\s+namespace\s+(?:::\s*)?" + head + rb"\s*;", reading.code
        ):
            continue
        for parts in spaces.rules:
            if parts[0] == head and len(parts) == 2:
                found[parts[1]] = (head,)
    return found


def _resolve(reading: Reading, spaces: Namespaces, position: int, opened: tuple[bytes, ...]) -> Finding | None:
    match = _PATH.match(reading.code, position)
    if match is None:
        return None
    segments = list(_SEGMENT.finditer(match[0]))
    names = (*opened, *(s[0] for s in segments))
    before = reading.before(position)
    declares = bool(_NAMED.search(before))
    for size in range(len(names), len(opened), -1):
        rule = spaces.rules.get(names[:size])
        if rule is None:
            continue
        whole = size == len(names)
        if whole and declares and not rule.hip:
            using = _using_nothing(reading, spaces, names, position, match.end())
            if using is not None:
                return using
        if rule.kind == "namespace" and whole and not (match[1] or declares or _ALIASED.search(before)):
            return None  # a variable or function of that name
        last = segments[size - len(opened) - 1]
        return _finding(reading, rule, position, segments[: size - len(opened)], position + last.end(), opened)
    return _using_nothing(reading, spaces, names, position, match.end()) if declares else None


def _finding(
    reading: Reading,
    rule: RenameRule,
    position: int,
    segments: list[re.Match[bytes]],
    end: int,
    opened: tuple[bytes, ...],
) -> Finding | None:
    if not rule.hip:
        return reading.finding(
            "unsupported", position, end, f"`{rule.cuda}` has no HIP counterpart", Safety.MANUAL, Status.UNSUPPORTED,
            rule.family, next_step=rule.note,
        )  # fmt: skip
    hip = rule.hip.encode().split(b"::")
    if opened and len(hip) == len(segments) + len(opened):
        hip = hip[len(opened) :]
    if len(hip) == len(segments):
        edits = tuple(
            (position + old.start(), position + old.end(), new)
            for old, new in zip(segments, hip, strict=True)
            if old[0] != new
        )
    else:
        edits = ((position, end, b"::".join(hip)),)
    if not edits and rule.safety is Safety.SAFE:
        return None
    status = Status.RENAMED if rule.safety is Safety.SAFE else Status.REVIEW
    message = f"`{rule.cuda}` is `{rule.hip}`" if rule.hip != rule.cuda else f"`{rule.cuda}` differs on HIP"
    return reading.finding(
        "namespace", position, end, message, rule.safety, status, rule.family, edits=edits, next_step=rule.note
    )


def _using_nothing(
    reading: Reading, spaces: Namespaces, names: tuple[bytes, ...], position: int, end: int
) -> Finding | None:
    """`using namespace nvcuda;`: HIP has no such namespace, only others for what lies in it."""
    inner = [rule for parts, rule in spaces.rules.items() if len(parts) == 2 and parts[:1] == names and rule.hip]
    if not inner or len(names) != 1:
        return None
    nearby = max(0, position - 64)
    before = re.search(rb"\busing\s+namespace\s+(?:::\s*)?$", reading.code[nearby:position])
    closing = reading.skip_blanks(end)
    if before is None or reading.code[closing] != 59:
        return None
    start, name = nearby + before.start(), names[0].decode()
    aliases = [f"namespace {rule.cuda.split('::')[1]} = {rule.hip};" for rule in inner if rule.kind == "namespace"]
    return reading.finding(
        "namespace", start, closing + 1, f"HIP has no namespace `{name}`; what lies in it has other names",
        inner[0].safety, Status.RENAMED if inner[0].safety is Safety.SAFE else Status.REVIEW, inner[0].family,
        edits=((start, closing + 1, " ".join(aliases).encode()),), next_step=inner[0].note,
    )  # fmt: skip

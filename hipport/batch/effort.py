"""Effort as a sum that a reader can redo: occurrences times the weight of their class, in minutes of a person's work.

The classes, mildest first: a safe rename or rewrite costs the glance of a code review; a `review` finding is read and
judged; a `manual` one is worked out by hand; an unsupported API is replaced. Each further occurrence of the same rule
in the same file costs a quarter of the first: one decision settles most of them. The weights are estimates, held
against the number of hunks that people changed in hand-made ports (docs/benchmarks.md); `[tool.hipport.weights]`
changes them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hipport.batch.facts import HotFile, Row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipport.batch.facts import FileFacts, RepositoryFacts

WEIGHTS = {
    "renamed": 0.2,
    "rewritten": 0.5,
    "shimmed": 1.0,
    "review": 2.0,
    "performance": 1.0,
    "manual": 20.0,
    "unsupported": 30.0,
    "unparsed": 10.0,
}
REPEAT = 0.25  # the cost of a further occurrence, as a share of the first
_BLOCKING = ("manual", "unsupported", "unparsed")
_HOTTEST = 10


def effort(facts: FileFacts, weights: Mapping[str, float]) -> float:
    """Minutes for one file."""
    return sum(
        weights[_weight_class(status, purpose)] * (1 + REPEAT * (count - 1))
        for (_family, _rule, status, _safety, purpose), count in facts.counts.items()
    )


def _weight_class(status: str, purpose: str) -> str:
    return "performance" if purpose == "performance" and status in {"review", "manual"} else status


def row(repository: RepositoryFacts, weights: Mapping[str, float], before: float | None = None) -> Row:
    """What the report says of one repository."""
    statuses: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    blockers: Counter[str] = Counter()
    families: dict[str, Counter[str]] = {}
    for facts in repository.files:
        for (family, rule, status, _safety, purpose), count in facts.counts.items():
            if purpose == "correctness":  # advice on speed is no construct that must change or be judged
                statuses[status] += count
                families.setdefault(family, Counter())[status] += count
            if status not in {"renamed", "rewritten", "shimmed"}:
                rules[rule] += count
            if status in _BLOCKING and purpose == "correctness":
                blockers[family] += count
    minutes = {facts.path: effort(facts, weights) for facts in repository.files}
    hot = sorted(repository.files, key=lambda facts: (-minutes[facts.path], facts.path))[:_HOTTEST]
    broken = [facts for facts in repository.files if facts.error]
    return Row(
        name=repository.name,
        verdict=_verdict(repository, statuses, blockers),
        blockers=tuple(name for name, _ in sorted(blockers.items(), key=lambda item: (-item[1], item[0]))),
        effort=round(sum(minutes.values()), 2),
        files=len(repository.files),
        size=sum(facts.size for facts in repository.files),
        statuses=dict(sorted(statuses.items())),
        families={name: dict(sorted(families[name].items())) for name in sorted(families)},
        rules=dict(sorted(rules.items(), key=lambda item: (-item[1], item[0]))),
        hot=tuple(
            HotFile(facts.path, round(minutes[facts.path], 2), sum(facts.counts.values()))
            for facts in hot
            if minutes[facts.path]
        ),
        records=tuple(record for facts in repository.files for record in facts.records),
        error=repository.error or "; ".join(f"{facts.path}: {facts.error}" for facts in broken[:3]),
        before=before,
    )


def _verdict(repository: RepositoryFacts, statuses: Counter[str], blockers: Counter[str]) -> str:
    if repository.error:
        return "failed"
    if not statuses:
        return "no CUDA"
    if blockers:
        return "blocked"
    reviewed = any(
        status == "review" and purpose == "correctness"
        for facts in repository.files
        for (_family, _rule, status, _safety, purpose) in facts.counts
    )
    return "review" if reviewed else "builds as is"

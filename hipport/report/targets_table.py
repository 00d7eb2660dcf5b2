"""What is known of each GPU, as text or JSON (docs/targets.md)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hipport.targets import Fact, Target

SCHEMA = 1
# what the overview shows: heading, key of the table, and the divisor of its unit
_OVERVIEW = (
    ("wave", "warp_size", 1),
    ("LDS/block KiB", "lds_max_per_block_static_bytes", 1024),
    ("dynamic KiB", "lds_max_per_block_dynamic_bytes", 1024),
    ("LDS/CU KiB", "lds_per_cu_bytes", 1024),
    ("granule B", "lds_alloc_granule_bytes", 1),
    ("banks", "lds_banks", 1),
    ("threads/block", "max_threads_per_block", 1),
)


def targets_text(targets: Sequence[Target]) -> str:
    """One line a target; `?` is a number that is not known."""
    rows = [["target", "architecture", *(title for title, _, _ in _OVERVIEW)]]
    rows += [[t.name, t.arch, *(_cell(t, key, unit) for _, key, unit in _OVERVIEW)] for t in targets]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "".join(
        "  ".join(
            c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        + "\n"
        for row in rows
    )


def _cell(target: Target, key: str, unit: int) -> str:
    return f"{target.number(key) / unit:g}" if target.knows(key) else "?"


def target_text(target: Target, sources: Mapping[str, str]) -> str:
    """Every fact of one target with its sources, and what each source is."""
    lines = [f"{target.name}: {target.arch} ({target.vendor.value})"]
    used: dict[str, None] = {}
    for key, fact in target.facts.items():
        used.update(dict.fromkeys(fact.source))
        lines.append(f"  {key} = {_value(fact)}{_behind(fact)}")
    lines += ["sources:", *(f"  {key}: {sources[key]}" for key in used)]
    return "\n".join(lines) + "\n"


def _value(fact: Fact) -> str:
    return "unknown" if fact.value is None else json.dumps(fact.value)


def _behind(fact: Fact) -> str:
    parts = [", ".join(fact.source)] if fact.source else []
    parts += ["not verified"] if not fact.verified else []
    parts += [fact.note] if fact.note else []
    return f"  [{'; '.join(parts)}]" if parts else ""


def targets_json(targets: Sequence[Target], sources: Mapping[str, str]) -> str:
    """Every fact of every target under a versioned schema."""
    value = {
        "schema": SCHEMA,
        "targets": [
            {
                "name": t.name,
                "vendor": t.vendor.value,
                "arch": t.arch,
                "facts": {key: _fact(fact) for key, fact in t.facts.items()},
            }
            for t in targets
        ],
        "sources": dict(sources),
    }
    return json.dumps(value, indent=2) + "\n"


def _fact(fact: Fact) -> dict[str, object]:
    return {"value": fact.value, "source": list(fact.source), "note": fact.note, "verified": fact.verified}

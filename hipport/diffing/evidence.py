"""What was verified of a source, by the digests of the source and of its port: kept in the cache for later reports."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from hipport import cachedir
from hipport.diffing.certificate import evidence

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from hipport.diffing.judge import Judged

_KEY = ("case", "original", "device", "port")
_MOST = 200  # entries of one source


def _place(digest: str) -> Path:
    return cachedir.root() / cachedir.KEPT / f"{digest}.json"


def keep(rows: Iterable[Judged]) -> None:
    """Remember what came of kernel cases; a later answer for the same case, device and port takes its place."""
    for one in rows:
        if one.case is None or one.source is None or not one.source.is_file():
            continue
        digest = sha256(one.case.folder / one.case.source)
        row = {
            "case": one.name,
            "original": one.original,
            "device": one.port,
            "port": sha256(one.source),
            "verdict": one.kind.value,
            "evidence": evidence(one),
        }
        known = [
            old for old in kept(digest) if any(old[key] != row[key] for key in ("case", "original", "device", "port"))
        ]
        place = _place(digest)
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh = place.with_suffix(".new")
        fresh.write_text(json.dumps([*known[-_MOST:], row]), encoding="utf-8")
        fresh.replace(place)


def kept(digest: str) -> list[dict[str, Any]]:
    """What is known of a source."""
    try:
        rows: list[dict[str, Any]] = json.loads(_place(digest).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return rows


def sha256(path: Path) -> str:
    """Of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def note(name: str, source: Path, port: Path) -> str:
    """One line on what was verified of exactly this source and this port; empty where nothing was."""
    if not source.is_file() or not port.is_file():
        return ""
    digest = sha256(port)
    rows = [row for row in kept(sha256(source)) if row["port"] == digest]
    if not rows:
        return ""
    parts = [f"{row['case']} {row['verdict']} on {row['device']} ({_words(row['evidence'])})" for row in rows]
    return f"evidence: {name}: {'; '.join(parts)}"


def _words(found: dict[str, bool]) -> str:
    return ", ".join(word for word, done in found.items() if done) or "nothing was shown"

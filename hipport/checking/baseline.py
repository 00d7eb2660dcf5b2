"""A baseline: the findings a repository has agreed to live with, recognised again after their lines have moved."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hipport.errors import DataError, HipportError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from hipport.model import Located

SCHEMA = "hipport.baseline/1"


def read(path: Path) -> Mapping[str, int]:
    """`load` of a file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"the baseline cannot be read: {error}", where=str(path)) from None
    return load(text, where=str(path))


def write(path: Path, findings: Iterable[Located]) -> None:
    """`dump` into a file, whole or not at all."""
    from hipport.source.workspace import write_file

    try:
        write_file(path, dump(findings).encode("utf-8", "backslashreplace"), force=True)
    except OSError as error:
        raise HipportError(f"the baseline cannot be written: {error.strerror}", where=str(path)) from None


def dump(findings: Iterable[Located]) -> str:
    """JSON text: how often each fingerprint occurs, with the rule and path for whoever reads the file."""
    import json

    counts: Counter[tuple[str, str, str]] = Counter(
        (found.finding.span.path, found.finding.rule, found.fingerprint) for found in findings
    )
    rows = [
        {"path": path, "rule": rule, "fingerprint": mark, "count": count}
        for (path, rule, mark), count in sorted(counts.items())
    ]
    return json.dumps({"schema": SCHEMA, "findings": rows}, indent=1) + "\n"


def load(text: str, *, where: str) -> Mapping[str, int]:
    """Fingerprint -> how many of it are known; a DataError names the line where the file is no baseline."""
    import json

    try:
        data = json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise DataError(f"not JSON: {error}", where=f"{where}:{line}") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise DataError(f"not a baseline of schema {SCHEMA}", where=where, next_step="write it anew: --write-baseline")
    known: Counter[str] = Counter()
    try:
        for row in data["findings"]:
            known[str(row["fingerprint"])] += int(row["count"])
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"a row of the baseline is damaged: {error!r}", where=where) from error
    return known


def new(findings: Iterable[Located], known: Mapping[str, int]) -> tuple[Located, ...]:
    """The findings beyond those known: where a line occurs more often than it did, the last ones are the new ones."""
    left = dict(known)
    fresh = []
    for found in findings:
        if left.get(found.fingerprint, 0):
            left[found.fingerprint] -= 1
        else:
            fresh.append(found)
    return tuple(fresh)

"""Port a text by names alone, as the tests of the lexical tier need it: every port is checked to be stable."""

from __future__ import annotations

from functools import lru_cache

from hipport.config import Config, Launch
from hipport.model import Finding, Safety, SourceFile
from hipport.renames import declared as declared_by
from hipport.renames import find, table
from hipport.source import edits


@lru_cache(maxsize=1)
def rules() -> table.RuleTable:
    return table.load("7.2")


def findings(
    text: str | bytes, path: str = "a.cu", launch: Launch = Launch.KEEP, **options: object
) -> tuple[Finding, ...]:
    data = text.encode() if isinstance(text, str) else text
    source = SourceFile(path, data)
    names = options.pop("declared", None)
    known = declared_by(source) if names is None else names
    return find(source, rules(), Config(launch=launch), known, **options)  # type: ignore[arg-type]


def ported(text: str | bytes, path: str = "a.cu", launch: Launch = Launch.KEEP, **options: object) -> bytes:
    """The text after every edit; a second run over it must change nothing."""
    data = text.encode() if isinstance(text, str) else text
    found = findings(data, path, launch, **options)
    applied = edits.apply(data, found)
    assert not applied.skipped, applied.skipped
    again = edits.apply(applied.result, findings(applied.result, path, launch, **options))
    assert again.result == applied.result
    return applied.result


def body(text: str, path: str = "a.cu", launch: Launch = Launch.KEEP, **options: object) -> str:
    """A text without includes, ported, without the include that the port puts before it."""
    result = ported(text, path, launch, **options).decode()
    return result.removeprefix("#include <hip/hip_runtime.h>\n")


def left(text: str | bytes, path: str = "a.cu", **options: object) -> list[tuple[str, str]]:
    """(rule, safety) of every finding that a person must look at."""
    return [(f.rule, f.safety.value) for f in findings(text, path, **options) if f.safety is not Safety.SAFE]

"""Rules of a repository's own: [[rules]] of hipport.toml, and hipify_torch's custom_hipify_mappings.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hipport import config as settings
from hipport.errors import DataError
from hipport.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from hipport.model import RenameRule

MAPPINGS = "custom_hipify_mappings.json"
FAMILY = "user"
_HEADER = pattern(r".*(?:/|\.(?:h|hh|hpp|cuh|inc)$)")
_TABLE = pattern(r"\s*\[\[\s*(?:tool\.hipport\.)?rules\s*\]\]")


def user_rules(start: Path) -> tuple[RenameRule, ...]:
    """The rules that hold for the file or folder `start`, least important first.

    `priority` (1 if not given) orders rules of one name; the mappings of hipify_torch have 0. All win over hipport's.

    Raises:
        DataError: a file that cannot be read or does not fit the schema; with file and line.
    """
    folder = start if start.is_dir() else start.parent
    found = [(0, rule) for rule in _mapped(folder / MAPPINGS)]
    path = settings.find(start)
    if path is not None:
        found += _configured(path)
    return tuple(rule for _, rule in sorted(found, key=lambda pair: pair[0]))


def _configured(path: Path) -> Iterator[tuple[int, RenameRule]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read: {error}", where=str(path)) from None
    table = settings.parsed(text, path)
    if path.name == "pyproject.toml":
        table = table.get("tool", {}).get("hipport", {})
    rows = table.get("rules", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise DataError("`rules` is a list of tables", where=str(path), next_step="write each as [[rules]]")
    lines = [n for n, line in enumerate(text.splitlines(), 1) if _TABLE.match(line)]
    for number, row in enumerate(rows):
        where = f"{path}:{lines[number]}" if number < len(lines) else str(path)
        yield _priority(row, where), _rule(row, where)


def _priority(row: Mapping[str, Any], where: str) -> int:
    priority = row.get("priority", 1)
    if not isinstance(priority, int) or isinstance(priority, bool):
        raise DataError("`priority` is a whole number", where=where)
    return priority


def _rule(row: Mapping[str, Any], where: str) -> RenameRule:
    fields = {key: value for key, value in row.items() if key != "priority"}
    for key, value in fields.items():
        if not isinstance(value, str):
            raise DataError(f"`{key}` must be text", where=where, next_step=f'write it like {key} = "..."')
    from hipport.renames.rules import make_rule

    return make_rule(fields, {"family": FAMILY, "kind": kind_of(fields.get("cuda", ""))}, where)


def _mapped(path: Path) -> Iterator[RenameRule]:
    """`{"custom_map": {"cuda name": "hip name"}}`."""
    if not path.is_file():
        return
    import json

    from hipport.renames.rules import make_rule

    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read: {error}", where=str(path)) from None
    except json.JSONDecodeError as error:
        raise DataError(f"no valid JSON: {error.msg}", where=f"{path}:{error.lineno}") from None
    names = data.get("custom_map") if isinstance(data, dict) else None
    if not isinstance(names, dict):
        raise DataError("it holds no `custom_map`", where=str(path), next_step='write {"custom_map": {"a": "b"}}')
    for cuda, hip in names.items():
        if not isinstance(hip, str):
            raise DataError(f"`{cuda}` must be text", where=str(path))
        yield make_rule({"cuda": cuda, "hip": hip}, {"family": FAMILY, "kind": kind_of(cuda)}, str(path))


def kind_of(cuda: str) -> str:
    """A header by its look, a name otherwise."""
    return "include" if _HEADER.fullmatch(cuda) else "function"

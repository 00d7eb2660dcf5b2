"""The tables [tool.hipport.check] and [tool.hipport.report] of a configuration file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from hipport import config
from hipport.checking.severity import Severity
from hipport.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Value = TypeVar("Value")


class CheckSettings(NamedTuple):
    """What a repository says about its checks; paths are relative to `folder`, that of the configuration file."""

    weights: Mapping[str, float]
    folder: Path | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Severity = Severity.NOTE
    exclude: tuple[str, ...] = ()
    baseline: str = ""
    path_ignores: tuple[tuple[str, frozenset[str]], ...] = ()


def load(start: Path, weights: Mapping[str, float]) -> CheckSettings:
    """The settings that hold for `start`; `weights` are the defaults, and say which keys exist.

    Raises:
        DataError: an unknown key, or a value that does not fit.
    """
    path = config.find(start)
    if path is None:
        return CheckSettings(weights=weights)
    table = config.parsed(path.read_text(encoding="utf-8"), path)
    if path.name == "pyproject.toml":
        table = table.get("tool", {}).get("hipport", {})
    reader = _Reader(path, _table(table.get("check", {}), path, "check"))
    report = _Reader(path, _table(table.get("report", {}), path, "report"))
    return reader.whole(
        CheckSettings(
            folder=path.parent,
            select=reader.words("select"),
            ignore=reader.words("ignore"),
            severity=reader.severity("severity"),
            exclude=reader.words("exclude"),
            baseline=reader.text("baseline"),
            path_ignores=tuple((p, frozenset(names)) for p, names in reader.lists("per-path-ignores").items()),
            weights=report.whole({**weights, **report.numbers("weights", weights)}),
        )
    )


def _table(value: object, path: Path, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"`{name}` is no table", where=str(path))
    return dict(value)


class _Reader:
    """Takes values out of a table; what is left at the end is unknown."""

    def __init__(self, path: Path, table: dict[str, Any]) -> None:
        self._path = path
        self._table = table

    def words(self, key: str) -> tuple[str, ...]:
        value = self._table.pop(key, [])
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self._wrong(key, "a list of strings")
        return tuple(value)

    def text(self, key: str) -> str:
        value = self._table.pop(key, "")
        if not isinstance(value, str):
            raise self._wrong(key, "a string")
        return value

    def severity(self, key: str) -> Severity:
        value = self._table.pop(key, Severity.NOTE.value)
        try:
            return Severity(value)
        except ValueError:
            raise self._wrong(key, "error, warning or note") from None

    def lists(self, key: str) -> dict[str, tuple[str, ...]]:
        inner = _Reader(self._path, _table(self._table.pop(key, {}), self._path, key))
        return {name: inner.words(name) for name in tuple(inner._table)}

    def numbers(self, key: str, known: Mapping[str, float]) -> dict[str, float]:
        table = _table(self._table.pop(key, {}), self._path, key)
        for name, value in table.items():
            if name not in known or isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
                raise self._wrong(f"{key}.{name}", f"a number of minutes for one of {', '.join(known)}")
        return {name: float(value) for name, value in table.items()}

    def whole(self, value: Value) -> Value:
        """`value`, if nothing is left in the table."""
        for key in self._table:
            raise DataError(f"unknown key `{key}`", where=str(self._path))
        return value

    def _wrong(self, key: str, wanted: str) -> DataError:
        return DataError(f"`{key}` is not {wanted}", where=str(self._path))

"""Reads rules/targets.yaml and holds it against its schema; every complaint names its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from hipport.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

VENDORS = ("amd", "nvidia")
_REQUIRED = ("vendor", "arch", "warp_size", "max_threads_per_block")


class _Reader:
    """Walks yaml nodes so that each complaint can name its line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fail(self, node: Any, what: str) -> NoReturn:
        raise DataError(what, where=f"{self.path}:{node.start_mark.line + 1}")

    def mapping(self, node: Any, what: str) -> dict[str, Any]:
        """Key -> node; a repeated key is an error (yaml would keep the last one in silence)."""
        if node is None or node.id != "mapping":
            self.fail(node, f"{what} must be a mapping")
        found: dict[str, Any] = {}
        for key, value in node.value:
            if key.value in found:
                self.fail(key, f"`{key.value}` is given twice")
            found[key.value] = value
        return found

    def plain(self, node: Any) -> Any:
        """The Python value of a node."""
        if node.id == "scalar":
            return _scalar(node)
        if node.id == "sequence":
            return tuple(self.plain(item) for item in node.value)
        return {key.value: self.plain(value) for key, value in node.value}


def _scalar(node: Any) -> Any:
    kind = node.tag.rsplit(":", 1)[-1]
    if kind == "null":
        return None
    if kind == "bool":
        return node.value.lower() in {"true", "yes", "on"}
    if kind == "int":
        return int(node.value.replace("_", ""), 0)
    if kind == "float":
        return float(node.value)
    return node.value


def read(path: Path) -> dict[str, Any]:
    """The table as JSON-able values.

    Raises:
        DataError: it does not fit its schema; with file and line.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    reader = _Reader(path)
    try:
        with path.open("rb") as stream:
            node = yaml.compose(stream, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}" if mark else str(path)
        raise DataError(f"not valid YAML: {getattr(error, 'problem', error)}", where=place) from error
    if node is None:
        raise DataError("the file is empty", where=f"{path}:1")
    top = reader.mapping(node, "the file")
    for key in ("sources", "targets"):
        if key not in top:
            reader.fail(node, f"`{key}` is missing")
    names = {key: str(value.value) for key, value in reader.mapping(top["sources"], "`sources`").items()}
    tables = reader.mapping(top["targets"], "`targets`")
    return {"targets": [_target(reader, name, table, names) for name, table in tables.items()], "sources": names}


def _target(reader: _Reader, name: str, node: Any, names: Mapping[str, str]) -> list[Any]:
    rows = reader.mapping(node, f"target `{name}`")
    for key in _REQUIRED:
        if key not in rows:
            reader.fail(node, f"target `{name}` has no `{key}`")
    vendor = str(rows["vendor"].value)
    if vendor not in VENDORS:
        reader.fail(rows["vendor"], f"`vendor` of {name} must be one of {', '.join(VENDORS)}")
    facts: list[list[Any]] = []
    for key, value in rows.items():
        if value.id == "scalar":
            continue  # vendor, arch and remarks: names, not numbers
        _facts(reader, key, value, names, facts)
    return [name, vendor, str(rows["arch"].value), node.start_mark.line + 1, facts]


def _facts(reader: _Reader, key: str, node: Any, names: Mapping[str, str], into: list[list[Any]]) -> None:
    rows = reader.mapping(node, f"`{key}`")
    if "value" not in rows:
        for inner, value in rows.items():
            if value.id == "mapping":
                _facts(reader, f"{key}.{inner}", value, names, into)
            elif value.tag.endswith((":int", ":float")):
                reader.fail(value, f"`{key}.{inner}` is a bare number: write {{value, source}}")
        return
    into.append(_fact(reader, key, rows, node, names))


def _fact(reader: _Reader, key: str, rows: Mapping[str, Any], node: Any, names: Mapping[str, str]) -> list[Any]:
    for extra in rows.keys() - {"value", "source", "note", "verified"}:
        reader.fail(rows[extra], f"`{key}` has an unknown field `{extra}`")
    value = reader.plain(rows["value"])
    if "source" not in rows or rows["source"].id != "sequence":
        reader.fail(node, f"`{key}` has no list of sources")
    source = tuple(str(item.value) for item in rows["source"].value)
    for item in rows["source"].value:
        if item.value not in names:
            reader.fail(item, f"`{key}` names the source `{item.value}`, which `sources` does not explain")
    if value is not None and not source:
        reader.fail(node, f"`{key}` has a value and no source")
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value < 0:
        reader.fail(rows["value"], f"`{key}` is negative")
    note = str(rows["note"].value) if "note" in rows else ""
    verified = reader.plain(rows["verified"]) is not False if "verified" in rows else True
    return [key, value, source, node.start_mark.line + 1, note, verified]

"""Which bytes and lines of an input an output came from: what leads a compiler's error back to the user's file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path  # noqa: TC003
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from hipport.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hipport.source.edits import Placed

SCHEMA = 1
MAP_PATH = ".hipport/map.json"

MappedEdit: TypeAlias = tuple[int, int, int, int, int, int]


class MappedFile(NamedTuple):
    """One output: its source (paths relative to the roots), sha256 of both, and the edits between them.

    An edit is (start, end, out_start, out_end, newlines, tail): bytes of the input, bytes of the output, the line ends
    that the replaced bytes had, and how many bytes stood after the last of them.
    """

    source: str
    source_digest: str
    digest: str
    edits: tuple[MappedEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceMap:
    """All outputs of one port by their paths; `digests` of the settings that made them."""

    files: Mapping[str, MappedFile] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)


class Origin(NamedTuple):
    """A place in an input: lines and columns count from 1, columns in bytes. `exact` is false inside an edit."""

    path: str
    line: int
    column: int
    exact: bool


def mapped_edits(data: bytes, placed: Sequence[Placed]) -> tuple[MappedEdit, ...]:
    """The edits of one file in the form that the map keeps."""
    return tuple(
        (p.start, p.end, p.out_start, p.out_end, data.count(b"\n", p.start, p.end), _tail(data, p)) for p in placed
    )


def _tail(data: bytes, placed: Placed) -> int:
    newline = data.rfind(b"\n", placed.start, placed.end)
    return placed.end - (newline + 1 if newline >= 0 else placed.start)


def origin(mapped: MappedFile, output: bytes, line: int, column: int = 1) -> Origin:
    """Where byte `column` of `line` of the output `output` came from; inside an edit: where the edit begins."""
    starts = _line_starts(output)
    line = min(max(line, 1), len(starts))
    offset = min(starts[line - 1] + column - 1, len(output))
    at = 0  # where the current stretch of unchanged bytes begins in the output
    source_line = source_column = 1
    for _, _, out_start, out_end, newlines, tail in mapped.edits:
        if offset < out_start:
            break
        source_line, source_column = _forward(output, at, out_start, source_line, source_column)
        if offset < out_end:
            return Origin(mapped.source, source_line, source_column, exact=False)
        source_line += newlines
        source_column = tail + 1 if newlines else source_column + tail
        at = out_end
    return Origin(mapped.source, *_forward(output, at, offset, source_line, source_column), exact=True)


def _forward(output: bytes, at: int, end: int, line: int, column: int) -> tuple[int, int]:
    """Line and column after the unchanged bytes `at` to `end`."""
    newline = output.rfind(b"\n", at, end)
    if newline < 0:
        return line, column + end - at
    return line + output.count(b"\n", at, end), end - newline


def _line_starts(data: bytes) -> list[int]:
    starts = [0]
    at = data.find(b"\n")
    while at >= 0:
        starts.append(at + 1)
        at = data.find(b"\n", at + 1)
    return starts


def load(folder: Path) -> SourceMap:
    """The map of the port in `folder`; an empty one where there is none.

    Raises:
        DataError: the map is damaged or of another version.
    """
    path = folder / MAP_PATH
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return SourceMap()
    try:
        raw = json.loads(text)
        if raw["schema"] != SCHEMA:
            raise DataError(f"map of version {raw['schema']}, this hipport reads {SCHEMA}", where=str(path))
        files = {
            name: MappedFile(e["source"], e["source_digest"], e["digest"], tuple(tuple(x) for x in e["edits"]))
            for name, e in raw["files"].items()
        }
        return SourceMap(files, raw["links"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(
            f"the map is damaged ({error})", where=str(path), next_step="port into an empty folder"
        ) from None


def dump(source_map: SourceMap) -> bytes:
    """The map as JSON: equal maps give equal bytes, one file a line."""
    rows = [
        f"  {json.dumps(name)}: "
        + json.dumps(
            {"source": f.source, "source_digest": f.source_digest, "digest": f.digest, "edits": f.edits},
            separators=(",", ":"),
        )
        for name, f in sorted(source_map.files.items())
    ]
    links = json.dumps(dict(sorted(source_map.links.items())))
    head = f'{{"schema": {SCHEMA},\n "links": {links},\n "files": {{\n'
    return (head + ",\n".join(rows) + "\n}}\n").encode()

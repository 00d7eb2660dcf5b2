"""Who includes whom: what an `#include` means in this tree, and what must follow when a source changes its name."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from hipport.model import Finding, Safety, Span, Status
from hipport.patterns import pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from hipport.model import SourceFile

_INCLUDE = pattern(rb'#[ \t]*(?:include|include_next|import)[ \t]*("[^"\r\n]+"|<[^>\r\n]+>)')


def _directives(data: bytes) -> Iterator[re.Match[bytes]]:
    """Every include directive; what stands before it on its line is white space."""
    for match in _INCLUDE.finditer(data):
        before = data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()]
        if not before.rpartition(b"\r")[2].strip(b" \t\xef\xbb\xbf"):
            yield match


def spellings(data: bytes) -> tuple[str, ...]:
    """The operands of every include directive, quotes and angles kept, each once."""
    found = dict.fromkeys(match.group(1) for match in _directives(data))
    return tuple(spelling.decode("utf-8", "surrogateescape") for spelling in found)


class Index:
    """The paths of a tree by their last part."""

    def __init__(self, paths: Iterable[str], system: Collection[bytes] = ()) -> None:
        self._paths: set[str] = set()
        self._by_name: dict[str, list[str]] = {}
        self._system = system
        for path in paths:
            self._paths.add(path)
            self._by_name.setdefault(path.rsplit("/", 1)[-1], []).append(path)

    def resolve(self, includer: str, spelling: str) -> str | None:
        """The file of the tree that an include operand means; None for a header from elsewhere.

        A header that CUDA ships is the tree's own only where a quoted operand finds it beside the includer.
        """
        operand = spelling[1:-1].replace("\\", "/")
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(includer), operand))
        if spelling[0] == '"' and beside in self._paths:
            return beside
        if operand.encode("utf-8", "surrogateescape") in self._system:
            return None
        tail = posixpath.normpath(operand)
        while tail.startswith("../"):
            tail = tail[3:]
        found = [p for p in self._by_name.get(tail.rsplit("/", 1)[-1], ()) if p == tail or p.endswith("/" + tail)]
        if not found:
            return None
        return min(found, key=lambda path: (-_common(path, includer), path.count("/"), path))


def _common(path: str, other: str) -> int:
    """How many folders two paths share from the top."""
    shared = 0
    for one, two in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if one != two:
            break
        shared += 1
    return shared


def respelled(spelling: str, renamed_name: str) -> str:
    """An include operand whose file got another name in the same folder: only the last part changes."""
    operand = spelling[1:-1]
    cut = max(operand.rfind("/"), operand.rfind("\\")) + 1
    return spelling[0] + operand[:cut] + renamed_name + spelling[-1]


def not_ported(source: SourceFile, foreign: Mapping[str, str]) -> tuple[Finding, ...]:
    """A finding for every include whose operand is in `foreign` (operand -> why that file is not ported)."""
    if not foreign:
        return ()
    findings = []
    for match in _directives(source.data):
        why = foreign.get(match.group(1).decode("utf-8", "surrogateescape"))
        if why is not None:
            findings.append(
                Finding(
                    rule="include-not-ported",
                    span=Span(source.path, *match.span(1)),
                    message=f"{match.group(1).decode('utf-8', 'replace')} holds CUDA and {why}",
                    safety=Safety.MANUAL,
                    status=Status.MANUAL,
                    family="include",
                    next_step="port it too: --vendored, or that project's own HIP version",
                )
            )
    return tuple(findings)

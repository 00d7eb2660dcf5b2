"""A first look at all code of a tree, over processes, and the plan that it gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hipport.porting import includes
from hipport.porting.pipeline import CUDA_WORDS
from hipport.porting.plan import Graph, Plan, make_plan
from hipport.porting.pool import mapped
from hipport.source import discover
from hipport.source.filetypes import is_code, is_header

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.config import Config
    from hipport.model import SourceFile
    from hipport.renames.table import RuleTable
    from hipport.source.discover import Tree

# What a file says that handles HIP itself: including it unported is no fault.
HIP_WORDS = (b"USE_ROCM", b"__HIP", b"hip_runtime")


class Scan(NamedTuple):
    """What a first look at one code file tells: its sha256 if asked for, include operands, the names it declares."""

    path: str
    digest: str = ""
    includes: tuple[str, ...] = ()
    declared: frozenset[bytes] = frozenset()
    cuda: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class Scanning:
    """A first look at code files, given by their paths; `declaring` asks each for its names, else headers alone."""

    root: Path
    digests: bool
    declaring: bool = False

    def __call__(self, paths: list[str]) -> list[Scan]:
        """One Scan a path."""
        return [self._scan(path) for path in paths]

    def _scan(self, path: str) -> Scan:
        try:
            source = discover.read(self.root, path)
        except OSError as error:
            return Scan(path, error=f"cannot be read: {error.strerror or error}")
        data = source.data
        cuda = any(word in data for word in CUDA_WORDS) and not any(word in data for word in HIP_WORDS)
        digest = source.digest if self.digests else ""
        return Scan(path, digest, includes.spellings(data), self._declared(source), cuda)

    def _declared(self, source: SourceFile) -> frozenset[bytes]:
        if not self.declaring and not is_header(source.path):
            return frozenset()
        from hipport.porting import vendor
        from hipport.renames import declared

        return frozenset() if vendor.is_header(source.path) else declared(source)


def scanned_plan(
    tree: Tree, config: Config, table: RuleTable, *, rename: bool = True, beside: bool = False, digests: bool = False
) -> Plan:
    """The plan of a tree, after a first look at all of its code, vendored code too; `digests` asks for their sha256."""
    code = [entry for entry in (*tree.entries, *tree.context) if is_code(entry.path)]
    found = mapped(Scanning(tree.root, digests), [e.path for e in code], [e.size for e in code], config.jobs)
    graph = Graph(tree, {scan.path: scan for scan in found}, table)
    sources = [path for path in graph.included() if path in graph.scans and not is_header(path)]
    graph.scans.update((scan.path, scan) for scan in Scanning(tree.root, digests, declaring=True)(sources))
    return make_plan(tree, graph, config, rename=rename, beside=beside)

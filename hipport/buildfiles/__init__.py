"""Build files: which files they are, and what a port says about and does to each kind.

A build file's edits are final text in either style: `--style dual` keeps the CUDA path and adds a HIP path in the
file's own language, so the renderer of C++ sources has nothing to add. Readers are imported when a file needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.buildfiles.kinds import BuildKind, kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipport.config import Config
    from hipport.model import Finding, SourceFile

__all__ = ["BuildKind", "find", "is_buildfile", "kind_of"]


def is_buildfile(path: str) -> bool:
    """Whether a file of that name is read by `find` (Python files too: they may build or gate on CUDA)."""
    return kind_of(path) is not BuildKind.NONE


def find(source: SourceFile, config: Config, renamed: Mapping[str, str]) -> tuple[Finding, ...]:
    """What there is to say about a build file, in the order of its text.

    `renamed` maps each ported source's path to its path in the port, both relative to the root (`a/k.cu` -> `a/k.hip`).
    """
    from hipport.buildfiles.dispatch import reader

    read = reader(kind_of(source.path))
    findings = read(source, config, renamed) if read else ()
    return tuple(sorted(findings, key=lambda f: (f.span.start, f.span.end)))

"""Findings that need to see the device code: the rewrites, on a file and those that share kernels with it."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from hipport.frontend import compiledb, unit, units
from hipport.frontend.closure import Mode
from hipport.model import Purpose, Status
from hipport.porting import kin, shims
from hipport.rewrites import forms, rule
from hipport.targets import targets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from hipport.config import Config
    from hipport.model import Finding, SourceFile
    from hipport.targets import Target


def find(source: SourceFile, config: Config, root: Path | None, paths: Iterable[str]) -> tuple[Finding, ...]:
    """The findings of the rewrites on one file; `paths` are of those that include it or that it includes."""
    if not unit.wanted(source.data):
        return ()
    files = [source, *kin.read(root, paths)]
    commands = _commands(root)
    files += _named(root, commands.get(source.path, ()), {file.path for file in files})
    found = units.read(files, Mode(config.warp.value), commands=commands, system_headers=config.system_headers)
    if source.path not in found:
        return ()
    one = found[source.path]
    return (*rule.find(one, _targets(config.targets)), *_older(one, config))


def _older(one: unit.Unit, config: Config) -> Iterator[Finding]:
    """What a ROCm version lacks that newer ones have: its shim is needed though the call stays."""
    if not shims.needed("syncwarp", config.rocm) or one.native:
        return
    for site in one.sites:
        if site.name == "__syncwarp":
            yield forms.finding(
                one,
                "syncwarp-mask",
                (site.start, site.start + len(site.name)),
                f"`__syncwarp` is not in ROCm {config.rocm}: a shim declares it",
                status=Status.SHIMMED,
                shims=("syncwarp",),
            )


def _named(root: Path | None, words: Iterable[str], known: set[str]) -> list[SourceFile]:
    """The files that the command line of a source includes by name."""
    names = [word.removeprefix("-include") for word in words if word.startswith("-include")]
    return kin.read(root, (name for name in names if name not in known))


@functools.cache
def _commands(root: Path | None) -> dict[str, tuple[str, ...]]:
    return compiledb.read(root) if root is not None else {}


@functools.cache
def _targets(names: tuple[str, ...]) -> tuple[Target, ...]:
    return targets(names)


def merged(lexical: Iterable[Finding], semantic: tuple[Finding, ...]) -> list[Finding]:
    """Both kinds together: what a rewrite covers is not also said, or edited, by a lexical finding."""
    covered = sorted((e.span.start, e.span.end) for f in semantic for e in f.edits if e.span.start < e.span.end)
    places = sorted({(f.span.start, f.span.end) for f in semantic})
    kept = [
        f
        for f in lexical
        if not (not f.edits and any(a <= f.span.start and f.span.end <= b for a, b in places))
        and not any(a < f.span.end and f.span.start < b for a, b in covered)
        and not any(a < e.span.end and e.span.start < b for e in f.edits for a, b in covered)
    ]
    return [*kept, *semantic]


def with_shims(source: SourceFile, found: list[Finding], config: Config, *, shared: bool = False) -> list[Finding]:
    """The findings, and one more that brings the shims which their edits rely on (`shared`: as the port's headers)."""
    relied = (f for f in found if f.purpose is Purpose.CORRECTNESS or config.optimize)  # as pipeline.applicable
    added = shims.supplied(source.data, source.path, relied, config.rocm, shared=shared)
    return [*found, *(f._replace(targets=()) for f in added)]

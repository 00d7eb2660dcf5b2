"""One file through all finders, the edits, the renderer and the guard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from hipport.config import Stage, Style
from hipport.model import (
    Basis,
    FilePort,
    Finding,
    Outcome,
    OutcomeKind,
    Purpose,
    Safety,
    SkippedFinding,
    SourceFile,
    Span,
    Status,
)
from hipport.porting import includes, references, render
from hipport.porting.build_facts import BuildFacts
from hipport.source import edits, guard
from hipport.source.filetypes import is_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from hipport.config import Config
    from hipport.renames.table import RuleTable
    from hipport.source.edits import Applied

NOT_STABLE = "a second pass would change its result again: report it"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
Finder: TypeAlias = "Callable[[SourceFile], tuple[Finding, ...]]"
# What makes a file with zero bytes worth a word; without one of these it is a file like any other.
CUDA_WORDS = (b"cuda", b"__global__", b"__device__")
# What makes code worth the closer look of the rewrites.
DEVICE_WORDS = (
    b"__global__",
    b"__device__",
    b"__shfl",
    b"__ballot",
    b"__syncwarp",
    b"arpSize",
    b"arp_size",
    b"WARP_SIZE",
    b"<<<",
    b"cooperative_groups",
)
_NONE: Mapping[str, str] = {}


class Surroundings(NamedTuple):
    """What the rest of the tree says about one file.

    `declared`: names that the headers it reaches declare. `local`: include operands (quotes and angles kept) that are
    files of the tree -> their operand in the port. `foreign`: operands of files with CUDA in them that are not ported
    -> why. `about`: findings on the file as a whole. `kin`: paths of the files that it includes or that include it.
    `included`: another file includes it.
    """

    declared: frozenset[bytes] = frozenset()
    local: Mapping[str, str] = _NONE
    foreign: Mapping[str, str] = _NONE
    about: tuple[Finding, ...] = ()
    kin: tuple[str, ...] = ()
    included: bool = False


class Port(NamedTuple):
    """What every file of one port is read with: the settings, the rules, the tree's renamed paths and its root.

    `build`: what the tree's build files tell. `shared`: the port has a folder for its shims, which files include.
    """

    config: Config
    table: RuleTable
    renamed: Mapping[str, str]
    root: Path | None = None
    build: BuildFacts = BuildFacts()
    shared: bool = False


def finders(path: str, port: Port, around: Surroundings) -> Iterator[Finder]:
    """The finders of one file, in the order of their stages. A new kind of finding is one line here."""
    config, only = port.config, port.config.only
    if is_code(path):
        if Stage.RENAME in only:
            yield lambda source: renames_of(source, port, around)
        yield lambda source: includes.not_ported(source, around.foreign)
        if port.build.unset:
            yield lambda source: own_branches(source, port, around)
        return
    if Stage.RENAME in only and path.endswith((".py", ".pyi")):  # kernels in strings
        yield lambda source: renames_of(source, port, around)
    if Stage.BUILD in only:
        from hipport import buildfiles

        yield lambda source: buildfiles.find(source, config, port.renamed)
        if references.wanted(path):
            yield lambda source: references.find(source, port.renamed)


def own_branches(source: SourceFile, port: Port, around: Surroundings) -> tuple[Finding, ...]:
    """The author's AMD branches that no build chooses."""
    from hipport.porting import kin, own_branch

    return tuple(own_branch.find(source, port.build.unset, lambda: kin.read(port.root, around.kin)))


def renames_of(source: SourceFile, port: Port, around: Surroundings) -> tuple[Finding, ...]:
    """The lexical findings on a file, as for HIP sources."""
    from hipport.renames import find as find_renames

    local = {old[1:-1]: new[1:-1] for old, new in around.local.items()}
    return find_renames(source, port.table, port.config, around.declared, local, implicit_include=not around.included)


def find(source: SourceFile, port: Port, around: Surroundings) -> tuple[Finding, ...]:
    """Every finding on one file that the settings select."""
    found = [finding for finder in finders(source.path, port, around) for finding in finder(source)]
    if Stage.REWRITE in port.config.only and is_code(source.path):
        found = _seen(source, port, around, found)
    if is_code(source.path):
        found = _in_style(source, port, found)
    return tuple(finding for finding in found if selected(finding, port.config))


def _in_style(source: SourceFile, port: Port, found: list[Finding]) -> list[Finding]:
    """The findings on code as the style writes them."""
    if port.config.style is Style.DUAL:
        from hipport.porting import torch_mark, vendor

        misread = torch_mark.misread(source) if port.build.torch else ()
        return [*vendor.find(source, found), *misread]
    if port.build.torch:
        from hipport.porting import torch_mark

        return torch_mark.find(source, found)
    return found


def _seen(source: SourceFile, port: Port, around: Surroundings, lexical: list[Finding]) -> list[Finding]:
    """The findings, with those of the rewrites in place of what they cover."""
    if not any(word in source.data for word in DEVICE_WORDS):
        return lexical
    from hipport.porting import semantic

    rewritten = semantic.find(source, port.config, port.root, around.kin)
    chosen = tuple(finding for finding in rewritten if selected(finding, port.config))
    merged: list[Finding] = semantic.merged(lexical, chosen)
    if Stage.SHIM in port.config.only:
        merged = semantic.with_shims(source, merged, port.config, shared=port.shared)
    return merged


def selected(finding: Finding, config: Config) -> bool:
    """Whether the settings ask for a finding: its rule or family, its targets, its purpose."""
    names = {finding.rule, finding.family}
    if names & set(config.ignore) or (config.select and not names & set(config.select)):
        return False
    return not finding.targets or bool(set(finding.targets) & set(config.targets))


def applicable(finding: Finding, config: Config) -> bool:
    """Whether a port applies a finding's edits."""
    return bool(finding.edits) and (finding.purpose is Purpose.CORRECTNESS or config.optimize)


def port_file(source: SourceFile, port: Port, around: Surroundings) -> tuple[FilePort, Applied]:
    """One file ported; its bytes are in `FilePort.result`, where they came from in `Applied.placed`."""
    target = port.renamed.get(source.path, source.path)
    problem = unreadable(source)
    if problem is not None:
        return _left_alone(source, target, problem)
    found = all_found = find(source, port, around)
    barred: frozenset[str] = frozenset()
    while True:
        done = _applied(source, found, port.config)
        fault, rules = _fault(source, done, _without(port, barred), around)
        if not fault:
            break
        if not rules - barred:
            return _left_alone(source, target, _unparsed(source, f"the port was not kept: {fault}"), failed=True)
        barred |= rules
        found = find(source, _without(port, barred), around)
    again = tuple(SkippedFinding(f, NOT_STABLE) for f in all_found if f.rule in barred and applicable(f, port.config))
    rest = tuple(f for f in (*around.about, *found) if not applicable(f, port.config))
    changed = done.result != source.data or target != source.path
    outcome = Outcome(OutcomeKind.PORTED if changed else OutcomeKind.UNCHANGED)
    return FilePort(source, target, done.result, (*rest, *done.applied), (*done.skipped, *again), outcome), done


def _applied(source: SourceFile, found: tuple[Finding, ...], config: Config) -> Applied:
    write = render.renderer(config.style if is_code(source.path) else Style.HIP)
    return edits.apply(source.data, (f for f in found if applicable(f, config)), write)


def _without(port: Port, rules: frozenset[str]) -> Port:
    """The port with these rules ignored."""
    if not rules:
        return port
    return port._replace(config=replace(port.config, ignore=(*port.config.ignore, *sorted(rules))))


def unreadable(source: SourceFile) -> Finding | None:
    """Why a file is no text that can be read, if it is not and may hold CUDA."""
    if source.data.startswith(UTF16):
        return _unparsed(source, "UTF-16 text is not read", "convert it to UTF-8")
    at = source.data.find(b"\0")
    if at < 0 or not any(word in source.data for word in CUDA_WORDS):
        return None
    line = source.data.count(b"\n", 0, at) + 1
    return _unparsed(source, f"holds a NUL byte in line {line}: not text", "remove it, or rename the file", at)


def _unparsed(source: SourceFile, message: str, next_step: str = "", at: int = 0) -> Finding:
    return Finding(
        rule="unparsed-file",
        span=Span(source.path, at, at),
        message=message,
        safety=Safety.MANUAL,
        status=Status.UNPARSED,
        family="files",
        next_step=next_step or "port this file by hand, and report it",
    )


def _left_alone(source: SourceFile, target: str, why: Finding, *, failed: bool = False) -> tuple[FilePort, Applied]:
    """The file as it is, with the reason."""
    kind = OutcomeKind.FAILED if failed else OutcomeKind.SKIPPED
    nothing = edits.Applied(source.data, (), (), ())
    return FilePort(source, target, source.data, (why,), (), Outcome(kind, why.message)), nothing


def _fault(source: SourceFile, done: Applied, port: Port, around: Surroundings) -> tuple[str, frozenset[str]]:
    """What is wrong with a result, by design.md's guard, and which rules do it where that is known."""
    nobody: frozenset[str] = frozenset()
    if not done.placed:
        return "", nobody
    if not guard.untouched(source.data, done.result, done.placed):
        return "bytes outside of the edits changed", nobody
    dual = port.config.style is Style.DUAL and is_code(source.path)
    read = edits.apply(source.data, done.applied) if dual else done  # a `{` of a line that stands twice has one partner
    fault = guard.new_fault(source.path, source.data, read.result, read.placed, code=is_code(source.path))
    if fault or dual:
        return fault, nobody
    again = SourceFile(source.path, done.result)
    local = {new: new for new in around.local.values()}
    second = find(again, port, Surroundings(around.declared, local, around.foreign, (), around.kin, around.included))
    expected = {skipped.finding.rule for skipped in done.skipped}
    edits_again = [f for f in second if applicable(f, port.config) and f.rule not in expected]
    if not edits_again:
        return "", nobody
    first = edits_again[0]
    said = f"a second pass would change it again (`{first.rule}`: {first.message})"
    rewrites = frozenset(finding.rule for finding in edits_again if finding.basis is Basis.AST)
    return said, rewrites or frozenset(finding.rule for finding in edits_again)

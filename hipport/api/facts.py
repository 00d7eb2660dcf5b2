"""What is known without porting: targets, names, rules, shims, closures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from hipport.config import WarpMode
    from hipport.porting.shims import Shim
    from hipport.renames.explain import Explanation
    from hipport.targets import Target


def targets(names: str = "") -> tuple[Target, ...]:
    """The GPUs of that list, or all that are known.

    Raises:
        UsageError: a name that is not known.
    """
    from hipport import targets as table

    return table.targets(names) if names else tuple(table.load().values())


def target_sources() -> Mapping[str, str]:
    """What each source key of the targets' facts stands for."""
    from hipport import targets as table

    return table.sources()


def rule_pages(rules: Iterable[str]) -> dict[str, str]:
    """Rule id -> the page of those that have one: the docstring of the rule's package."""
    from importlib import import_module
    from importlib.util import find_spec

    names = {rule: f"hipport.rewrites.{rule.replace('-', '_')}" for rule in rules}
    return {
        rule: import_module(name).__doc__ or ""
        for rule, name in names.items()
        if name.rpartition(".")[2].isidentifier() and find_spec("hipport.rewrites") and find_spec(name)
    }


def explain(name: str, rocm: str = "7.2", folder: Path | None = None) -> Explanation:
    """What is known of a CUDA name, a header, a HIP name or a rule id in a ROCm version.

    Args:
        name: as it is written in source.
        rocm: the version that is ported to.
        folder: whose own rules count too.

    Raises:
        UsageError: `rocm` is no version.
        DataError: a rule of the folder's own is wrong.
    """
    from dataclasses import replace

    from hipport.renames import explain as renames
    from hipport.renames.user import user_rules

    if name.startswith("-"):
        return _explained_option(name, rocm)
    found = renames.explain(name, rocm, user_rules(folder) if folder else ())
    return replace(found, shims=tuple(shim.name for shim in shims() if found.name in shim.replaces))


def _explained_option(name: str, rocm: str) -> Explanation:
    """What an option of nvcc becomes for clang and hipcc, in the form of a rename."""
    from hipport.buildfiles import flags
    from hipport.model import RenameRule, Safety
    from hipport.renames.explain import Explanation

    answer = flags.explain(name)
    if answer is None:
        return Explanation(name, rocm, "unknown")
    status = "mapped" if answer.becomes or answer.safety is not Safety.MANUAL else "unsupported"
    note = answer.note or ("" if answer.becomes else "nothing is needed: the option is dropped")
    rule = RenameRule(name, answer.becomes, "option", "build", status=status, safety=answer.safety, note=note)
    return Explanation(name, rocm, "rename", (rule,))


def shims() -> tuple[Shim, ...]:
    """Every shim."""
    from hipport.porting import shims as found

    return tuple(found.shim(name) for name in found.names())


def shim_header(name: str, target: str = "") -> str:
    """A shim as a header that stands alone; a template is filled for these targets.

    Raises:
        UsageError: there is no such shim, or no such target.
    """
    from hipport.porting import shims as found

    widths = sorted({one.warp_size for one in targets(target)})
    return found.header(name, {"widths": widths} if found.shim(name).parameters or found.shim(name).requires else None)


def write_shim(name: str, output: Path, target: str = "", *, force: bool = False) -> None:
    """Write a shim's header to `output`."""
    from hipport.source import workspace

    workspace.write_file(output, shim_header(name, target).encode(), force=force)


def closures(
    file: Path, kernel: str = "", warp: WarpMode | None = None, *, system_headers: bool = False
) -> list[dict[str, Any]]:
    """The kernel closures of one file and the headers around it, as plain data (schema in docs/closure.md).

    Raises:
        UntestedError: `system_headers` are asked for, and none are installed.
    """
    from hipport.frontend import compiledb, describe, units
    from hipport.frontend.closure import Mode
    from hipport.model import SourceFile
    from hipport.source.filetypes import is_code

    headers_there(asked=system_headers)
    root = file.resolve().parent
    near = (p for p in sorted(root.rglob("*")) if p.is_file() and is_code(p.name) and p != file.resolve())
    paths = [file.resolve(), *(p for p in near if p.stat().st_size < 1 << 20)][:400]
    sources = [(p.relative_to(root).as_posix(), p.read_bytes()) for p in paths]
    files = [SourceFile(name, data) for name, data in sources]
    mode = Mode(warp.value if warp else "subwarp")
    commands = compiledb.read(root)
    found = units.read(units.around(files, file.name), mode, commands=commands, system_headers=system_headers)
    return list(describe.closures(found, file.name, kernel))


def headers_there(*, asked: bool) -> None:
    """Say at once where the system's headers are asked for and missing, not for each file."""
    if asked:
        from hipport.frontend import system

        system.folders()


class CacheKind(NamedTuple):
    """A part of the cache: how many entries it has, and their bytes."""

    name: str
    entries: int
    size: int


class CacheAnswer(NamedTuple):
    """The cache folder, its parts, and the bytes that were removed."""

    folder: Path
    kinds: tuple[CacheKind, ...]
    removed: int = 0


def cache() -> CacheAnswer:
    """What hipport keeps between runs."""
    from hipport import cachedir

    folder = cachedir.root()
    sums: dict[str, list[int]] = {}
    for entry in cachedir.entries(folder):
        sums.setdefault(entry.kind, []).append(entry.size)
    return CacheAnswer(folder, tuple(CacheKind(name, len(found), sum(found)) for name, found in sorted(sums.items())))


def prune_cache(days: float) -> CacheAnswer:
    """Remove from the cache what was not used for `days`; what is left."""
    from hipport import cachedir

    gone = cachedir.prune(cachedir.root(), days)
    return cache()._replace(removed=sum(entry.size for entry in gone))

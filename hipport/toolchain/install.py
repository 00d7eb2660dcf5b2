"""Makes the private prefix: one at a time, resumable, and all or nothing."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from hipport.errors import HipportError, UntestedError, UsageError
from hipport.toolchain import debianroute, pypiroute
from hipport.toolchain.clanghip import bitcode_under
from hipport.toolchain.places import FORMAT, MANIFEST, Prefix, locked, read_prefix
from hipport.toolchain.recipe import lacking, load_recipe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from hipport.toolchain.pypiroute import Wheel


class Route(str, Enum):
    """Where a prefix comes from."""

    DEBIAN = "debian"
    PYPI = "pypi"


def route_named(name: str | None) -> Route | None:
    """The route of that name; None for None.

    Raises:
        UsageError: no such route.
    """
    if name is None:
        return None
    try:
        return Route(name)
    except ValueError:
        raise UsageError(f"unknown route `{name}`", next_step="--from debian or --from pypi") from None


@dataclass(frozen=True, slots=True)
class Installed:
    """A prefix that is ready, with what was said on the way; `fresh` is False where it was there already."""

    prefix: Prefix
    warnings: tuple[str, ...]
    fresh: bool


def install(
    folder: Path, route: Route | None = None, *, again: bool = False, say: Callable[[str], None] = lambda _: None
) -> Installed:
    """Make the prefix `folder`; nothing outside it changes.

    Args:
        folder: the prefix; its downloads stay in `cache/` and are used again.
        route: debian or pypi; None takes Debian's archive on Debian and PyPI elsewhere.
        again: make it anew although it is there.
        say: told of each step.

    Raises:
        UntestedError: neither route works here; says why for each.
    """
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / ".lock", lambda: say(f"another installation in {folder} is at work: waiting for it")):
        there = read_prefix(folder)
        if there and not again and route in {None, Route(there.route)}:
            return Installed(there, (), fresh=False)
        warnings: list[str] = []
        reasons: list[str] = []
        for chosen in (route,) if route else tuple(Route):
            try:
                _make(folder, chosen, say, warnings.append)
            except UntestedError as error:
                reasons.append(f"{chosen.value}: {error.what}")
                if error.next_step and not route:
                    say(f"{chosen.value}: {error.what}")
                continue
            made = read_prefix(folder)
            if made is None:
                raise HipportError("the prefix was made and cannot be read", where=str(folder / MANIFEST))
            return Installed(made, tuple(warnings), fresh=True)
        raise UntestedError(
            f"no toolchain can be installed here ({'; '.join(reasons)})",
            next_step="install ROCm and set ROCM_PATH, or run on Debian 12 or later with network access",
        )


def _make(folder: Path, route: Route, say: Callable[[str], None], warn: Callable[[str], None]) -> None:
    if route is Route.DEBIAN:
        _from_debian(folder, say, warn)
        return
    _from_pypi(folder, say, warn)


def _from_pypi(folder: Path, say: Callable[[str], None], warn: Callable[[str], None]) -> None:
    recipe = load_recipe()
    wheels = pypiroute.fetch(folder / "cache", recipe, say, warn)
    say(f"unpacking {len(wheels)} wheels")
    with _fresh_root(folder) as root:
        pypiroute.unpack(wheels, root)
        pypiroute.finish(root)
        rocm = root / "rocm"
        manifest = {
            "route": Route.PYPI.value,
            "rocm": "root/rocm",
            "bitcode": _inside(bitcode_under(rocm), root),
            **_zig(root),
            "lacks": lacking(recipe, rocm / "include"),
            "packages": [{"name": wheel.package.name, "version": wheel.version} for wheel in wheels],
        }
    _write_manifest(folder, manifest)


def _from_debian(folder: Path, say: Callable[[str], None], warn: Callable[[str], None]) -> None:
    reason = debianroute.why_not()
    if reason:
        raise UntestedError(reason, next_step="--from pypi")
    recipe = load_recipe()
    files = debianroute.fetch(folder / "cache", recipe, say, warn)
    wheels: tuple[Wheel, ...] = ()
    if not files.major:
        say(f"this machine's suites have no clang {recipe.oldest_clang} or later: taking zig's")
        wheels = pypiroute.fetch(folder / "cache", recipe, say, warn, compiler_only=True)
    say(f"unpacking {len(files.fetched) + len(wheels)} packages")
    with _fresh_root(folder) as root:
        debianroute.unpack(files, root)
        pypiroute.unpack(wheels, root)
        usr, host = root / "rocm" / "usr", root / "host"
        bitcode = bitcode_under(usr)
        llvm = host / "usr" / "lib" / f"llvm-{files.major}"
        libraries = [llvm / "lib", *host.glob("usr/lib/*-linux-gnu*"), *host.glob("lib/*-linux-gnu*")]
        manifest = {
            "route": Route.DEBIAN.value,
            "rocm": _inside(usr, root),
            "bitcode": _inside(bitcode, root),
            "clang": _inside(llvm / "bin" / "clang++", root) if files.major else None,
            **_zig(root),
            "libraries": [_inside(path, root) for path in libraries if path.is_dir()],
            "sysroot": "root/host" if files.host_headers else None,
            "lacks": [*lacking(recipe, usr / "include"), *files.lacks],
            "packages": [
                *({"name": item.name, "version": item.version} for item in files.fetched),
                *({"name": wheel.package.name, "version": wheel.version} for wheel in wheels),
            ],
        }
    _write_manifest(folder, manifest)


def _zig(root: Path) -> dict[str, str | None]:
    """Zig and clang's headers, where they were unpacked and are not those of the running Python."""
    return {
        "zig": "root/zig/zig" if (root / "zig" / "zig").is_file() else None,
        "builtin_headers": "root/resource" if (root / "resource").is_dir() else None,
    }


@contextmanager
def _fresh_root(folder: Path) -> Iterator[Path]:
    """A new `root`, put in the old one's place when the block ends well."""
    new = folder / "root.new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    yield new
    (folder / MANIFEST).unlink(missing_ok=True)
    root = folder / "root"
    old = folder / "root.old"
    shutil.rmtree(old, ignore_errors=True)
    if root.exists():
        root.rename(old)
    new.rename(root)
    shutil.rmtree(old, ignore_errors=True)


def _inside(path: Path | None, root: Path) -> str | None:
    return f"root/{path.relative_to(root)}" if path else None


def _write_manifest(folder: Path, value: dict[str, Any]) -> None:
    partial = folder / f"{MANIFEST}.partial"
    partial.write_text(json.dumps({"format": FORMAT, **value}, indent=1) + "\n", encoding="utf-8")
    os.replace(partial, folder / MANIFEST)  # noqa: PTH105

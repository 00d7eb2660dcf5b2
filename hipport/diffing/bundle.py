"""Bundles: the ported sources, drivers, arguments and one script, for the owner of an AMD GPU who has no hipport.

The script needs Python and hipcc; it writes a recording, which `hipport diff` compares with one of the original.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import math
import os
import shutil
import tarfile
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.device.gpu import driver_text, write_arguments
from hipport.diffing.cases import Case, CaseKind, Point, Role, digest_of, files_of
from hipport.diffing.inputs import storage_of
from hipport.diffing.kernel import KernelSubject, capped, launch_of, takes_turns
from hipport.diffing.owners import Owners
from hipport.diffing.record import quick_points
from hipport.diffing.wrapper import device_code, include_options
from hipport.errors import HipportError
from hipport.resources import data_dir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.diffing.inputs import Inputs, Slot
    from hipport.diffing.verify import Ported

SCHEMA = "hipport.bundle/1"
_EPOCH = 315532800  # of the members: the same content gives the same bundle


@dataclass(frozen=True, slots=True)
class Packed:
    """A written bundle: its digest, its cases and those that were left out, with the reason."""

    path: Path
    digest: str
    cases: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]


def pack(cases: Sequence[Case], ported: Ported, out: Path, *, quick: bool = False) -> Packed:
    """Write the bundle `out` (.tar.gz).

    Raises:
        HipportError: it cannot be written, or a case has no port.
    """
    from hipport import __version__

    name = out.name.removesuffix(".gz").removesuffix(".tar").removesuffix(".tgz")
    with tempfile.TemporaryDirectory(prefix="hipport-") as text:
        top = Path(text) / name
        top.mkdir()
        rows, left = [], []
        for case in cases:
            if case.kind is CaseKind.TORCH:
                left.append((case.name, "a torch case needs PyTorch for ROCm: run `hipport record` there"))
                continue
            rows.append(
                _program(case, ported, top)
                if case.kind is CaseKind.PROGRAM
                else _kernel(case, ported, top, quick=quick)
            )
        digest = digest_of(top)
        manifest = {"schema": SCHEMA, "hipport": __version__, "bundle": digest, "cases": rows}
        (top / "manifest.json").write_text(json.dumps(manifest, indent=1, sort_keys=True), encoding="utf-8")
        (top / "run.py").write_text((data_dir("templates") / "bundle_run.py").read_text("utf-8"), encoding="utf-8")
        _write(top, out)
    return Packed(out, digest, tuple(row["name"] for row in rows), tuple(left))


def _write(top: Path, out: Path) -> None:
    data = io.BytesIO()
    with gzip.GzipFile(fileobj=data, mode="wb", mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w") as packed:
        for path in sorted(top.rglob("*")):
            if not path.is_file():
                continue
            member = packed.gettarinfo(str(path), f"{top.name}/{path.relative_to(top).as_posix()}")
            member.mtime, member.uid, member.gid, member.uname, member.gname = _EPOCH, 0, 0, "", ""
            with path.open("rb") as stream:
                packed.addfile(member, stream)
    try:
        out.write_bytes(data.getvalue())
    except OSError as error:
        raise HipportError(f"it cannot be written: {error.strerror}", where=str(out)) from None


def _common(case: Case, source: str, contract: dict[str, Any]) -> dict[str, Any]:
    rules = {"ignore": list(case.ignore), "rtol": case.rtol, "files": list(case.files)}
    return {
        "name": case.name,
        "kind": case.kind.value,
        "contract": contract,
        "source": source,
        "floor": 0.0,
        "rules": rules if case.kind is CaseKind.PROGRAM else {},
        "options": list(case.options),
    }


def _copied(folder: Path, top: Path, name: str) -> Path:
    """A folder's files in the bundle, once."""
    place = top / name
    for path in files_of(folder) if not place.exists() else ():
        target = place / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return place


def _kernel(case: Case, ported: Ported, top: Path, *, quick: bool) -> dict[str, Any]:
    source = case.folder / case.port if case.port else ported.source_of(case)
    inner = case.port or ported.names.get(case.source, case.source)
    folder = case.folder if case.port else ported.folder
    if case.kernels_only:
        cut = device_code(source, folder)
        root = Path(str(cut)[: -len(inner) - 1])
        place = _copied(root, top, "device")
        for path in place.rglob("*"):  # the places of this machine say nothing elsewhere
            if path.is_file():
                path.write_bytes(path.read_bytes().replace(f'#line 1 "{folder.resolve()}/'.encode(), b'#line 1 "'))
    else:
        place = _copied(folder, top, "port")
    driver = top / "drivers" / f"{case.name}.hip"
    driver.parent.mkdir(exist_ok=True)
    relative = f"../{place.name}/{inner}"
    driver.write_text(driver_text("hip", relative, case.kernel + case.instantiate), encoding="utf-8")
    subject, turns = KernelSubject(case), takes_turns(case, source)
    points = quick_points(case) if quick else subject.points()
    contract = asdict(subject.contract(subject.made(points[0])))
    contract["grade"] = case.contract.grade.value
    include = [os.path.relpath(word[2:], top) for word in include_options(place)]
    return {
        **_common(case, hashlib.sha256(source.read_bytes()).hexdigest(), contract),
        "unordered": sorted(subject.unordered),
        "driver": f"drivers/{case.name}.hip",
        "include": [place.name, *include],
        "points": [_point(case, subject.made(p), top, at, turns=turns) for at, p in enumerate(points)],
    }


def _point(case: Case, inputs: Inputs, top: Path, at: int, *, turns: bool) -> dict[str, Any]:
    grid, block, shared = launch_of(case, inputs)
    path = top / "arguments" / f"{case.name}-{at}.bin"
    path.parent.mkdir(exist_ok=True)
    values = [s.value if s.base is None else s.base[s.start :] for s in inputs.slots]
    ranges = write_arguments(path, [grid[0], *values] if turns else values)
    arrays = [slot for slot in inputs.slots if slot.base is not None]
    threads = Owners(math.prod(grid), math.prod(block))
    rows = [_slot(slot, span, threads) for slot, span in zip(arrays, ranges, strict=True)]
    point: Point = inputs.point
    return {
        "sizes": dict(point.sizes),
        "family": point.family,
        "layout": point.layout,
        "seed": point.seed,
        "inputs": inputs.digest,
        "arguments": path.relative_to(top).as_posix(),
        "grid": [*(capped(grid) if turns else grid), 1, 1][:3],
        "block": [*block, 1, 1][:3],
        "shared": shared,
        "slots": rows,
    }


def _slot(slot: Slot, span: tuple[int, int, int], threads: Owners) -> dict[str, Any]:
    arg = slot.arg
    owners = {"blocks": threads.blocks, "threads": threads.threads, "map": arg.map}
    view = {"dtype": arg.dtype, "start": 0, "shape": list(slot.shape), "strides": list(slot.strides)}
    fixed = {"owners": owners, "sentinel": arg.role is Role.OUT}
    fields = storage_of(arg.dtype).names
    if not fields:
        entries = {arg.name: {"dtype": arg.dtype, "view": view, **fixed}}
    else:
        kinds = dict(part.strip().split(":") for part in arg.dtype.split(","))
        entries = {f"{arg.name}.{n}": {"dtype": kinds[n], "view": {**view, "field": n}, **fixed} for n in fields}
    return {"name": arg.name, "role": arg.role.value, "offset": span[0], "size": span[1], "entries": entries}


def _program(case: Case, ported: Ported, top: Path) -> dict[str, Any]:
    place = _copied(ported.source_of(case), top, "program")
    contract = {**asdict(case.contract), "grade": case.contract.grade.value}
    words = hashlib.sha256("\0".join(case.program).encode()).hexdigest()
    label = " ".join(case.program) or "program"
    point = {"sizes": {}, "family": label, "layout": "contiguous", "seed": 1, "inputs": words}
    return {
        **_common(case, digest_of(ported.source_of(case)), contract),
        "unordered": [],
        "folder": place.name,
        "make": list(case.make),
        "args": list(case.program),
        "points": [point],
    }


def run_here(folder: str, device: str, out: str) -> int:
    """What the bundle's script does on a device that needs hipport; its exit code."""
    from hipport.diffing.bundlerun import recorded
    from hipport.diffing.recording import write

    done = recorded(Path(folder), device)
    write(done, Path(out))
    problems = [row for case in done.cases for row in case.points if row.problem]
    return 0 if not problems else 5 if all(row.untested for row in problems) else 3

"""Runs an unpacked bundle on a device of hipport's own: what its script does by hipcc on an AMD GPU."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

from hipport.device import device as named
from hipport.device.executor import FaultError, InconclusiveError
from hipport.device.program.anywhere import ProgramOutput, run_on
from hipport.diffing.cases import CaseKind, Point
from hipport.diffing.record import header
from hipport.diffing.recording import Recorded, RecordedCase, Recording, case_of
from hipport.diffing.recording import outputs_of as read_outputs
from hipport.errors import DataError, HipportError, UntestedError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hipport.device.executor import Kernel

_ARRAY, _INTEGER, _FLOAT, _BYTES, _NULL = range(5)  # tags of gpu.write_arguments


def recorded(folder: Path, device: str) -> Recording:
    """The recording of every case.

    Raises:
        DataError: the folder is no bundle.
    """
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"it is no bundle: {error}", where=str(folder)) from None
    rows = [
        _program(c, folder, device) if c["kind"] == CaseKind.PROGRAM.value else _kernel(c, folder, device)
        for c in manifest["cases"]
    ]
    return Recording(device, {**header(device), "bundle": manifest["bundle"]}, tuple(rows))


def _kernel(case: Mapping[str, Any], folder: Path, device: str) -> RecordedCase:
    text = (folder / case["driver"]).read_text(encoding="utf-8")
    source = text.split('#define main hipport_original_main\n#include "', 1)[1].partition('"')[0]
    wanted = text.split("// Launches `", 1)[1].partition("`")[0]
    points: list[Recorded] = []
    try:
        kernel = _built(folder / "drivers" / source, wanted, device, [str(folder / place) for place in case["include"]])
    except HipportError as error:
        lost = isinstance(error, UntestedError)
        points = [Recorded(_point(row), row["inputs"], None, error.what, lost) for row in case["points"]]
        return case_of(case, tuple(points))
    points = [_launched(case, at, row, folder, kernel) for at, row in enumerate(case["points"])]
    return case_of(case, tuple(points))


def _built(source: Path, wanted: str, device: str, places: list[str]) -> Kernel:
    """The kernel, by the same wrapper that a case's own run uses."""
    import tempfile
    from pathlib import Path as Place

    plain, _, rest = wanted.partition("<")
    options = [f"-I{place}" for place in places]
    executor = named(device)
    if not rest or not device.startswith("isa:"):
        return executor.build(source.resolve(), options=options)[wanted if rest else plain.rpartition("::")[2]]
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        path = Place(scratch) / "instance.hip"
        path.write_text(f'#include "{source.resolve()}"\nvoid* hipport_instance() {{ return (void*)&{wanted}; }}\n')
        return executor.build(path, options=options)[plain.rpartition("::")[2]]


def _point(row: Mapping[str, Any]) -> Point:
    return Point(row["sizes"], row["family"], row["layout"], row["seed"])


def _launched(case: Mapping[str, Any], at: int, row: Mapping[str, Any], folder: Path, kernel: Kernel) -> Recorded:
    import numpy as np

    data = (folder / row["arguments"]).read_bytes()
    values = _values(data)
    held = [
        np.frombuffer(bytearray(value), dtype=np.uint8) if isinstance(value, memoryview) else value for value in values
    ]
    point = _point(row)
    try:
        done = kernel(grid=row["grid"], block=row["block"], shared=row["shared"], args=held)
    except FaultError as error:
        lost = isinstance(error, InconclusiveError)
        return Recorded(point, row["inputs"], None, f"{error.fault.kind}: {error.fault.message}", lost)
    arrays = [array for array in held if isinstance(array, np.ndarray)]
    tensors: dict[str, Any] = {}
    entries: dict[str, Any] = {}
    overwritten: list[str] = []
    for slot, array in zip(row["slots"], arrays, strict=True):
        before = data[slot["offset"] : slot["offset"] + slot["size"]]
        if slot["role"] == "in":
            overwritten += [slot["name"]] if array.tobytes() != before else []
            continue
        key = f"{case['name']}/{at}/{slot['name']}"
        tensors[key] = array
        entries |= {f"forward/{name}": {**entry, "key": key} for name, entry in slot["entries"].items()}
    fixed = {"copies": [], "fidelity": done.fidelity.value, "approximate": list(done.approximate)}
    told = {**fixed, "outputs": entries, "overwritten": overwritten, "seconds": [done.seconds, 0.0]}
    return Recorded(point, row["inputs"], read_outputs(told, tensors))


def _values(data: bytes) -> list[Any]:
    """The arguments of a file as gpu.write_arguments writes it; arrays as views of their bytes."""
    (count,) = struct.unpack_from("<Q", data)
    at = 8
    found: list[Any] = []
    for _ in range(count):
        tag, size = struct.unpack_from("<QQ", data, at)
        at += 16
        part = memoryview(data)[at : at + size]
        at += size
        if tag == _ARRAY:
            found.append(part)
        elif tag == _NULL:
            found.append(None)
        elif tag == _BYTES:
            found.append(bytes(part))
        else:
            found.append(struct.unpack("<d" if tag == _FLOAT else "<q", part)[0])
    return found


def _program(case: Mapping[str, Any], folder: Path, device: str) -> RecordedCase:
    import shutil
    import tempfile
    from pathlib import Path as Place

    from hipport.diffing.record import program_outputs

    (row,) = case["points"]
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        copy = Place(scratch) / "parent" / "above" / case["folder"]
        shutil.copytree(folder / case["folder"], copy)
        try:
            got = run_on(device, copy, case["args"], files=case["rules"]["files"], make=case["make"])
        except HipportError as error:
            got = ProgramOutput(0, "", problem=error.what, untested=isinstance(error, UntestedError))
    one = Recorded(_point(row), row["inputs"], program_outputs(got), got.problem, got.untested)
    return case_of(case, (one,))

"""A recording: one device's outputs of a case file, in one safetensors file with a JSON header."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hipport.diffing.cases import Point
from hipport.diffing.contract import Contract
from hipport.diffing.formats import Tensor
from hipport.diffing.owners import Owners
from hipport.diffing.sides import Outputs
from hipport.errors import DataError, HipportError, UntestedError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SCHEMA = "hipport.recording/1"
_KEY = "hipport"  # of the header among the file's metadata


@dataclass(frozen=True, slots=True, eq=False)
class Recorded:
    """One point of one case. `problem` says why there are no outputs."""

    point: Point
    inputs: str
    outputs: Outputs | None = None
    problem: str = ""
    untested: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RecordedCase:
    """One case: what is needed to compare it where its case file is not."""

    name: str
    kind: str
    contract: Contract
    source: str
    points: tuple[Recorded, ...]
    floor: float = 0.0
    unordered: tuple[str, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)  # of a program: ignore, rtol, files


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """`device` is where it ran; `header` holds the rest: compiler, flags, host, hipport's version, digests."""

    device: str
    header: Mapping[str, Any]
    cases: tuple[RecordedCase, ...]


def write(recording: Recording, path: Path) -> None:
    """Write it.

    Raises:
        HipportError: the file cannot be written.
        UntestedError: the safetensors package is not here.
    """
    save, _ = _library()
    tensors: dict[str, Any] = {}
    rows = [_case_row(case, tensors) for case in recording.cases]
    header = {**recording.header, "schema": SCHEMA, "device": recording.device, "cases": rows}
    try:
        save(tensors, str(path), metadata={_KEY: json.dumps(header, sort_keys=True)})
    except OSError as error:
        raise HipportError(f"it cannot be written: {error.strerror or error}", where=str(path)) from None


def _library() -> tuple[Any, Any]:
    try:
        from safetensors import safe_open
        from safetensors.numpy import save_file
    except ImportError:
        step = "pip install hipport[verify]"
        raise UntestedError("recordings need the package safetensors, which is not here", next_step=step) from None
    return save_file, safe_open


def _case_row(case: RecordedCase, tensors: dict[str, Any]) -> dict[str, Any]:
    contract = asdict(case.contract)
    contract["grade"] = case.contract.grade.value
    points = [_point_row(f"{case.name}/{at}", one, tensors) for at, one in enumerate(case.points)]
    return {
        "name": case.name,
        "kind": case.kind,
        "contract": contract,
        "source": case.source,
        "floor": case.floor,
        "unordered": list(case.unordered),
        "rules": dict(case.rules),
        "points": points,
    }


def _point_row(key: str, one: Recorded, tensors: dict[str, Any]) -> dict[str, Any]:
    import numpy as np

    row: dict[str, Any] = {**_point(one.point), "inputs": one.inputs, "problem": one.problem, "untested": one.untested}
    if one.outputs is None:
        return row
    row["outputs"] = {}
    for direction in ("forward", "backward"):
        for name, tensor in getattr(one.outputs, direction).items():
            place = f"{key}/{direction}/{name}"
            tensors[place] = np.ascontiguousarray(tensor.data)
            entry: dict[str, Any] = {"key": place, "dtype": tensor.dtype}
            owner = one.outputs.owners.get(name)
            if owner is not None:
                entry["owners"] = asdict(owner)
            mask = one.outputs.unwritten.get(name)
            if mask is not None and mask.any():
                tensors[f"{place}/unwritten"] = mask
            row["outputs"][f"{direction}/{name}"] = entry
    row |= {"overwritten": list(one.outputs.overwritten), "copies": [list(pair) for pair in one.outputs.copies]}
    row |= {"seconds": list(one.outputs.seconds), "fidelity": one.outputs.fidelity}
    row["approximate"] = list(one.outputs.approximate)
    return row


def _point(point: Point) -> dict[str, Any]:
    return {"sizes": dict(point.sizes), "family": point.family, "layout": point.layout, "seed": point.seed}


def read(path: Path) -> Recording:
    """The recording of a file.

    Raises:
        DataError: it is none, or of another version.
    """
    _, safe_open = _library()
    from safetensors import SafetensorError

    try:
        with safe_open(str(path), framework="numpy") as stored:
            text = (stored.metadata() or {}).get(_KEY, "")
            tensors = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118 - no mapping
    except (OSError, SafetensorError) as error:
        raise DataError(f"it is no recording: {error}", where=str(path)) from None
    try:
        header = json.loads(text)
        if header["schema"] != SCHEMA:
            raise DataError(f"it is a recording of `{header['schema']}`, not {SCHEMA}", where=str(path))
        cases = tuple(_read_case(row, tensors) for row in header["cases"])
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"its header is damaged: {error!r}", where=str(path)) from None
    return Recording(header["device"], {k: v for k, v in header.items() if k not in {"cases", "device"}}, cases)


def _read_case(row: Mapping[str, Any], tensors: Mapping[str, Any]) -> RecordedCase:
    return case_of(row, tuple(_read_point(one, tensors) for one in row["points"]))


def case_of(row: Mapping[str, Any], points: tuple[Recorded, ...]) -> RecordedCase:
    """A case as its plain data says, with these points."""
    from hipport.diffing.contract import Grade

    contract = Contract(**{**row["contract"], "grade": Grade(row["contract"]["grade"])})
    return RecordedCase(
        row["name"], row["kind"], contract, row["source"], points, row["floor"], tuple(row["unordered"]), row["rules"]
    )


def _read_point(row: Mapping[str, Any], tensors: Mapping[str, Any]) -> Recorded:
    point = Point(row["sizes"], row["family"], row["layout"], row["seed"])
    empty = Recorded(point, row["inputs"], None, row["problem"], row["untested"])
    return replace(empty, outputs=outputs_of(row, tensors)) if "outputs" in row else empty


def outputs_of(row: Mapping[str, Any], tensors: Mapping[str, Any]) -> Outputs:
    """A point's outputs of their plain data and the tensors that it names."""
    sides: dict[str, dict[str, Tensor]] = {"forward": {}, "backward": {}}
    owners: dict[str, Owners] = {}
    unwritten: dict[str, Any] = {}
    for name, entry in row["outputs"].items():
        direction, _, short = name.partition("/")
        found = viewed(tensors[entry["key"]], entry)
        sides[direction][short] = found
        if "owners" in entry:
            owners[short] = Owners(**entry["owners"])
        if f"{entry['key']}/unwritten" in tensors:
            unwritten[short] = tensors[f"{entry['key']}/unwritten"].astype(bool).reshape(-1)
        elif entry.get("sentinel"):
            unwritten |= _still_blank(short, found, entry)
    return Outputs(
        sides["forward"],
        sides["backward"],
        unwritten,
        tuple(row["overwritten"]),
        tuple((a, b) for a, b in row["copies"]),
        owners,
        (row["seconds"][0], row["seconds"][1]),
        row["fidelity"],
        tuple(row["approximate"]),
    )


def viewed(stored: Any, entry: Mapping[str, Any]) -> Tensor:
    """The tensor of an entry: as it is, or out of an allocation's raw bytes (written where there is no numpy)."""
    import numpy as np

    from hipport.diffing.inputs import storage_of

    view = entry.get("view")
    if view is None:
        return Tensor.of(stored, entry["dtype"])
    base = np.frombuffer(stored.tobytes(), dtype=storage_of(view["dtype"]))
    size = base.dtype.itemsize
    shape = tuple(view["shape"])
    part = np.lib.stride_tricks.as_strided(base[view["start"] :], shape, [size * step for step in view["strides"]])
    part = part[view["field"]] if view.get("field") else part
    return Tensor.of(np.ascontiguousarray(part) if math.prod(shape) else part.copy(), entry["dtype"])


def _still_blank(name: str, found: Tensor, entry: Mapping[str, Any]) -> dict[str, Any]:
    from hipport.diffing.inputs import blank_bits

    view = entry["view"]
    return {name: found.bits() == blank_bits(view["dtype"], view.get("field", ""), entry["dtype"])}

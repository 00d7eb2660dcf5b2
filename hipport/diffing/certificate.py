"""A certificate of one case on one pair of devices: what was compared, by digests, and what came of it."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from hipport.device.described import described
from hipport.diffing.cases import digest_of
from hipport.diffing.verdict import Kind

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.diffing.cases import Case
    from hipport.diffing.judge import Judged
    from hipport.diffing.sides import Outputs

SCHEMA = "hipport.certificate/1"


def certificate(case: Case, port: Path, one: Judged) -> dict[str, Any]:
    """The certificate. `port` is the ported source, or the folder of a ported program."""
    from hipport import __version__

    source = case.folder / case.source
    verdicts = {d: one.verdict(d).kind.value for d in one.directions}
    return {
        "schema": SCHEMA,
        "hipport": __version__,
        "made": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "case": case.name,
        "kernel": case.kernel + case.instantiate,
        "verdict": one.kind.value,
        "directions": verdicts,
        "contract": one.contract,
        "floor": one.floor,
        "source": {"path": case.source, "sha256": _digest(source), "folder": digest_of(case.folder)},
        "port": {"path": port.name, "sha256": _digest(port)},
        "original": {"device": one.original, **described(one.original)},
        "device": {"device": one.port, **described(one.port)},
        "evidence": evidence(one),
        "points": [_point(row) for row in one.results],
    }


def evidence(one: Judged) -> dict[str, bool]:
    """How far the port was shown to work: compiled, executed to its end, compared."""
    kinds = {row.verdict.kind for row in one.results}
    ran = any(row.got is not None or row.verdict.margins or row.verdict.differences for row in one.results)
    return {
        "compiled": ran or Kind.DIFFERS in kinds,
        "executed": ran,
        "compared": bool(kinds & {Kind.SAME, Kind.DIFFERS}),
    }


def _digest(path: Path) -> str:
    return digest_of(path) if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest()


def _point(row: Any) -> dict[str, Any]:
    told = {"point": row.point.label, "direction": row.direction, "gate": row.gate, "verdict": row.verdict.kind.value}
    if row.inputs:
        told["inputs"] = row.inputs
    for name, side in (("original", row.want), ("port", row.got)):
        if side is not None:
            told[name] = outputs_digest(side, row.direction)
    return told


def outputs_digest(side: Outputs, direction: str) -> str:
    """Of the outputs of one direction, by name, format and bits."""
    total = hashlib.sha256()
    for name, tensor in sorted(getattr(side, direction).items()):
        total.update(f"{name}\0{tensor.dtype}\0{tensor.shape}\0".encode())
        total.update(tensor.data.tobytes())
    return total.hexdigest()


def written(folder: Path, rows: list[tuple[Case, Path, Judged]]) -> list[Path]:
    """Write one file a case and device below `folder`; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for case, port, one in rows:
        place = folder / f"{case.name}.{one.port.replace(':', '-').replace('@', '-at-')}.json"
        place.write_text(json.dumps(certificate(case, port, one), indent=2) + "\n", encoding="utf-8")
        paths.append(place)
    return paths

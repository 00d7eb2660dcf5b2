"""How a launch ended, from the executor's own numbers: nothing, or the exception that says why."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

from hipport.device.executor import Fault, FaultError, InconclusiveError, RefusedError
from hipport.device.isa import abi
from hipport.device.signature import short_name


def raise_fault(code: int, row: dict[str, Any], printed: str = "") -> None:
    """Raise what a launch's outcome stands for; nothing if it is a success."""
    kind = abi.FaultKind(code)
    if kind is abi.FaultKind.OK:
        return
    fault = fault_of(kind, row)
    if kind is abi.FaultKind.REFUSED:
        raise RefusedError(fault, printed=printed)
    raise (InconclusiveError if kind.inconclusive else FaultError)(fault, printed=printed)


_ASSERTED = re.compile(r"(?:assertion failed: )?(.+?):(\d+): ")


def fault_of(kind: abi.FaultKind, row: dict[str, Any]) -> Fault:
    """A fault as the executor wrote it -> the value. Both JSON spellings of the address are read."""
    address = row["address"]
    # of inlined code the text knows the place, the line table the header
    said = _ASSERTED.match(row["message"]) if kind is abi.FaultKind.ASSERT else None
    file, line = (said[1], int(said[2])) if said else (row["file"], row["line"])
    message = row["message"][said.end() :] if said else row["message"]
    with contextlib.suppress(ValueError):
        file = str(Path(file).relative_to(Path.cwd())) if file else ""
    return Fault(
        kind=kind.name.lower(),
        message=message,
        kernel=short_name(row["kernel"]),
        file=file,
        line=line,
        column=row["column"],
        block=tuple(row["block"]),
        thread=tuple(row["thread"]),
        wave=row["wave"],
        lane=row["lane"],
        address=int(address, 0) if isinstance(address, str) else address,
        opcode=row["opcode"],
        hip_error=row["hip_error"],
    )

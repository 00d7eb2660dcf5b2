"""The process in which one kernel runs: `python -m hipport.device.child REQUEST RESULT`.

Maps the arguments' file, loads the module, launches, writes the result. It imports nothing heavy, and whatever happens
to it happens to no one else.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.device.isa import abi

if TYPE_CHECKING:
    from collections.abc import Sequence


def _allocations(request: dict[str, Any], base: int) -> tuple[Any, list[Any]]:
    """The allocation table, and what must stay alive as long as it."""
    blocks = request["blocks"]
    table = (abi.Allocation * len(blocks))()
    kept: list[Any] = []
    for row, block in zip(table, blocks, strict=True):
        row.base = base + block["offset"]
        row.size = block["size"]
        row.name = block["name"].encode()
        row.writable = int(block["writable"])
        if block["undefined"]:
            shadow = ctypes.create_string_buffer(b"\x01" * block["size"], block["size"])
            kept.append(shadow)
            row.shadow = ctypes.addressof(shadow)
    return table, kept


def _launch(request: dict[str, Any], base: int) -> dict[str, Any]:
    library, header = abi.load(request["module"])
    kernarg = bytearray.fromhex(request["kernarg"])
    for offset, block, inner in request["pointers"]:
        address = base + request["blocks"][block]["offset"] + inner
        kernarg[offset : offset + 8] = address.to_bytes(8, "little")
    table, kept = _allocations(request, base)
    segment = ctypes.create_string_buffer(bytes(kernarg), max(len(kernarg), 1))
    launch = abi.Launch(
        abi=abi.ABI,
        kernel=request["kernel"],
        grid=tuple(request["grid"]),
        block=tuple(request["block"]),
        lds_dynamic=request["shared"],
        lds_limit=request["lds_limit"],
        lds_banks=request["lds_banks"],
        threads=request["threads"],
        order=request["order"],
        seed=request["seed"],
        budget=request["budget"],
        flags=request["flags"],
        kernarg=ctypes.addressof(segment),
        kernarg_bytes=len(kernarg),
        allocation_count=len(table),
        allocations=table,
    )
    fault, counts = abi.Fault(), abi.Counts()
    started = time.monotonic()
    code = library.hipport_launch(ctypes.byref(launch), ctypes.byref(fault), ctypes.byref(counts))
    seconds = time.monotonic() - started
    del kept
    return _result(code, seconds, fault, counts, header)


def plain(value: ctypes.Structure) -> dict[str, Any]:
    """A structure as JSON values; text as text, arrays as lists."""
    found: dict[str, Any] = {}
    for name, *_ in value._fields_:
        field = getattr(value, name)
        if isinstance(field, bytes):
            found[name] = field.decode("utf-8", "replace")
        elif isinstance(field, ctypes.Array):
            found[name] = list(field)
        else:
            found[name] = field
    return found


def _result(
    code: int, seconds: float, fault: abi.Fault, counts: abi.Counts, header: abi.ModuleHeader
) -> dict[str, Any]:
    numbers = plain(counts)
    executed = numbers.pop("approximate")
    names = [header.approximate[i].decode() for i in range(min(header.approximate_count, len(executed))) if executed[i]]
    numbers["instructions"] = dict(zip(abi.CLASSES, numbers["instructions"], strict=True))
    return {
        "code": code,
        "seconds": seconds,
        "profiled": bool(header.profiled),
        "approximate": names,
        "counts": numbers,
        "fault": plain(fault),
    }


def main(words: Sequence[str]) -> int:
    """Run the request of one file, write its result to another."""
    request_path, result_path = words
    request = json.loads(Path(request_path).read_text(encoding="utf-8"))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if request["memory"]:
        resource.setrlimit(resource.RLIMIT_AS, (request["memory"], request["memory"]))
    with mmap.mmap(request["handle"], request["bytes"]) as shared:
        anchor = ctypes.c_char.from_buffer(shared)
        result = _launch(request, ctypes.addressof(anchor))
        del anchor
    Path(result_path).write_text(json.dumps(result), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

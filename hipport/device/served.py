"""`python -m hipport.device.served`: this machine's devices for another one, over standard input and output.

It builds sources that it is sent, in a folder of its own, launches kernels, and sends the arrays back.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from hipport.device import device
from hipport.device.buffers import Undefined
from hipport.device.executor import FaultError, InconclusiveError, Limits, RefusedError
from hipport.device.wire import receive, send
from hipport.errors import HipportError

if TYPE_CHECKING:
    from hipport.device.executor import Module

PROTOCOL = 1


def serve(stream: IO[bytes], answers: IO[bytes]) -> None:
    """Answer messages until the other side is gone."""
    modules: dict[int, Module] = {}
    with tempfile.TemporaryDirectory(prefix="hipport-") as text:
        scratch = Path(text)
        while True:
            try:
                head, blocks = receive(stream)
            except EOFError:
                return
            try:
                send(answers, *_answer(head, blocks, modules, scratch))
            except HipportError as error:
                send(answers, _failure(error, scratch))


def _answer(
    head: dict[str, Any], blocks: list[bytes], modules: dict[int, Module], scratch: Path
) -> tuple[dict[str, Any], list[bytes]]:
    asked = head["ask"]
    if asked == "hello":
        from hipport import __version__
        from hipport.device.described import described

        return {"protocol": PROTOCOL, "hipport": __version__, "described": described(head["device"])}, []
    if asked == "build":
        number = len(modules)
        folder = scratch / str(number)
        for name, data in zip(head["files"], blocks, strict=True):
            path = folder / name
            if not path.resolve().is_relative_to(folder.resolve()):
                raise HipportError(f"`{name}` leads out of the sources' folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        limits = Limits(**head["limits"])
        options = [word.replace(head["root"], str(folder)) for word in head["options"]]
        built = device(head["device"], limits=limits).build(folder / head["source"], options=options)
        modules[number] = built
        return {"module": number, "kernels": list(built.kernels)}, []
    return _launched(head, blocks, modules[head["module"]])


def _launched(head: dict[str, Any], blocks: list[bytes], module: Module) -> tuple[dict[str, Any], list[bytes]]:
    import numpy as np

    args: list[Any] = []
    arrays: list[Any] = []
    for row in head["args"]:
        data = blocks[row["block"]] if "block" in row else b""
        if row["kind"] == "array":
            array = np.frombuffer(bytearray(data), dtype=np.uint8)
            arrays.append(array)
            args.append(Undefined(array) if row["undefined"] else array)
        else:
            args.append(data if row["kind"] == "bytes" else row["value"])
    kernel = module[head["kernel"]]
    done = kernel(
        grid=head["grid"], block=head["block"], shared=head["shared"], cooperative=head["cooperative"], args=args
    )
    return {"launched": {**asdict(done), "fidelity": done.fidelity.value}}, [array.tobytes() for array in arrays]


def _failure(error: HipportError, scratch: Path) -> dict[str, Any]:
    """An error as the other side raises it again; sources are named as they were sent."""
    own = re.compile(re.escape(f"{scratch.resolve()}/") + r"\d+/")
    row: dict[str, Any] = {
        "error": own.sub("", error.what),
        "where": own.sub("", error.where),
        "next": error.next_step,
        "code": int(error.exit_code),
    }
    if isinstance(error, FaultError):
        fault = asdict(error.fault)
        row |= {"fault": {**fault, "file": own.sub("", fault["file"])}, "printed": error.printed}
        row["kind"] = (
            "refused"
            if isinstance(error, RefusedError)
            else "inconclusive"
            if isinstance(error, InconclusiveError)
            else "fault"
        )
    return row


def main() -> None:
    """Serve over the standard streams; what code below prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()

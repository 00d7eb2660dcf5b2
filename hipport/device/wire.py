"""Messages between a machine and the devices of another: a JSON head and byte blocks, each with its length."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

_LENGTH = struct.Struct("<Q")
LARGEST = 4 << 30  # bytes of one block


def send(stream: IO[bytes], head: dict[str, Any], blocks: list[bytes] | None = None) -> None:
    """Write one message."""
    parts = blocks or []
    text = json.dumps({**head, "blocks": [len(part) for part in parts]}).encode()
    stream.write(_LENGTH.pack(len(text)) + text)
    for part in parts:
        stream.write(part)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """Read one message.

    Raises:
        EOFError: the other side is gone.
    """
    head: dict[str, Any] = json.loads(_exactly(stream, _LENGTH.unpack(_exactly(stream, _LENGTH.size))[0]))
    return head, [_exactly(stream, size) for size in head.pop("blocks")]


def _exactly(stream: IO[bytes], size: int) -> bytes:
    if size > LARGEST:
        raise EOFError(f"{size} bytes are no message of this protocol")
    parts, left = [], size
    while left:
        part = stream.read(left)
        if not part:
            raise EOFError
        parts.append(part)
        left -= len(part)
    return b"".join(parts)

"""Arrays in a file that parent and child both map: what the kernel writes comes back, and nothing else is shared."""

from __future__ import annotations

import ctypes
import mmap
import os
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.device.buffers import Range

GAP = 4096  # bytes between blocks: an access past an array's end touches no other array


@dataclass(frozen=True, slots=True)
class Block:
    """One stretch of the file: the union of overlapping arguments."""

    offset: int
    size: int
    address: int  # in the parent
    name: str
    writable: bool
    undefined: bool


def blocks_of(ranges: Sequence[Range]) -> tuple[Block, ...]:
    """The ranges merged where they overlap (an array passed twice is one block), each at its place in the file."""
    merged: list[tuple[int, int, list[Range]]] = []
    for item in sorted((r for r in ranges if r.size), key=lambda r: r.address):
        if merged and item.address < merged[-1][1]:
            start, end, members = merged[-1]
            merged[-1] = (start, max(end, item.address + item.size), [*members, item])
        else:
            merged.append((item.address, item.address + item.size, [item]))
    blocks, offset = [], GAP
    for start, end, members in merged:
        names = " and ".join(dict.fromkeys(member.name for member in members))
        writable = all(member.writable for member in members)
        undefined = all(member.undefined for member in members)
        blocks.append(Block(offset, end - start, start, names, writable, undefined))
        offset += (end - start + GAP - 1) // GAP * GAP + GAP
    return tuple(blocks)


def place(blocks: Sequence[Block], item: Range) -> tuple[int, int] | None:
    """The block that holds a range, and the range's offset in it; None for an empty array."""
    for number, block in enumerate(blocks):
        if item.size and block.address <= item.address < block.address + block.size:
            return number, item.address - block.address
    return None


class SharedFile:
    """The file itself: an unlinked temporary in memory where the system has such a thing."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = tuple(blocks)
        size = max((block.offset + block.size for block in blocks), default=0) + GAP
        self.size = (size + GAP - 1) // GAP * GAP
        if hasattr(os, "memfd_create"):
            self.handle = os.memfd_create("hipport-arguments", 0)
        else:
            self.handle, path = tempfile.mkstemp(prefix="hipport-")
            os.unlink(path)  # noqa: PTH108 - a file with no name any more
        os.ftruncate(self.handle, self.size)
        self._map = mmap.mmap(self.handle, self.size)
        self._base = ctypes.addressof(ctypes.c_char.from_buffer(self._map))

    def fill(self) -> None:
        """Copy every block in."""
        for block in self.blocks:
            ctypes.memmove(self._base + block.offset, block.address, block.size)

    def take_back(self) -> None:
        """Copy every writable block back to the arrays."""
        for block in self.blocks:
            if block.writable:
                ctypes.memmove(block.address, self._base + block.offset, block.size)

    def close(self) -> None:
        """Give the memory back. The map itself goes with its last reference: ctypes holds its address."""
        os.close(self.handle)

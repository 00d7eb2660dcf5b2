"""How many threads a launch can ask for, by the types of its sizes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.rewrites.grid_limit.expression import plain
from hipport.rewrites.grid_limit.size import MOST_THREADS, WIDE, Size

if TYPE_CHECKING:
    from hipport.frontend.launches import Launch
    from hipport.rewrites.grid_limit.sizes import Sizes

# of a grid in y and z, CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"
_OTHER_BLOCKS = 65535
_CAPS = re.compile(r"(?:cap|clamp|limit|bound)_?\w*grid|grid\w*_(?:cap|clamp)", re.IGNORECASE)
_CALL = re.compile(r"(?:static_cast\s*<[^<>]*>\s*\(\s*)?(?P<name>[A-Za-z_][\w:]*)\s*\((?P<given>.*)\)\s*\)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a launch can ask for: its most threads, the size that they follow, and how many there are for each of it.

    `each` is 0 where it is not known. `sized`: the size is one of 64 bits, or a tensor's. `loose`: it is divided by
    what is not known. `beside`: x is capped by itself, so that only y and z follow the size.
    """

    threads: int
    source: str
    each: float
    sized: bool
    loose: bool
    beside: bool = False


@dataclass(frozen=True, slots=True)
class _Dimension:
    """One dimension: `divides` is the dimension of the block that its grid is divided by, -1 for none."""

    index: int
    grid: Size
    divides: int
    count: int

    @property
    def loose(self) -> bool:
        return bool(self.grid.over) and self.divides < 0

    def plainly(self, block: int) -> bool:
        """Whether it is constant, or has a thread for each of what is counted by 32 bits."""
        alone = self.grid.per * (block if self.divides < 0 else 1)
        return not self.grid.source or (self.divides in (-1, self.index) and self.grid.room < WIDE and alone <= 2)


def asked(sizes: Sizes, launch: Launch, grids: tuple[Size, ...], at: int) -> Asked | None:
    """The most threads of a launch by types; None where its grid is held down, constant, or not known.

    `at` is where the names of its sizes are looked up: at the launch, or at the use of the macro that launches.
    """
    pieces = [*sizes.pieces(sizes.text.word(*launch.config[1]), at), "1", "1"][:3]
    blocks = [_block(sizes, launch, piece, index, at) for index, piece in enumerate(pieces)]
    whole = plain(sizes.text.word(*launch.config[1]))
    names = [{plain(piece), f"{whole}.{member}"} for piece, member in zip(pieces, "xyz", strict=True)]
    found: list[_Dimension] = []
    for index, grid in enumerate(grids):
        divides = next((at for at in sorted(range(3), key=lambda at: at != index) if grid.over in names[at]), -1)
        if _held(grid, divides, first=index == 0):
            return _beside(sizes, launch, grids, at) if index == 0 and grid.bounded else None
        if grid.most is not None or divides >= 0:
            found.append(_Dimension(index, grid, divides, grid.whole if divides >= 0 else grid.most or 0))
    followed = [one for one in found if one.grid.source]
    if not followed or (len(followed) > 1 and all(one.plainly(blocks[one.index]) for one in found)):
        return None  # constant, or a thread for each element of a table that is counted by 32-bit numbers
    return _together(found, followed, blocks)


def _beside(sizes: Sizes, launch: Launch, grids: tuple[Size, ...], at: int) -> Asked | None:
    """What a launch can ask for whose x is capped by a helper that is not told about the sizes in y and z."""
    pieces = sizes.pieces(sizes.text.word(*launch.config[0]), at)
    call = _CALL.fullmatch(sizes.text_of(pieces[0], at).strip())
    if call is None or not _CAPS.search(call["name"]):
        return None
    told = set(re.findall(r"[A-Za-z_]\w*", call["given"]))
    others = [(piece, grid) for piece, grid in zip(pieces[1:3], grids[1:3], strict=False) if grid.source]
    names = [grid.names | set(re.findall(r"[A-Za-z_]\w*", piece)) for piece, grid in others]
    if not others or any(told & of for of in names):
        return None
    source = " * ".join(dict.fromkeys(part for _, grid in others for part in grid.source.split(" * ")))
    return Asked(WIDE, source, 0, sized=True, loose=True, beside=True)


def _held(grid: Size, divides: int, *, first: bool) -> bool:
    """Whether a dimension is held down by something, or too little is known of it to judge the launch."""
    open_ = grid.most is None and divides < 0
    if first and (grid.bounded or open_):
        return True
    return grid.most is None and grid.bounded


def _together(found: list[_Dimension], followed: list[_Dimension], blocks: list[int]) -> Asked:
    total, each = 1, 1.0
    for one in found:
        most = _OTHER_BLOCKS * (blocks[one.divides] if one.divides >= 0 else 1)
        total *= one.count if one.index == 0 else min(one.count, most)
        each *= one.grid.per
    for at in {0, 1, 2} - {one.divides for one in found}:
        total *= blocks[at]
        each *= blocks[at]
    source = " * ".join(dict.fromkeys(part for one in followed for part in one.grid.source.split(" * ")))
    sized = any(one.grid.room >= WIDE or "(" in one.grid.source for one in followed)
    loose = any(one.loose for one in found)
    many = loose or len(followed) > 1 or " * " in source
    return Asked(total, source, 0 if many else each, sized, loose)


def _block(sizes: Sizes, launch: Launch, piece: str, index: int, at: int) -> int:
    """The threads of a block in one dimension, at most."""
    known = launch.block[index]
    if known is None:
        known = sizes.of(piece, at).most
    return known if known is not None and known <= MOST_THREADS else MOST_THREADS

"""Work on files over processes: units by bytes, results in order; a small port stays in this process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")

UNIT_BYTES = 1 << 20  # what one process gets at a time
SMALL_BYTES = 4 << 20  # below this, starting processes costs more than it saves


def workers(jobs: int) -> int:
    """How many processes `--jobs` means; 0 is one for each core that this process may use."""
    if jobs > 0:
        return jobs
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # pragma: no cover  (only Linux tells)
        return os.cpu_count() or 1


def units(items: Sequence[Item], sizes: Sequence[int], unit_bytes: int = UNIT_BYTES) -> list[list[Item]]:
    """The items in their order, cut where a unit has enough bytes."""
    cut: list[list[Item]] = []
    room = 0
    for item, size in zip(items, sizes, strict=True):
        if room <= 0:
            cut.append([])
            room = unit_bytes
        cut[-1].append(item)
        room -= max(size, 1)
    return cut


def mapped(
    work: Callable[[list[Item]], list[Result]], items: Sequence[Item], sizes: Sequence[int], jobs: int
) -> Iterator[Result]:
    """`work` over all items, results in the order of the items whatever the number of processes.

    A process that dies takes only its unit with it: the unit is done again, one item in one process each, and
    `work` sees an empty list for the item that kills it.
    """
    cut = units(items, sizes)
    count = min(workers(jobs), len(cut))
    if count <= 1 or sum(sizes) < SMALL_BYTES:
        for unit in cut:
            yield from work(unit)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(count) as executor:
        for results in executor.map(work, cut):
            yield from results

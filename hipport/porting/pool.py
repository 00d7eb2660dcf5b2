"""Work on files over processes: units by bytes, results in order; a small port stays in this process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor

Item = TypeVar("Item")
Result = TypeVar("Result")

UNIT_BYTES = 1 << 20  # what one process gets at a time
SMALL_BYTES = 4 << 20  # below this, starting processes costs more than it saves

# What a worker process does, set once when it starts: sent with every unit, the rules would cost more than the work.
_work: list[Callable[[list[Any]], list[Any]]] = []


def workers(jobs: int) -> int:
    """How many processes `--jobs` means; 0 is one for each core that this process may use."""
    if jobs > 0:
        return jobs
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # pragma: no cover  (only Linux tells)
        return os.cpu_count() or 1


def executor(count: int) -> Callable[[], Executor]:
    """Makes an executor of that many processes, for work that comes up as it goes."""
    from concurrent.futures import ProcessPoolExecutor

    return lambda: ProcessPoolExecutor(count)


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
    work: Callable[[list[Item]], list[Result]],
    items: Sequence[Item],
    sizes: Sequence[int],
    jobs: int,
    lost: Callable[[Item], Result] | None = None,
) -> Iterator[Result]:
    """`work` over all items, results in the order of the items whatever the number of processes.

    A process that dies takes no other file with it: its unit is done again item by item, and `lost` gives the result
    of the item that kills its process (None: the failure is raised).
    """
    cut = units(items, sizes)
    count = min(workers(jobs), len(cut))
    if count <= 1 or sum(sizes) < SMALL_BYTES:
        for unit in cut:
            yield from work(unit)
        return
    from concurrent.futures.process import BrokenProcessPool

    done = 0
    try:
        for results in _pooled(work, cut, count):
            done += 1
            yield from results
    except BrokenProcessPool:
        if lost is None:
            raise
        for unit in cut[done:]:
            yield from _one_by_one(work, unit, lost)


def _pooled(
    work: Callable[[list[Item]], list[Result]], cut: Sequence[list[Item]], count: int
) -> Iterator[list[Result]]:
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(count, initializer=_work.append, initargs=(work,)) as executor:
        yield from executor.map(_do, cut)


def _do(unit: list[Any]) -> list[Any]:
    return _work[-1](unit)


def _one_by_one(
    work: Callable[[list[Item]], list[Result]], unit: list[Item], lost: Callable[[Item], Result]
) -> list[Result]:
    """A unit in a process of its own; if that dies, each of its items in one."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        return next(_pooled(work, [unit], 1))
    except BrokenProcessPool:
        if len(unit) == 1:
            return [lost(unit[0])]
    return [result for item in unit for result in _one_by_one(work, [item], lost)]

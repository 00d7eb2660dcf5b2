"""Which block and lane wrote an element: from the launch and the output's shape, or as the case file says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hipport.diffing.verdict import Spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

LANES = 64
_BLOCKS = 16  # listed at most


@dataclass(frozen=True, slots=True)
class Owners:
    """A launch's blocks and threads of a block, and the map from elements to threads.

    `thread`: element i is of thread i of the grid. `row`: row r is of block r, column c of thread c modulo the block.
    `block`: element i is of block i. `warp`: element i is of the i-th 32 threads. `auto` chooses by the sizes.
    """

    blocks: int
    threads: int
    map: str = "auto"

    def spread(self, wrong: np.ndarray[Any, Any], shape: Sequence[int]) -> Spread:
        """Where the wrong elements (flat, truth values) lie."""
        import numpy as np

        index = np.arange(wrong.size)
        kind = self._kind(shape)
        threads = max(self.threads, 1)
        if kind == "row":
            columns = max(math.prod(shape[1:]), 1)
            block, lane = index // columns, index % columns % threads % LANES
        elif kind == "warp":
            block, lane = index * 32 // threads, index * 32 % threads % LANES
        elif kind == "block":
            block, lane = index, None
        else:
            block, lane = index // threads, index % threads % LANES
        lanes: tuple[tuple[int, int], ...] = ()
        if lane is not None and wrong.any():
            bad = np.bincount(lane[wrong], minlength=LANES)
            every = np.bincount(lane, minlength=LANES)
            lanes = tuple((int(b), int(n)) for b, n in zip(bad, every, strict=True))
        found, counts = np.unique(block[wrong], return_counts=True)
        order = np.argsort(-counts, kind="stable")[:_BLOCKS]
        return Spread(lanes, tuple((int(found[i]), int(counts[i])) for i in order), len(found))

    def _kind(self, shape: Sequence[int]) -> str:
        if self.map != "auto":
            return self.map
        size = math.prod(shape)
        if len(shape) > 1 and shape[0] == self.blocks and size != self.blocks:
            return "row"
        if size == self.blocks and self.threads > 1:
            return "block"
        if size * 32 == self.blocks * self.threads:
            return "warp"
        return "thread"

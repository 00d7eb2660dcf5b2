"""A progress line for work that takes a while, on a terminal alone."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AFTER_SECONDS = 0.5
EVERY_SECONDS = 0.1


@contextlib.contextmanager
def shown(*, quiet: bool) -> Iterator[Callable[[str, int, int], None] | None]:
    """A callback for stage, files done and files in all; None where nobody looks. The line is wiped at the end."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    start = last = time.monotonic()
    wrote = False

    def show(stage: str, done: int, total: int) -> None:
        nonlocal last, wrote
        now = time.monotonic()
        if now - start < AFTER_SECONDS or now - last < EVERY_SECONDS:
            return
        last = now
        wrote = True
        rate = done / (now - start)
        left = f", {(total - done) / rate:.0f} s left" if rate else ""
        sys.stderr.write(f"\r\x1b[K{stage}: {done} of {total} files, {rate:.0f} a second{left}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if wrote:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

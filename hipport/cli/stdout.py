"""Where an answer goes: standard output, or the file that the user named for it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from hipport.errors import HipportError

if TYPE_CHECKING:
    from pathlib import Path


def say(text: str, output: Path | None = None, *, to_stderr: bool = False) -> None:
    """Write `text`; names that are no UTF-8 come out as escapes."""
    if output is not None:
        try:
            output.write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise HipportError(f"the report cannot be written: {error.strerror}", where=str(output)) from None
        return
    stream = sys.stderr if to_stderr else sys.stdout
    stream.write(text)
    stream.flush()

"""Regular expressions that are compiled when they are first used: compiling all of them is a tenth of a hook's time."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile(text, flags)` gives, made at its first use."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


class _Pattern:
    """Stands in for a compiled pattern; after its first use the methods asked for are its own attributes."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)  # kept by the module `re` too, for the next method
        found = self.__dict__[name] = getattr(compiled, name)
        return found

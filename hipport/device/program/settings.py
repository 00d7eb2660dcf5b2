"""What the compiler wrapper is told, in a JSON file that $HIPPORT_HIPCC names."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from hipport.errors import HipportError

VARIABLE = "HIPPORT_HIPCC"


@dataclass(frozen=True, slots=True)
class Settings:
    """`scratch` holds what the build leaves; `cflags` are added to every compilation; `copy` of `original` is built."""

    target: str
    profile: bool
    runtime: str
    scratch: str
    cflags: tuple[str, ...] = ()
    copy: str = ""
    original: str = ""

    def write(self, path: Path) -> None:
        """Write them where the wrapper reads them."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")


def read() -> Settings:
    """The settings of this build.

    Raises:
        HipportError: the wrapper was started by something other than `hipport run --program`.
    """
    path = os.environ.get(VARIABLE)
    if not path:
        raise HipportError(f"{VARIABLE} is not set", next_step="this compiler is for `hipport run --program`")
    row = json.loads(Path(path).read_text(encoding="utf-8"))
    return Settings(**{**row, "cflags": tuple(row["cflags"])})

"""One source of an extension -> one object, from the cache if it is there; what every device's build shares."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.errors import HipportError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from hipport.toolchain.process import Ran

SECONDS = 900.0  # of one compilation


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to compile a source; `only_if` is a pattern of the errors before it, without which it cannot help."""

    words: tuple[str, ...]
    only_if: str = ""


# errors that more of PyTorch's frontend may mend
MISSING = r"torch|\bat::|c10|pybind|\bpy::|PYBIND|TORCH_|AT_|nn::|undeclared identifier|no member named|file not found"


def compiled(source: Path, attempts: Iterable[Attempt], env: Mapping[str, str] | None = None) -> Ran:
    """Try each way until one compiles.

    Raises:
        HipportError: none does; with the first errors of the last.
    """
    from hipport.toolchain.process import run

    ran: Ran | None = None
    for attempt in attempts:
        if ran is not None and attempt.only_if and not re.search(attempt.only_if, " ".join(_errors(ran.output))):
            continue
        ran = run(attempt.words, limit=SECONDS, env=env)
        if ran.ok:
            return ran
    log = ran.output if ran else ""
    errors = _errors(log)[:5]
    raise HipportError("it does not compile: " + ("; ".join(errors) or log.strip()[-600:]), where=str(source))


def _errors(log: str) -> list[str]:
    from hipport.toolchain.diagnostics import diagnostics

    return [f"{d.file}:{d.line}: {d.message}" for d in diagnostics(log) if "error" in d.severity]

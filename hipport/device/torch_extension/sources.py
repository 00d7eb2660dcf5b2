"""One source of an extension -> one object, from the cache if it is there; what every device's build shares."""

from __future__ import annotations

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
    """One way to compile a source; `needs` is why another is tried: a word of the log that says so, or nothing."""

    words: tuple[str, ...]
    only_if: str = ""


def compiled(source: Path, attempts: Iterable[Attempt], env: Mapping[str, str] | None = None) -> Ran:
    """Try each way until one compiles.

    Raises:
        HipportError: none does; with the first errors of the last.
    """
    from hipport.toolchain.diagnostics import diagnostics
    from hipport.toolchain.process import run

    ran: Ran | None = None
    for attempt in attempts:
        if ran is not None and attempt.only_if and attempt.only_if not in ran.output:
            continue
        ran = run(attempt.words, limit=SECONDS, env=env)
        if ran.ok:
            return ran
    log = ran.output if ran else ""
    errors = [f"{d.file}:{d.line}: {d.message}" for d in diagnostics(log) if d.severity in {"error", "fatal error"}][:5]
    raise HipportError("it does not compile: " + ("; ".join(errors) or log.strip()[-600:]), where=str(source))

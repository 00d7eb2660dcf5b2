"""The vendor header of a port: gathered over all of its files, merged with the one that is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.porting import vendor
from hipport.porting.pipeline import find, renames_of
from hipport.resources import data_dir
from hipport.source import discover
from hipport.source.filetypes import is_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from hipport.porting.pipeline import Port
    from hipport.porting.plan import Job


NEEDED = ("", "")  # stands for a file that includes the header, whatever its names


@dataclass(frozen=True, slots=True)
class Naming:
    """The names of files, given as jobs, that the vendor header must explain."""

    root: Path
    port: Port

    def __call__(self, jobs: list[Job]) -> list[frozenset[tuple[str, str]]]:
        """One set a job; a file that cannot be read has none."""
        return [self._names(job) for job in jobs]

    def _names(self, job: Job) -> frozenset[tuple[str, str]]:
        if not is_code(job.path):
            return frozenset()
        try:
            source = discover.read(self.root, job.path)
        except OSError:
            return frozenset()
        found = renames_of(source, self.port, job.around)
        needed = any(f.rule == "vendor-header" for f in find(source, self.port, job.around))
        return vendor.names(source, found) | ({NEEDED} if needed else frozenset())


def text(pairs: Iterable[tuple[str, str]]) -> str:
    """A new header that explains these names."""
    import jinja2

    template = (data_dir("templates") / "vendor.h.j2").read_text(encoding="utf-8")
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)  # noqa: S701 - C, not HTML
    return environment.from_string(template).render(lines=vendor.lines(pairs))


def remade(existing: bytes, sets: Sequence[frozenset[tuple[str, str]]]) -> bytes:
    """The header for the names of all files, over the one that is there (empty: none).

    A file without the marks is not ours and stays.
    """
    fresh = text(set().union(*sets) - {NEEDED})
    if not existing:
        return fresh.encode()
    return vendor.merged(existing.decode("utf-8", "surrogateescape"), fresh).encode("utf-8", "surrogateescape")

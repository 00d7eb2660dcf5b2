"""An SQLite store of batch runs: what is done survives a kill, and runs can be compared and queried.

Tables: `run(id, started, settings, finished)` and `repository(run, name, signature, facts)`, where `facts` is JSON.
Every repository is committed by itself.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from hipport.batch.facts import FileFacts, RepositoryFacts
from hipport.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from types import TracebackType

_VERSION = 1
_TABLES = """
create table if not exists run (id integer primary key, started text not null, settings text not null, finished text);
create table if not exists repository (
  run integer not null references run(id) on delete cascade, name text not null, signature text not null,
  facts text not null, primary key (run, name));
"""


class Store:
    """One store file, open; a context manager."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._db = sqlite3.connect(path, timeout=60, isolation_level=None)
            version = self._db.execute("pragma user_version").fetchone()[0]
            if version not in (0, _VERSION):
                raise DataError(f"a store of version {version}; this hipport reads {_VERSION}", where=str(path))
            self._db.executescript(f"pragma journal_mode=wal; pragma user_version={_VERSION};{_TABLES}")
        except sqlite3.DatabaseError as error:
            raise DataError(f"not a store: {error}", where=str(path), next_step="name another file") from error

    def __enter__(self) -> Store:  # noqa: PYI034 - typing.Self came with Python 3.11
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def begin(self, settings: Mapping[str, Any], *, resume: bool) -> int:
        """The id of a new run; with `resume`, of the newest unfinished one with the same settings, if there is one."""
        text = json.dumps(settings, sort_keys=True)
        if resume:
            query = "select id from run where settings = ? and finished is null order by id desc limit 1"
            with closing(self._db.execute(query, (text,))) as rows:
                found = rows.fetchone()
            if found:
                return int(found[0])
        return self._db.execute("insert into run (started, settings) values (?, ?)", (_now(), text)).lastrowid or 0

    def finish(self, run: int) -> None:
        """Mark the run as whole."""
        self._db.execute("update run set finished = ? where id = ?", (_now(), run))

    def save(self, run: int, signature: str, facts: RepositoryFacts) -> None:
        """Keep one repository's facts; saying it twice keeps the later."""
        row = (run, facts.name, signature, _dump(facts))
        self._db.execute("insert or replace into repository (run, name, signature, facts) values (?, ?, ?, ?)", row)

    def done(self, run: int) -> dict[tuple[str, str], RepositoryFacts]:
        """(name, signature) -> what this run has already found."""
        query = "select name, signature, facts from repository where run = ?"
        with closing(self._db.execute(query, (run,))) as rows:
            return {(name, signature): _load(facts) for name, signature, facts in rows}

    def before(self, run: int) -> dict[str, RepositoryFacts]:
        """Name -> the facts of the newest finished run before this one."""
        query = "select id from run where id < ? and finished is not null order by id desc limit 1"
        with closing(self._db.execute(query, (run,))) as rows:
            found = rows.fetchone()
        return {name: facts for (name, _), facts in self.done(found[0]).items()} if found else {}


def _now() -> str:
    return datetime.now(tz=timezone.utc).isoformat(timespec="seconds")


def _dump(facts: RepositoryFacts) -> str:
    files = [
        [f.path, f.size, [[*key, n] for key, n in f.counts.items()], list(f.records), f.error] for f in facts.files
    ]
    return json.dumps([facts.name, files, facts.error])


def _load(text: str) -> RepositoryFacts:
    name, files, error = json.loads(text)
    return RepositoryFacts(
        name,
        tuple(
            FileFacts(path, size, Counter({tuple(key): n for *key, n in counts}), tuple(records), problem)
            for path, size, counts, records, problem in files
        ),
        error,
    )

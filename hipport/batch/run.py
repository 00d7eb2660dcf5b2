"""A whole batch: repositories to facts over an executor (processes of this machine, or a Dask cluster), facts to rows.

Two kinds of tasks go round: the survey of a repository, which says what its shares are, and a share of its files. When
a process dies, all tasks in flight are lost with it; each is then done again by itself, so that the one which kills its
process is known, and becomes its repository's error.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from hipport import __version__
from hipport.batch import effort, sources, work
from hipport.batch.facts import BatchReport, FileFacts, RepositoryFacts
from hipport.errors import HipportError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Executor, Future

    from hipport.batch.sources import Repository
    from hipport.batch.store import Store
    from hipport.config import Config

_AHEAD = 4  # tasks in flight for each worker: enough to keep it busy, few enough to lose little


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a batch is: repositories done of all, files and bytes read so far."""

    done: int
    total: int
    files: int
    bytes: int


@dataclass(slots=True)
class _Open:
    """A repository that is being worked on."""

    repository: Repository
    context: ExitStack
    signature: str = ""
    left: int = 0
    files: list[FileFacts] = field(default_factory=list)
    error: str = ""


@dataclass(slots=True)
class _Task:
    """Something for a worker to do."""

    owner: _Open
    call: Callable[[], Any]


class Batch:
    """One run over many repositories.

    Args:
        config: what a port would be told.
        executor: makes a `concurrent.futures.Executor`; called again when the one before has broken.
        workers: how many tasks the executor can do at a time.
        store: where finished repositories are kept, and the run's id there; None keeps nothing.
    """

    def __init__(
        self, config: Config, executor: Callable[[], Executor], workers: int, store: tuple[Store, int] | None = None
    ) -> None:
        self._config = config
        self._make = executor
        self._room = workers * _AHEAD
        self._store = store
        self._kept = store[0].done(store[1]) if store else {}
        self._waiting: deque[_Task] = deque()
        self._suspects: deque[_Task] = deque()  # were in flight when a process died: each is done again alone
        self._alone = False
        self._files = self._bytes = 0
        self._results: dict[str, RepositoryFacts] = {}

    def run(
        self, repositories: tuple[Repository, ...], progress: Callable[[Progress], None] | None = None
    ) -> tuple[RepositoryFacts, ...]:
        """The facts of every repository, in their order. What an interrupt finds finished is already in the store."""
        todo = deque(repositories)
        flying: dict[Future[Any], _Task] = {}
        executor = self._make()
        try:
            while todo or flying or self._waiting or self._suspects:
                while todo and len(flying) + len(self._waiting) < self._room:
                    self._open(todo.popleft())
                executor = self._submit(executor, flying)
                for future in wait(flying, return_when=FIRST_COMPLETED).done if flying else ():
                    self._finish(flying.pop(future), future)
                if progress:
                    progress(Progress(len(self._results), len(repositories), self._files, self._bytes))
        finally:
            for future in flying:
                future.cancel()
            executor.shutdown(wait=False)
        return tuple(self._results[repository.source] for repository in repositories)

    def _open(self, repository: Repository) -> None:
        """Take up a repository, unless an earlier part of this run has finished it."""
        context = ExitStack()
        opened = _Open(repository, context)
        try:
            root = context.enter_context(sources.folder(repository))
            opened.signature = work.signature(root)
        except HipportError as error:
            opened.error = str(error)
            self._close(opened)
            return
        known = self._kept.get((repository.name, opened.signature))
        if known is not None:
            context.close()
            self._results[repository.source] = known
            return
        opened.left = 1
        self._waiting.append(_Task(opened, partial(work.survey, root, self._config)))

    def _submit(self, executor: Executor, flying: dict[Future[Any], _Task]) -> Executor:
        """Give out tasks, suspects one by one; a broken executor is replaced."""
        if not flying:
            self._alone = bool(self._suspects)
        queue = self._suspects if self._alone else self._waiting
        room = 1 if self._alone else 0 if self._suspects else self._room
        while queue and len(flying) < room:
            try:
                future = executor.submit(queue[0].call)
            except BrokenExecutor:
                executor.shutdown(wait=False)
                executor = self._make()
                continue
            flying[future] = queue.popleft()
        return executor

    def _finish(self, task: _Task, future: Future[Any]) -> None:
        error = future.exception()
        if isinstance(error, BrokenExecutor) and not self._alone:
            self._suspects.append(task)
            return
        if error is None:
            self._take(task.owner, future.result())
        else:
            died = isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"  # the latter is Dask's
            reason = "the process that read it died" if died else f"{type(error).__name__}: {error}"
            task.owner.error = task.owner.error or f"hipport failed on it: {reason}"
        task.owner.left -= 1
        if not task.owner.left:
            self._close(task.owner)

    def _take(self, owner: _Open, result: work.Survey | tuple[FileFacts, ...]) -> None:
        if not isinstance(result, work.Survey):
            owner.files += result
            return
        owner.error = result.error
        owner.files += result.failed
        owner.left += len(result.shares)
        self._waiting.extend(_Task(owner, partial(work.read, share, self._config)) for share in result.shares)

    def _close(self, owner: _Open) -> None:
        """A repository is done: its facts, in the order of paths, go to the results and to the store."""
        owner.context.close()
        files = sorted(owner.files, key=lambda facts: facts.path.encode("utf-8", "surrogateescape"))
        facts = RepositoryFacts(owner.repository.name, tuple(files), owner.error)
        self._results[owner.repository.source] = facts
        self._files += len(files)
        self._bytes += sum(file.size for file in files)
        if self._store:
            self._store[0].save(self._store[1], owner.signature, facts)


def settings(config: Config, repositories: tuple[Repository, ...]) -> dict[str, Any]:
    """What a run was asked for, as JSON-able values: two runs that agree in it may share results."""
    return {
        "version": __version__,
        "targets": list(config.targets),
        "rocm": config.rocm,
        "torch": config.torch,
        "warp": config.warp.value,
        "stages": [stage.value for stage in config.only],
        "repositories": [repository.source for repository in repositories],
    }


def report(
    facts: tuple[RepositoryFacts, ...],
    config: Config,
    weights: Mapping[str, float],
    before: Mapping[str, RepositoryFacts] | None = None,
) -> BatchReport:
    """The rows of all repositories; `before` gives an earlier run's facts by name, for the trend."""
    earlier = {name: effort.row(old, weights).effort for name, old in (before or {}).items()}
    rows = tuple(effort.row(found, weights, earlier.get(found.name)) for found in facts)
    return BatchReport(rows, dict(weights), config.targets, config.rocm)


@contextmanager
def dask(scheduler: str) -> Iterator[tuple[Callable[[], Executor], int]]:
    """An executor on a Dask cluster, and how many threads its workers have.

    Raises:
        HipportError: dask.distributed is not installed, or the scheduler does not answer.
    """
    try:
        from distributed import Client
    except ImportError:
        raise HipportError("dask.distributed is not installed", next_step="pip install 'hipport[cluster]'") from None
    try:
        client = Client(scheduler, timeout="30s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise HipportError(f"no Dask scheduler answers at `{scheduler}`: {error}") from error
    with client:
        threads = sum(client.nthreads().values())  # type: ignore[no-untyped-call]
        yield client.get_executor, max(1, threads)

"""Runs one tool: a list of words, a time limit, a log that is kept."""

from __future__ import annotations

import hashlib
import os
import shlex
import signal
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport import cachedir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

COMPILE_SECONDS = 600.0
_KEPT_LOGS = 200


@dataclass(frozen=True, slots=True)
class Ran:
    """A finished command; `code` is None when it was ended at its time limit, `output` is stdout and stderr."""

    command: tuple[str, ...]
    code: int | None
    output: str
    seconds: float
    log: Path | None

    @property
    def ok(self) -> bool:
        """Whether the command ended by itself with 0."""
        return self.code == 0


def run(
    command: Sequence[str],
    *,
    limit: float = COMPILE_SECONDS,
    log: Path | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Ran:
    """Run `command` for at most `limit` seconds; `env` is added to ours. The whole process group ends with it."""
    started = time.monotonic()
    full = {**os.environ, **env} if env else None
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=full,
            cwd=cwd,
            start_new_session=True,
        )
    except OSError as error:
        return _kept(Ran(tuple(command), 127, f"{command[0]}: {error.strerror or error}\n", 0.0, log))
    code: int | None
    try:
        data, _ = process.communicate(timeout=limit)
        code = process.returncode
    except subprocess.TimeoutExpired:
        _end(process)
        data, _ = process.communicate()
        data += f"\nhipport: ended after its limit of {limit:g} s\n".encode()
        code = None
    except BaseException:
        _end(process)
        raise
    seconds = time.monotonic() - started
    return _kept(Ran(tuple(command), code, data.decode("utf-8", "replace"), seconds, log))


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()


def _kept(ran: Ran) -> Ran:
    if ran.log is not None:
        ran.log.parent.mkdir(parents=True, exist_ok=True)
        code = "time limit" if ran.code is None else f"exit code {ran.code}"
        head = f"$ {shlex.join(ran.command)}\n# {code}, {ran.seconds:.2f} s\n"
        ran.log.write_text(head + ran.output, encoding="utf-8")
    return ran


def cache_log(command: Sequence[str], folder: Path | None = None) -> Path:
    """A log path of its own in `folder` (default: `logs` of the user's cache); the oldest beyond 200 go."""
    folder = folder or cachedir.root() / "logs"
    key = hashlib.sha256("\0".join([*command, str(os.getpid()), str(time.time_ns())]).encode()).hexdigest()[:16]
    if folder.is_dir():
        old = sorted(folder.glob("*.log"), key=_modified)[:-_KEPT_LOGS]
        for path in old:
            path.unlink(missing_ok=True)
    return folder / f"{key}.log"


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0

"""A process that runs cases of one extension, one request after the other; started again when a kernel ended it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.device.executor import Limits
from hipport.device.torch_extension.devices import environment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from hipport.device.torch_extension.building import Extension

_STARTING = 120.0  # seconds that loading PyTorch and the extension may take, beside a case's own limit


@dataclass(frozen=True, slots=True)
class Reply:
    """What a request left: the folder with its answer, the device's events, its output, how the process stands.

    `code` is None while it lives and where it was ended at its time limit (`late`).
    """

    folder: Path
    events: tuple[Mapping[str, Any], ...]
    printed: str
    code: int | None
    late: bool


@dataclass(slots=True)
class Session:
    """Runs requests of an extension; a context manager, whose end is the process's end too."""

    extension: Extension
    limits: Limits = field(default_factory=Limits)
    _scratch: tempfile.TemporaryDirectory[str] | None = None
    _process: subprocess.Popen[bytes] | None = None
    _replies: int = -1
    _count: int = 0
    _read: int = 0

    def __enter__(self) -> Session:  # noqa: PYI034 - Self is of Python 3.11
        """See close."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """See close."""
        self.close()

    def close(self) -> None:
        """End the process and remove its folder."""
        self._end()
        if self._scratch:
            self._scratch.cleanup()
            self._scratch = None

    def ask(self, request: Mapping[str, Any]) -> Reply:
        """Run one request in the process; it is started if there is none.

        Raises:
            HipportError: the device's runtime cannot be made.
            UntestedError: the device is not here.
        """
        started = self._process is None
        if started:
            self._start()
        self._count += 1
        folder = self._folder() / str(self._count)
        folder.mkdir()
        (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
        alive, late = self._exchange(folder, self.limits.seconds + (_STARTING if started else 0.0))
        code = None
        if not alive and self._process:
            code = None if late else self._process.wait()
            self._end()
        return Reply(folder, self._events(), self._printed(), code, late)

    def _folder(self) -> Path:
        if self._scratch is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="hipport-")
        return Path(self._scratch.name)

    def _start(self) -> None:
        folder = self._folder()
        replies, theirs = os.pipe()
        env = {**os.environ, **environment(self.extension.device, folder, self.limits)}
        env |= {"HIPPORT_RESULT": str(folder / "result.jsonl"), "HIPPORT_REPLIES": str(theirs)}
        words = [sys.executable, "-m", "hipport.device.torch_extension.child", str(self.extension.site)]
        words += [str(self.limits.memory), *self.extension.modules]
        with (folder / "printed.txt").open("wb") as output:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=(theirs,),
                env=env,
                cwd=folder,
                start_new_session=True,
            )
        os.close(theirs)
        self._replies, self._read = replies, 0

    def _exchange(self, folder: Path, seconds: float) -> tuple[bool, bool]:
        """(the process still lives, it was ended at the limit)."""
        process = self._process
        if process is None or process.stdin is None:
            return False, False
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(f"{folder}\n".encode())
            process.stdin.flush()
        ready, _, _ = select.select([self._replies], [], [], seconds)
        if not ready:
            return False, True
        return bool(os.read(self._replies, 1)), False

    def _end(self) -> None:
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        os.close(self._replies)
        self._process = None

    def _events(self) -> tuple[Mapping[str, Any], ...]:
        path = self._folder() / "result.jsonl"
        if not path.is_file():
            return ()
        rows = path.read_text("utf-8", "replace").splitlines()
        path.unlink()
        return tuple(json.loads(row) for row in rows)

    def _printed(self) -> str:
        data = (self._folder() / "printed.txt").read_bytes()
        new, self._read = data[self._read :], len(data)
        return new.decode("utf-8", "replace")

"""`DEVICE@HOST`: a device of another machine by ssh. Sources and inputs are sent, outputs are fetched.

The host runs the same hipport (`python -m hipport.device.served`); one ssh connection serves all launches of a device.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.device.buffers import Parameter, Undefined, memory_of
from hipport.device.executor import (
    Fault,
    FaultError,
    Fidelity,
    InconclusiveError,
    Launched,
    Limits,
    RefusedError,
    extent,
)
from hipport.device.wire import receive, send
from hipport.errors import ExitCode, HipportError, UntestedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.device.configured import Place

_SENT = {".cu", ".cuh", ".h", ".hpp", ".hh", ".hip", ".inl", ".inc", ".c", ".cc", ".cpp", ".cxx", ".s"}
_LIMIT = 64 << 20  # bytes of sources
_SKIPPED = {".git", ".hipport", "__pycache__", ".venv", "build"}


class Connection:
    """One ssh process with a server at its other end."""

    def __init__(self, place: Place) -> None:
        self.place = place
        ssh = shutil.which("ssh")
        if ssh is None:
            raise UntestedError(f"{place.name}: ssh is not here")
        words = [
            ssh,
            "-T",
            "-o",
            "BatchMode=yes",
            *place.ssh,
            "--",
            place.host,
            place.python,
            "-m",
            "hipport.device.served",
        ]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        atexit.register(self.close)
        self.said = self.ask({"ask": "hello", "device": place.device})[0]

    def ask(self, head: dict[str, Any], blocks: list[bytes] | None = None) -> tuple[dict[str, Any], list[bytes]]:
        """The answer to one message.

        Raises:
            UntestedError: the host cannot be reached, or has no hipport.
            HipportError: what the host's own hipport says.
        """
        if self.process.stdin is None or self.process.stdout is None:
            raise ValueError(self.place.name)
        try:
            send(self.process.stdin, head, blocks)
            answer, found = receive(self.process.stdout)
        except (EOFError, BrokenPipeError, OSError) as error:
            raise UntestedError(f"{self.place.name}: {self._gone()}") from error
        if "error" in answer:
            raise _error(answer)
        return answer, found

    def _gone(self) -> str:
        self.process.kill()
        _, text = self.process.communicate()
        last = text.decode("utf-8", "replace").strip().splitlines()[-1:] or ["the connection ended"]
        return f"{self.place.host}: {last[0]}"

    def close(self) -> None:
        """End the server and the connection."""
        if self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()
        self.process.terminate()
        self.process.wait()
        atexit.unregister(self.close)


def _error(answer: dict[str, Any]) -> HipportError:
    """The error that the host raised."""
    if "fault" in answer:
        row = answer["fault"]
        fault = Fault(**{**row, "block": tuple(row["block"]), "thread": tuple(row["thread"])})
        kinds = {"refused": RefusedError, "inconclusive": InconclusiveError, "fault": FaultError}
        return kinds[answer["kind"]](fault, printed=answer["printed"])
    kind = {ExitCode.USAGE: UsageError, ExitCode.UNTESTED: UntestedError}.get(ExitCode(answer["code"]), HipportError)
    return kind(answer["error"], where=answer["where"], next_step=answer["next"])


@dataclass(frozen=True, slots=True)
class RemoteExecutor:
    """A device of another machine. It is an Executor."""

    place: Place
    connection: Connection
    limits: Limits = field(default_factory=Limits)

    @property
    def spec(self) -> str:
        """Its spelling."""
        return self.place.name

    def build(self, source: str | Path, *, options: Sequence[str] = (), profile: bool = False) -> RemoteModule:
        """See Executor. The code files below the source's folder and the `-I` folders are sent."""
        if profile:
            raise UsageError(f"{self.spec} keeps no counts", next_step="--profile is for devices of this machine")
        path = Path(source).resolve()
        if not path.is_file():
            raise UsageError("there is no such file", where=str(source))
        root = _root(path, options)
        files = _files(root, path)
        head = {
            "ask": "build",
            "device": self.place.device,
            "limits": asdict(self.limits),
            "options": list(options),
            "root": str(root),
            "source": path.relative_to(root).as_posix(),
            "files": [file.relative_to(root).as_posix() for file in files],
        }
        answer, _ = self.connection.ask(head, [file.read_bytes() for file in files])
        return RemoteModule(self, answer["module"], tuple(answer["kernels"]))


def executor(place: Place, limits: Limits) -> RemoteExecutor:
    """The device, connected.

    Raises:
        UntestedError: the host cannot be reached, or the device is not there.
    """
    return RemoteExecutor(place, Connection(place), limits)


def _root(source: Path, options: Sequence[str]) -> Path:
    """The folder that holds the source and what it is told to search, where that is one folder near it."""
    searched = [Path(word[2:]).resolve() for word in options if word.startswith("-I") and len(word) > 2]
    root = source.parent
    for place in searched:
        while not place.is_relative_to(root) and len(root.parts) > 2:  # never the whole disk
            root = root.parent
    return root


def _files(root: Path, source: Path) -> list[Path]:
    found, size = [source], source.stat().st_size
    for path in sorted(root.rglob("*")):
        inner = path.relative_to(root).parts
        if (
            path == source
            or path.suffix not in _SENT
            or _SKIPPED & set(inner)
            or not path.is_file()
            or path.is_symlink()
        ):
            continue
        size += path.stat().st_size
        if size > _LIMIT:
            raise HipportError(f"the sources below it are more than {_LIMIT >> 20} MiB", where=str(root))
        found.append(path)
    return found


@dataclass(frozen=True, slots=True)
class RemoteModule:
    """A source that was built on the host."""

    executor: RemoteExecutor
    number: int
    kernels: tuple[str, ...]

    def __getitem__(self, name: str) -> RemoteKernel:
        """See Module; whether there is such a kernel is known at the launch."""
        return RemoteKernel(self, name)


@dataclass(frozen=True, slots=True)
class RemoteKernel:
    """One kernel of it, by its name."""

    module: RemoteModule
    name: str

    def __call__(
        self,
        *,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[object],
        shared: int = 0,
        cooperative: bool = False,
    ) -> Launched:
        """See Kernel."""
        rows, blocks, ranges = _sent(args)
        head = {
            "ask": "launch",
            "module": self.module.number,
            "kernel": self.name,
            "grid": extent(grid, "grid"),
            "block": extent(block, "block"),
            "shared": shared,
            "cooperative": cooperative,
            "args": rows,
        }
        answer, found = self.module.executor.connection.ask(head, blocks)
        _take_back(ranges, found)
        row = answer["launched"]
        told = {**row, "device": self.module.executor.spec, "fidelity": Fidelity(row["fidelity"])}
        for key in ("grid", "block", "approximate"):
            told[key] = tuple(row[key])
        return Launched(**told)


def _sent(args: Sequence[object]) -> tuple[list[dict[str, Any]], list[bytes], list[tuple[int, int, bool]]]:
    """Rows and blocks of the arguments, and (address, size, writable) of each array."""
    import ctypes

    rows: list[dict[str, Any]] = []
    blocks: list[bytes] = []
    ranges: list[tuple[int, int, bool]] = []
    value: Any
    for at, value in enumerate(args):
        if isinstance(value, Undefined) or hasattr(value, "data_ptr") or bool(getattr(value, "ndim", False)):
            item = memory_of(value, Parameter(at, "", "", 0, 8, pointer=True))
            rows.append({"kind": "array", "block": len(blocks), "undefined": item.undefined})
            blocks.append(ctypes.string_at(item.address, item.size))
            ranges.append((item.address, item.size, item.writable))
        elif isinstance(value, (bytes, bytearray)):
            rows.append({"kind": "bytes", "block": len(blocks)})
            blocks.append(bytes(value))
        else:
            plain = value.item() if hasattr(value, "item") else value
            rows.append({"kind": "value", "value": plain})
    return rows, blocks, ranges


def _take_back(ranges: Sequence[tuple[int, int, bool]], found: Sequence[bytes]) -> None:
    import ctypes

    for (address, size, writable), data in zip(ranges, found, strict=True):
        if writable:
            ctypes.memmove(address, data, size)

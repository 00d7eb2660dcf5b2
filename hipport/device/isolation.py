"""A launch in a process of its own: the request and the result as JSON files, limits of time and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.device.executor import Fault, InconclusiveError
from hipport.errors import UsageError

if TYPE_CHECKING:
    from hipport.device.executor import Limits


def cores() -> int:
    """CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def ordering(text: str) -> tuple[int, int]:
    """(`enum hipport_order`, seed) of `in` or `random:SEED`."""
    if text == "in":
        return 0, 0
    head, _, seed = text.partition(":")
    if head == "random" and (seed or "0").isdigit():
        return 1, int(seed or "0")
    raise UsageError(f"--order {text} is neither `in` nor `random:SEED`")


def in_child(request: dict[str, Any], handle: int, limits: Limits) -> tuple[dict[str, Any], str]:
    """The result of one launch in a process of its own, and what it printed.

    Raises:
        InconclusiveError: over its time or memory limit, or ended by a signal.
    """
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        asked, answered = Path(scratch) / "request.json", Path(scratch) / "result.json"
        asked.write_text(json.dumps(request), encoding="utf-8")
        words = [sys.executable, "-m", "hipport.device.child", str(asked), str(answered)]
        try:
            ran = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(handle,),
                timeout=limits.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            what = f"the kernel was ended at its limit of {limits.seconds:g} s"
            raise InconclusiveError(Fault("time_limit", what), printed=_text(error.stdout)) from error
        printed = _text(ran.stdout)
        if answered.is_file():
            return json.loads(answered.read_text(encoding="utf-8")), printed
    raise InconclusiveError(_died(ran.returncode, limits, printed), printed=printed)


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")


def _died(code: int, limits: Limits, printed: str) -> Fault:
    if "MemoryError" in printed or "Cannot allocate memory" in printed:
        return Fault("memory_limit", f"the child process needs more than its limit of {limits.memory >> 20} MiB")
    reason = f"signal {-code}" if code < 0 else f"exit code {code}"
    last = printed.strip().splitlines()[-1:] or [""]
    return Fault("child", f"the child process ended by {reason}: {last[0]}")

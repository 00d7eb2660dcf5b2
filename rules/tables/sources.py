"""Brings the headers that the tables are made from, and says which they were."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

ROCM_ROOT = Path("amd/root/usr/include")
CUDA_ROOTS = (
    Path("cuda/nvidia/cu13/include"),
    Path("cuda/nvidia/cudnn/include"),
    Path("cuda/nvidia/nccl/include"),
)
DEBS = """libamdhip64-dev librocprim-dev libhipcub-dev librocthrust-dev librocrand-dev libhiprand-dev libhipblas-dev
libhipblas-common-dev libhipblaslt-dev librocblas-dev libhipsparse-dev librocsparse-dev libhipsolver-dev
librocsolver-dev libhipfft-dev librccl-dev libmiopen-dev libroctx-dev librocwmma-dev libhipsparselt-dev
librocm-smi-dev""".split()
BINDINGS = ("rocm-bindings-core", "rocm-bindings-hip", "rocm-bindings-libraries")
CUDA_WHEELS = """nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-nvrtc nvidia-cuda-cccl nvidia-nvtx nvidia-nvml-dev
nvidia-curand nvidia-cufft nvidia-cusparse nvidia-cusolver nvidia-cublas nvidia-nvjitlink nvidia-cuda-profiler-api
nvidia-cudnn-cu13 nvidia-nccl-cu13 nvidia-cusparselt-cu13""".split()
KEPT = (".h", ".hpp", ".cuh", ".inl", ".pxd", ".py", ".so", "METADATA")


def fetch(work: Path) -> None:
    """Bring everything below `work`."""
    fetch_debian(work / "amd")
    for name in BINDINGS:
        fetch_wheel(name, work / "bindings")
    for name in CUDA_WHEELS:
        fetch_wheel(name, work / "cuda")


def fetch_debian(root: Path) -> None:
    """Unpack ROCm's header packages of Debian experimental below `root`; the system's apt state stays as it is."""
    sites = _output(["apt-get", "indextargets", "--format", "$(SITE)"]).split()
    mirror = next(line for line in sites if line.endswith("/debian"))
    for folder in ("apt/state/lists/partial", "apt/cache/archives/partial", "debs", "root"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (root / "apt/sources.list").write_text(f"deb [signed-by={keys}] {mirror} experimental main\n")
    (root / "apt/apt.conf").write_text(
        f'Dir::Etc::sourcelist "{root}/apt/sources.list"; Dir::Etc::sourceparts "/dev/null";\n'
        f'Dir::Etc::preferencesparts "/dev/null"; Dir::State "{root}/apt/state"; Dir::State::status "/dev/null";\n'
        f'Dir::Cache "{root}/apt/cache"; APT::Sandbox::User "root";\n'
    )
    environment = {**os.environ, "APT_CONFIG": str(root / "apt/apt.conf")}
    subprocess.run(["apt-get", "-qq", "update"], check=True, env=environment)
    subprocess.run(["apt-get", "-qq", "download", *DEBS], check=True, env=environment, cwd=root / "debs")
    for package in sorted((root / "debs").glob("*.deb")):
        subprocess.run(["dpkg", "-x", str(package), str(root / "root")], check=True)


def fetch_wheel(name: str, folder: Path) -> None:
    """The headers, declarations and metadata of one wheel."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--pre", "--dest", str(folder), name]
    subprocess.run(command, check=True)
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            for entry in archive.namelist():
                if entry.endswith(KEPT) or "/include/" in entry:
                    archive.extract(entry, folder)
        wheel.unlink()


def versions(work: Path, which: str) -> str:
    """The packages and their versions, for a table's first line."""
    if which == "debian":
        debs = [p.name.split("_")[:2] for p in sorted((work / "amd/debs").glob("*.deb"))]
        return "Debian experimental: " + ", ".join(f"{name} {version.split('%')[0]}" for name, version in debs)
    folder = work / ("bindings" if which == "bindings" else "cuda")
    found = [re.fullmatch(r"(.+)-([\d.]+)\.dist-info", p.name) for p in sorted(folder.glob("*.dist-info"))]
    return "PyPI: " + ", ".join(f"{m[1].replace('_', '-')} {m[2]}" for m in found if m)


def _output(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout

"""A folder in the shape of an installed ROCm, made of a compiler's headers and CMake packages: what builds ask for.

It has no runtime: libraries are empty, so objects can be built and nothing can be linked to run.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.toolchain.clanghip import ClangHip

# packages that hip-config asks for and that headers alone do not bring
_STUBS = {"amd_comgr": "amd_comgr", "hsa-runtime64": "hsa-runtime64::hsa-runtime64", "AMDDeviceLibs": "AMDDeviceLibs"}


def make(folder: Path, amd: ClangHip) -> Path:
    """The folder, with bin/hipcc."""
    (folder / "bin").mkdir(parents=True)
    (folder / "lib/cmake").mkdir(parents=True)
    for name in ("include", "share"):
        if (amd.rocm / name).is_dir():
            (folder / name).symlink_to(amd.rocm / name)
    words = [*amd.driver, *amd.options, f"--rocm-path={folder}", f"--rocm-device-lib-path={amd.bitcode}"]
    words += ["-isystem", str(folder / "include")]
    script = " ".join(f"'{word}'" for word in words)
    exports = "".join(f"export {name}='{value}'\n" for name, value in amd.env)
    (folder / "bin/hipcc").write_text(f'#!/bin/sh\n{exports}exec {script} "$@"\n')
    (folder / "bin/hipcc").chmod(0o755)
    _packages(folder, amd)
    return folder


def _packages(folder: Path, amd: ClangHip) -> None:
    found = next(amd.rocm.glob("lib/*/cmake"), amd.rocm / "lib/cmake")
    if not found.is_dir():
        return
    parts = found.relative_to(amd.rocm)
    if parts != Path("lib/cmake"):
        shutil.copytree(found, folder / parts)
    else:
        shutil.copytree(found, folder / parts, dirs_exist_ok=True)
    stub = folder / "lib/libamdhip64.so"
    subprocess.run(["cc", "-shared", "-o", str(stub), "-x", "c", "/dev/null"], check=True)
    for file in (folder / parts).rglob("*.cmake"):
        for name in re.findall(r"lib/(?:[\w-]+/)?(lib[\w.+-]+\.so[\w.]*)", file.read_text()):
            target = folder / parts.parent / name
            if not target.exists():
                shutil.copy(stub, target)
    for package in (folder / parts).iterdir():
        for config in package.glob("*-config.cmake"):
            place = folder / "lib/cmake" / package.name
            if place != package:
                place.mkdir(exist_ok=True)
                (place / config.name).write_text(f'include("{config}")\n')
    for name, target in _STUBS.items():
        place = folder / "lib/cmake" / name
        place.mkdir(exist_ok=True)
        text = f"if(NOT TARGET {target})\n  add_library({target} INTERFACE IMPORTED)\nendif()\n"
        (place / f"{name}-config.cmake").write_text(text)

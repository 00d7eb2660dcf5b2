"""ROCm's own compiler, where ROCm is installed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hipport.toolchain.clanghip import ClangHip, bitcode_under, clang_major

_PLACES = ("lib/llvm/bin/clang++", "llvm/bin/clang++", "bin/amdclang++")


def rocm_folder() -> Path | None:
    """ROCM_PATH, ROCM_HOME or HIP_PATH, the folder of hipcc, or /opt/rocm."""
    named = [os.environ.get(name) for name in ("ROCM_PATH", "ROCM_HOME", "HIP_PATH")]
    hipcc = shutil.which("hipcc")
    if hipcc:
        named.append(str(Path(hipcc).resolve().parent.parent))
    for text in (*named, "/opt/rocm"):
        if text and (Path(text) / "include" / "hip" / "hip_runtime.h").is_file():
            return Path(text)
    return None


def find() -> ClangHip | None:
    """ROCm's clang with its own headers and bitcode."""
    rocm = rocm_folder()
    bitcode = bitcode_under(rocm) if rocm else None
    if rocm is None or bitcode is None:
        return None
    for place in _PLACES:
        driver = (str(rocm / place),)
        major, version = clang_major(driver) if (rocm / place).is_file() else (0, "")
        if major:
            return ClangHip(f"ROCm clang {version}", "rocm", driver, major, rocm, bitcode)
    return None

"""clang of the private prefix, or of the system, with HIP headers of the prefix or of the system."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.toolchain.clanghip import OLDEST_CLANG, ClangHip, bitcode_under, clang_major, supported_cpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.toolchain.places import Prefix

_NEWEST = 30


def find(prefix: Prefix | None) -> ClangHip | None:
    """The best clang >= 20 with an AMDGPU backend, if HIP headers and bitcode are there too."""
    rocm = prefix.rocm if prefix else _system_rocm()
    bitcode = prefix.bitcode if prefix else (bitcode_under(rocm) if rocm else None)
    if rocm is None or bitcode is None:
        return None
    for driver, env, options in _drivers(prefix):
        major, version = clang_major(driver, dict(env))
        if major < OLDEST_CLANG or not supported_cpus(driver, env):
            continue
        origin = "prefix" if prefix and str(driver[0]).startswith(str(prefix.folder)) else "system"
        return ClangHip(
            name=f"clang {version} ({origin})",
            kind="clang",
            driver=driver,
            major=major,
            rocm=rocm,
            bitcode=bitcode,
            options=options,
            env=env,
            lacks=prefix.lacks if prefix else (),
        )
    return None


def _drivers(prefix: Prefix | None) -> Iterator[tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[str, ...]]]:
    if prefix and prefix.clang:
        libraries = ":".join(str(path) for path in prefix.libraries)
        env = (("LD_LIBRARY_PATH", libraries),) if libraries else ()
        options = (f"--sysroot={prefix.sysroot}",) if prefix.sysroot else ()
        yield (str(prefix.clang),), env, options
    for name in ("clang++", *(f"clang++-{n}" for n in range(_NEWEST, OLDEST_CLANG - 1, -1))):
        found = shutil.which(name)
        if found:
            yield (found,), (), ()


def _system_rocm() -> Path | None:
    usr = Path("/usr")
    return usr if (usr / "include/hip/hip_runtime.h").is_file() and bitcode_under(usr) else None

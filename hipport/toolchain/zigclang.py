"""zig's clang as a HIP compiler: what a plain clang installation would have beside it is supplied here."""

from __future__ import annotations

import functools
import itertools
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hipport import cachedir
from hipport.toolchain.clanghip import OLDEST_CLANG, ClangHip, clang_major, supported_cpus
from hipport.toolchain.process import run
from hipport.toolchain.pypiroute import installed_module

if TYPE_CHECKING:
    from hipport.toolchain.places import Prefix

# libc++ names a member __local, which HIP's headers define as a macro for OpenCL.
_DEQUE = """#pragma once
#pragma push_macro("__local")
#undef __local
#include_next <deque>
#pragma pop_macro("__local")
"""
# clang starts `lld -flavor gnu ...` and `clang-offload-bundler`, which zig has not by these names.
_LLD = """#!/bin/sh
[ "$1" = -flavor ] && shift 2
exec "$HIPPORT_ZIG" ld.lld "$@"
"""
_BUNDLER = """#!/bin/sh
exec "$HIPPORT_PYTHON" -m hipport.toolchain.offloadbundler "$@"
"""


def find(prefix: Prefix | None) -> ClangHip | None:
    """Zig of the prefix or of the running Python, with the prefix's ROCm headers and bitcode."""
    if prefix is None or prefix.bitcode is None:
        return None
    zig = prefix.zig or _installed_zig()
    resource = prefix.builtin_headers or _installed_headers()
    if zig is None or resource is None or not zig.is_file():
        return None
    driver = (str(zig), "clang", "--driver-mode=g++")
    major, version = clang_major(driver)
    if major < OLDEST_CLANG or not supported_cpus(driver):
        return None
    tools = _tools()
    options: tuple[str, ...] = ("--target=x86_64-linux-gnu", "-B", str(tools / "bin"), "-resource-dir", str(resource))
    if not has_host_headers():
        options = (*options, "-isystem", str(tools / "libcxx"), *host_words(zig))
    return ClangHip(
        name=f"zig's clang {version}",
        kind="zig",
        driver=driver,
        major=major,
        rocm=prefix.rocm,
        bitcode=prefix.bitcode,
        options=options,
        env=(("HIPPORT_ZIG", str(zig)), ("HIPPORT_PYTHON", sys.executable), ("PYTHONPATH", _python_path())),
        lacks=prefix.lacks,
    )


def _python_path() -> str:
    own = str(Path(__file__).resolve().parents[2])
    return os.pathsep.join([own, *filter(None, [os.environ.get("PYTHONPATH")])])


def _installed_zig() -> Path | None:
    folder = installed_module("ziglang")
    return folder / "zig" if folder and (folder / "zig").is_file() else None


def _installed_headers() -> Path | None:
    folder = installed_module("clang.native")
    return folder / "resource" if folder and (folder / "resource" / "include" / "stddef.h").is_file() else None


@functools.cache
def _tools() -> Path:
    """A folder with the wrappers, in the user's cache; each file is put in place whole."""
    folder = cachedir.root() / "zig-tools-1"
    for name, text, mode in (
        ("bin/lld", _LLD, 0o755),
        ("bin/clang-offload-bundler", _BUNDLER, 0o755),
        ("libcxx/deque", _DEQUE, 0o644),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as stream:
            stream.write(text)
        Path(stream.name).chmod(mode)
        Path(stream.name).replace(path)
    return folder


def has_host_headers() -> bool:
    """Whether the system has the headers of C and of a C++ standard library."""
    return Path("/usr/include/stdlib.h").is_file() and any(Path("/usr/include/c++").glob("*/vector"))


@functools.cache
def host_words(zig: Path) -> tuple[str, ...]:
    """The words that give clang zig's own libc and libc++ headers, as zig tells them; for a machine without any."""
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        source = Path(scratch) / "empty.cc"
        source.write_text("", encoding="utf-8")
        env = {"ZIG_GLOBAL_CACHE_DIR": scratch, "ZIG_LOCAL_CACHE_DIR": scratch}
        words = [str(zig), "c++", "-target", "x86_64-linux-gnu.2.28", "-v", "-E", str(source)]
        ran = run(words, limit=120, env=env)
    line = next((line for line in ran.output.splitlines() if " -cc1 " in line), "")
    return _host_words(shlex.split(line))


def _host_words(cc1: list[str]) -> tuple[str, ...]:
    """From zig's cc1 command: C++ headers where the driver puts the standard library, C headers after all others."""
    found = ["-nostdlibinc"]
    for word, value in itertools.pairwise(cc1):
        if word == "-D":
            found.append(f"-D{value}")
        elif word == "-isystem" and re.search(r"/libcxx(abi)?/include$", value):
            found += ["-stdlib++-isystem", value]
        elif word == "-isystem" and not value.endswith("/lib/include"):
            found += ["-idirafter", value]
    return tuple(found)

"""The HIP host runtime (native/hip_runtime) as a shared object, made once for each compiler and kept."""

from __future__ import annotations

import hashlib
import os
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from hipport import cachedir
from hipport.errors import HipportError, UntestedError

if TYPE_CHECKING:
    from hipport.toolchain.clanghip import ClangHip

_NATIVE = Path(__file__).resolve().parent.parent / "native"
_OPTIONS = ("-std=c++17", "-O2", "-g0", "-fPIC", "-shared", "-fvisibility=default", "-Wno-deprecated-declarations")


def library(compiler: ClangHip) -> Path:
    """The runtime for programs of this compiler, from the cache if it is there.

    Raises:
        UntestedError: it does not compile here.
    """
    sources = sorted((_NATIVE / "hip_runtime").glob("*.cc"))
    headers = [*sorted((_NATIVE / "hip_runtime").glob("*.h")), _NATIVE / "abi.h"]
    key = hashlib.sha256()
    for path in (*sources, *headers):
        key.update(path.read_bytes())
    key.update("\0".join((compiler.name, *compiler.driver, str(compiler.rocm), *_OPTIONS)).encode())
    output = cachedir.root() / "runtime" / key.hexdigest()[:24] / "libhipport_hip.so"
    if output.is_file():
        return output
    cachedir.tidy()
    output.parent.mkdir(parents=True, exist_ok=True)
    partial = output.with_name(f".{os.getpid()}-{threading.get_ident()}.so")
    words = [*compiler.driver, *compiler.options, *_OPTIONS, "-isystem", str(compiler.rocm / "include")]
    words += [*map(str, sources), "-o", str(partial), "-ldl"]
    try:
        ran = subprocess.run(
            words, capture_output=True, text=True, check=False, env={**os.environ, **dict(compiler.env)}
        )
    except OSError as error:
        raise HipportError(f"{words[0]}: {error.strerror}") from error
    if ran.returncode:
        raise UntestedError(f"the HIP runtime does not compile with {compiler.name}: {ran.stderr.strip()[-600:]}")
    partial.replace(output)
    return output

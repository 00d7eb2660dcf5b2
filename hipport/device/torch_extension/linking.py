"""Linking an extension with PyTorch's CPU build and a device's runtime; what neither has is a stub that says so."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.device.program.link import missing_symbols, stubs
from hipport.errors import HipportError, UntestedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LIBRARIES = ("c10", "torch_cpu", "torch", "torch_python")
# what PyTorch's GPU build, the platform and its libraries would give
_PLATFORM = re.compile(
    r"(__)?(hip|cuda|cu|roc|rccl|nccl|miopen|cudnn|nv|hsa_)[A-Za-z]\w*|_Z\w*(4cuda|3hip|CUDA|HIP|hip|cuda|roc)\w*"
)
_PYTHON = re.compile(r"_?Py\w*")


def torch_libraries() -> Path:
    """The folder of PyTorch's libraries.

    Raises:
        UntestedError: the running Python has no PyTorch.
    """
    spec = importlib.util.find_spec("torch")
    for place in spec.submodule_search_locations or () if spec else ():
        if (Path(place) / "lib").is_dir():
            return Path(place) / "lib"
    raise UntestedError("this Python has no PyTorch", next_step="pip install torch")


def images(found: Mapping[str, bytes], scratch: Path, driver: Sequence[str]) -> Path:
    """An object with the symbol by which each unit's host code names its device code."""
    source, output = scratch / "images.c", scratch / "images.o"
    rows = []
    for unit, data in found.items():
        text = ",".join(str(byte) for byte in data + b"\0")
        rows.append(f"__attribute__((aligned(4096))) const char __hip_fatbin_{_suffix(unit)}[] = {{{text}}};")
    source.write_text("\n".join(rows) + "\n", encoding="utf-8")
    _run([*driver, "-x", "c", "-fPIC", "-c", str(source), "-o", str(output)])
    return output


def _suffix(unit: str) -> str:
    """How clang names the symbol for `-cuid=UNIT`: by 64 bits of its MD5 (llvm::MD5Hash)."""
    return format(int.from_bytes(hashlib.md5(unit.encode(), usedforsecurity=False).digest()[:8], "little"), "x")


def link(objects: Sequence[Path], output: Path, driver: Sequence[str], options: Sequence[str]) -> None:
    """Link a Python extension module by a compiler's driver; `options` name the device's runtime.

    Raises:
        HipportError: something is missing that neither PyTorch nor the platform would give.
    """
    torch = torch_libraries()
    words = [*map(str, objects), f"-L{torch}", *(f"-l{name}" for name in LIBRARIES), f"-Wl,-rpath,{torch}", *options]
    words += ["-Wl,--no-demangle", "-lm", "-lpthread"]
    start = [*driver, "-shared", "-fPIC"]
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        missing = _missing([*start, "-Wl,-z,defs", "-o", f"{scratch}/all.so", *words])
        if missing:
            source, stub = Path(scratch) / "stubs.c", Path(scratch) / "stubs.o"
            source.write_text(stubs(missing), encoding="utf-8")
            _run([*driver, "-x", "c", "-fPIC", "-c", str(source), "-o", str(stub)])
            words.insert(0, str(stub))
        _run([*start, "-o", str(output), *words])


def _missing(words: Sequence[str]) -> tuple[str, ...]:
    """What only a GPU's platform would define."""
    from hipport.toolchain.process import run

    wanted = [name for name in missing_symbols(run(words).output) if not _PYTHON.fullmatch(name)]
    strange = [name for name in wanted if not _PLATFORM.fullmatch(name)]
    if strange:
        raise HipportError(f"it does not link: undefined {', '.join(strange[:5])}")
    return tuple(wanted)


def _run(words: Sequence[str]) -> None:
    from hipport.toolchain.process import run

    ran = run(words)
    if not ran.ok:
        raise HipportError(f"it does not link:\n{ran.output.strip()[-2000:]}")

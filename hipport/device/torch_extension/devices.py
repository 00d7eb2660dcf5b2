"""What a process that runs an extension needs of its device: environment, and tensors that the device knows."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from hipport.device.torch_extension import headers
from hipport.errors import HipportError

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.device.executor import Limits

_MEMORY = headers.NATIVE / "memory.cc"


def environment(device: str, scratch: Path, limits: Limits) -> dict[str, str]:
    """The variables of a process that runs an extension of that device; writes the device's numbers to `scratch`."""
    kind, _, what = device.partition(":")
    path = scratch / "device.txt"
    common = {"HIPPORT_DEVICE": str(path), "OMP_NUM_THREADS": "1"}
    if kind == "wave":
        from hipport.device.wave.launch import executor
        from hipport.device.wave.program import device_rows

        rows = device_rows(executor(what, limits))
        path.write_text("".join(f"{key} {value}\n" for key, value in rows.items()), encoding="utf-8")
        return {**common, "HIPPORT_TORCH_MEMORY": ""}  # each module carries its own
    from hipport.device.program import device_file
    from hipport.targets import target

    device_file.write(path, target(what), limits)
    return {**common, "HIPPORT_TORCH_MEMORY": str(isa_memory(what))}


def isa_memory(target: str) -> Path:
    """The library that makes tensors of the isa runtime's memory, made once for each compiler and PyTorch."""
    from importlib import metadata

    from hipport.device.program import runtime
    from hipport.device.program.clang import clang_for
    from hipport.device.torch_extension.linking import torch_libraries
    from hipport.toolchain.process import run
    from hipport.toolchain.torchheaders import torch_words

    compiler = clang_for(target)
    library = runtime.library(compiler)
    words = [
        *compiler.driver,
        *compiler.options,
        "-x",
        "c++",
        "-O2",
        "-g0",
        "-fPIC",
        "-w",
        *headers.words(headers.Level.SLIM),
    ]
    words += [*torch_words("hip"), "-D__HIP_PLATFORM_AMD__=1", f"-isystem{compiler.rocm / 'include'}", str(_MEMORY)]
    words += ["-x", "none", "-shared", f"-L{torch_libraries()}", "-lc10", str(library)]
    words += [f"-Wl,-rpath,{torch_libraries()}", f"-Wl,-rpath,{library.parent}"]
    text = "\0".join((*words, compiler.name, metadata.version("torch"), _MEMORY.read_text(encoding="utf-8")))
    output = headers.extension_cache() / "memory" / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.so"
    if not output.is_file():
        output.parent.mkdir(parents=True, exist_ok=True)
        partial = output.with_suffix(f".{os.getpid()}.so")
        ran = run([*words, "-o", str(partial)], env=dict(compiler.env))
        if not ran.ok:
            raise HipportError(f"the memory of tensors does not compile: {ran.output.strip()[-600:]}")
        partial.replace(output)
    return output

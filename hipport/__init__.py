"""Port CUDA extensions to HIP: rename, rewrite for the wavefront, build, execute and compare."""

from __future__ import annotations

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """`hipport.device` is imported when it is first used, so that a port never pays for it."""
    if name == "device":
        import importlib

        return importlib.import_module("hipport.device")
    raise AttributeError(f"module `hipport` has no attribute `{name}`")

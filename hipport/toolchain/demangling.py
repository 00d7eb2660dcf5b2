"""C++ names for people, by the demangler of the C++ runtime that this machine has."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

_RUNTIMES = ("libstdc++.so.6", "libc++abi.so.1", "libc++abi.dylib")


@functools.cache
def _demangler() -> Any:
    for name in _RUNTIMES:
        try:
            function = ctypes.CDLL(name)["__cxa_demangle"]
        except (OSError, AttributeError):
            continue
        function.restype = ctypes.c_void_p
        function.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int)]
        return function
    return None


def demangled(name: str) -> str:
    """The name as C++ writes it; unchanged where it is no mangled name or no C++ runtime is here."""
    function = _demangler()
    if function is None or not name.startswith("_Z"):
        return name
    status = ctypes.c_int()
    pointer = function(name.encode(), None, None, ctypes.byref(status))
    if not pointer:
        return name
    try:
        return ctypes.string_at(pointer).decode("utf-8", "replace")
    finally:
        free = ctypes.CDLL(None).free
        free.argtypes = [ctypes.c_void_p]
        free.restype = None
        free(pointer)

"""What a mangled kernel name says: the name a person types, and the type of each parameter."""

from __future__ import annotations

import ctypes
import functools
import re
from typing import TYPE_CHECKING, Any

from hipport.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

# how the C++ ABI's demangler spells a type -> the format of the struct module
FORMATS = {
    "bool": "?",
    "char": "b",
    "signed char": "b",
    "unsigned char": "B",
    "short": "h",
    "unsigned short": "H",
    "int": "i",
    "unsigned int": "I",
    "long": "q",
    "unsigned long": "Q",
    "long long": "q",
    "unsigned long long": "Q",
    "_Float16": "e",
    "half": "e",
    "__half": "e",
    "float": "f",
    "double": "d",
}


@functools.cache
def _demangler() -> Any:
    for name in ("libstdc++.so.6", "libc++abi.so.1"):
        try:
            function = ctypes.CDLL(name)["__cxa_demangle"]
        except (OSError, AttributeError):
            continue
        function.restype = ctypes.c_void_p
        return function
    return None


@functools.cache
def demangled(name: str) -> str:
    """`_Z4axpyIfEvPT_i` -> `void axpy<float>(float*, int)`; the name itself where it is not mangled."""
    function = _demangler()
    if function is None or not name.startswith("_Z"):
        return name
    # demanglers before GCC 13 do not know _Float16 and __bf16: the older spellings of both say as much
    older = name.replace("DF16_", "Dh").replace("DF16b", "u6__bf16")
    for spelling in dict.fromkeys((name, older)):
        status = ctypes.c_int()
        text = function(spelling.encode(), None, None, ctypes.byref(status))
        if text and status.value == 0:
            return ctypes.string_at(text).decode()
    return name


def _split(text: str) -> list[str]:
    """`text` at its commas outside brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "<([{":
            depth += 1
        elif char in ">)]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def parameters(name: str) -> tuple[str, ...]:
    """The type of each parameter of a mangled name; empty where it has none or says nothing."""
    text = demangled(name)
    if text == name or not text.endswith(")"):
        return ()
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] in ")>]}") - (text[at] in "(<[{")
        if depth == 0:
            inner = text[at + 1 : -1]
            return tuple(_split(inner)) if inner else ()
    return ()


def short_name(name: str) -> str:
    """`void ns::axpy<float>(float*, int)` -> `ns::axpy<float>`."""
    text = demangled(name)
    depth, end = 0, len(text)
    if text.endswith(")"):
        for at in range(len(text) - 1, -1, -1):
            depth += (text[at] in ")>]}") - (text[at] in "(<[{")
            if depth == 0:
                end = at
                break
    head, depth = text[:end], 0
    for at in range(len(head) - 1, -1, -1):
        depth += (head[at] in ">)") - (head[at] in "<(")
        if head[at] == " " and depth == 0:
            return head[at + 1 :]
    return head


def _without_arguments(name: str) -> str:
    return name.partition("<")[0]


def _without_scope(name: str) -> str:
    return _without_arguments(name).rpartition("::")[2]


def pick(wanted: str, names: Iterable[str]) -> str:
    """The mangled name among `names` that a person means by `wanted`.

    Raises:
        UsageError: none, or more than one; the message lists the kernels there are.
    """
    every = tuple(names)
    if wanted in every:
        return wanted
    spaceless = re.sub(r"\s+", "", wanted)
    shown = {name: short_name(name) for name in every}
    for simpler in (str, _without_arguments, _without_scope):
        found = [name for name, text in shown.items() if simpler(re.sub(r"\s+", "", text)) == spaceless]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"`{wanted}` names {len(found)} kernels", next_step=f"say which: {_listed(found)}")
    if not every:
        raise UsageError("the source has no kernel", next_step="a template needs an explicit instantiation")
    raise UsageError(
        f"there is no kernel `{wanted}`",
        next_step=f"kernels here: {_listed(every)}; a template needs an explicit instantiation",
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(demangled(name).removeprefix("void ") for name in names)

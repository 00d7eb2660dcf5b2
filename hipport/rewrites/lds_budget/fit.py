"""Which value of one constant lets a kernel's LDS fit each target."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hipport.frontend import shared
from hipport.targets import Vendor, load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hipport.frontend.functions import Function
    from hipport.frontend.macros import Macros
    from hipport.frontend.unit import Unit
    from hipport.targets import Target

_SEARCHED = 4096  # a constant above is no tile


def room(target: Target) -> int:
    """The LDS of a block in bytes: with what a launch adds, or of arrays alone where no more is known; 0: not known."""
    if target.knows("lds_max_per_block_dynamic_bytes"):
        return target.lds_dynamic_bytes
    return target.lds_bytes if target.knows("lds_max_per_block_static_bytes") else 0


def advice(unit: Unit, functions: Iterable[Function], dynamic: str, total: int) -> str:
    """What the largest fitting value of the one constant is that the sizes follow; empty where there is no such one.

    `dynamic` is the text of the LDS that a launch adds, `total` what is asked for now, in bytes.
    """
    members = tuple(functions)
    found = _names(unit, members, dynamic)
    if len(found) != 1:
        return ""
    name = found[0]
    value = unit.macros.value(name)
    if value is None or not 1 < value <= _SEARCHED or _size(unit, members, dynamic, name, value) != total:
        return ""
    parts = []
    for bytes_ in sorted({room(t) for t in load().values() if t.vendor is Vendor.AMD and 0 < room(t) < total}):
        most = largest(lambda v: _size(unit, members, dynamic, name, v), value, bytes_)
        parts.append(f"{most or 'none'} in {bytes_ >> 10} KiB")
    return f"`{name}` is {value}; at most " + ", ".join(parts)


def largest(size: Callable[[int], int | None], value: int, limit: int) -> int:
    """The largest number up to `value`, of a multiple of its power of two (at most 32), whose size fits; 0: none."""
    step = min(value & -value, 32)
    for number in range(value, 0, -step):
        bytes_ = size(number)
        if bytes_ is not None and bytes_ <= limit:
            return number
    return 0


def _names(unit: Unit, functions: tuple[Function, ...], dynamic: str) -> list[str]:
    """The constants of the file that the sizes of the arrays and the launch name, down to numbers."""
    texts = [dynamic] if dynamic else []
    for function in functions:
        arrays = shared.find(unit.text, unit.macros, function)
        texts += [unit.text.word(array.start, array.end).partition("[")[2] for array in arrays]
    seen: dict[str, None] = {}
    todo = re.findall(r"[A-Za-z_]\w*", " ".join(texts))
    while todo:
        word = todo.pop()
        body = unit.macros.objects.get(word)
        if body is None or word in seen:
            continue
        below = [w for w in re.findall(r"[A-Za-z_]\w*", body) if w in unit.macros.objects]
        if below:
            todo += below
        elif unit.macros.value(word) is not None:
            seen[word] = None
    return list(seen)


def _size(unit: Unit, functions: tuple[Function, ...], dynamic: str, name: str, value: int) -> int | None:
    macros: Macros = replace(unit.macros, objects={**unit.macros.objects, name: str(value)})
    total = (macros.value(dynamic) or 0) if dynamic else 0
    for function in functions:
        total += sum(array.size or 0 for array in shared.find(unit.text, macros, function))
    return total

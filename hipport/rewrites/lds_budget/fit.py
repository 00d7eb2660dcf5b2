"""Which values of its constants let a kernel's LDS fit each target."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hipport.frontend import lds, shared
from hipport.targets import Vendor, load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hipport.frontend.closure import Closure
    from hipport.frontend.macros import Macros
    from hipport.frontend.unit import Unit
    from hipport.targets import Target

_SEARCHED = 4096  # a constant above is no tile
_TRIED = 64  # values that are tried one by one
_CONSTANTS = 4  # more are no advice
_WORD = re.compile(r"[A-Za-z_]\w*")


def room(target: Target) -> int:
    """The LDS of a block in bytes: with what a launch adds, or of arrays alone where no more is known; 0: not known."""
    if target.knows("lds_max_per_block_dynamic_bytes"):
        return target.lds_dynamic_bytes
    return target.lds_bytes if target.knows("lds_max_per_block_static_bytes") else 0


class Sizes:
    """What a kernel's LDS follows: its arrays in this file, and the text of what a launch adds.

    `bound` are the arguments of the kernel's template, by parameter.
    """

    def __init__(
        self, unit: Unit, closure: Closure | None, dynamic: str = "", bound: Mapping[str, str] | None = None
    ) -> None:
        self.unit, self.dynamic, self.bound = unit, dynamic, bound or {}
        self.kernel = closure.start if closure is not None else -1
        self.functions = lds.members(unit, closure) if closure is not None else []

    def advice(self, total: int) -> str:
        """What the largest fitting values of the constants are that the sizes follow, each with the others as they are.

        Empty where there is none; `total` is what is asked for now, in bytes.
        """
        limits = sorted({room(t) for t in load().values() if t.vendor is Vendor.AMD and 0 < room(t) < total})
        found: dict[str, tuple[int, list[tuple[int, int]]]] = {}
        for name in self._names():
            value = self._macros().value(name)
            if value is None or not 1 < value <= _SEARCHED or self.size(name, value) != total:
                continue
            most = [(largest(functools.partial(self.size, name), value, bytes_), bytes_) for bytes_ in limits]
            if any(number for number, _ in most):
                found[name] = (value, most)
        if len(found) == 1:
            (name, (value, most)), *_ = found.items()
            return f"`{name}` is {value}; at most " + ", ".join(f"{n or 'none'} in {b >> 10} KiB" for n, b in most)
        parts = (
            f"`{name}` (now {value}) at most " + ", ".join(f"{n} in {b >> 10} KiB" for n, b in most if n)
            for name, (value, most) in found.items()
        )
        return "; or ".join(parts) if 1 < len(found) <= _CONSTANTS else ""

    def size(self, name: str, value: int) -> int | None:
        """Bytes of all of it where a constant or a parameter has another value."""
        given = {name: str(value)}
        macros = self._macros(given)
        total = macros.value(self.dynamic) if self.dynamic else 0
        if total is None:
            return None
        for function in self.functions:
            bound = {**self.bound, **given} if function.start == self.kernel else None
            seen: dict[str, int] = {}
            for array in shared.find(self.unit.text, macros, function, bound):
                if self.unit.compiled(array.start):
                    seen[array.name] = max(seen.get(array.name, 0), array.size or 0)
            total += sum(seen.values())
        return total

    def _macros(self, given: Mapping[str, str] | None = None) -> Macros:
        macros = self.unit.macros
        return replace(macros, objects={**macros.objects, **self.bound, **(given or {})})

    def _names(self) -> list[str]:
        """The constants of the file, and the template's parameters, that the sizes name, down to numbers."""
        unit = self.unit
        texts = [self.dynamic] if self.dynamic else []
        for function in self.functions:
            arrays = shared.find(unit.text, unit.macros, function)
            texts += [unit.text.word(array.start, array.end).partition("[")[2] for array in arrays]
        known = self._macros()
        seen: dict[str, None] = {}
        todo = _WORD.findall(" ".join(texts))
        while todo:
            word = todo.pop(0)
            body = known.objects.get(word)
            if body is None or word in seen:
                continue
            below = [w for w in _WORD.findall(body) if w in known.objects and w != word]
            if below and word not in self.bound:
                todo[:0] = below
            elif known.value(word) is not None:
                seen[word] = None
        return list(seen)


def largest(size: Callable[[int], int | None], value: int, limit: int) -> int:
    """The largest number up to `value`, of a multiple of its power of two (at most 32), whose size fits; 0: none."""
    step = min(value & -value, 32)
    numbers = range(step, value + 1, step)
    if len(numbers) > _TRIED:  # sizes grow with the constant: the place where they stop fitting is searched for
        low, high = 0, len(numbers)
        while low < high:
            middle = (low + high) // 2
            bytes_ = size(numbers[middle])
            low, high = (middle + 1, high) if bytes_ is not None and bytes_ <= limit else (low, middle)
        return numbers[low - 1] if low else 0
    return next((n for n in reversed(numbers) if (bytes_ := size(n)) is not None and bytes_ <= limit), 0)

"""In what a thread collects its share of a counter, and whether there is room for the block's."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from hipport.frontend import shared
from hipport.rewrites.atomic_tree.exits import RefusedError
from hipport.targets import Vendor, load

if TYPE_CHECKING:
    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit
    from hipport.rewrites.atomic_tree.sites import Site
    from hipport.targets import Target

_UNSIGNED = {
    "int": "unsigned",
    "unsigned int": "unsigned",
    "unsigned": "unsigned",
    "uint": "unsigned",
    "int32_t": "unsigned",
    "uint32_t": "unsigned",
    "unsigned long long": "unsigned long long",
    "unsigned long long int": "unsigned long long",
    "uint64_t": "unsigned long long",
    "unsigned long": "unsigned long",
}
_REALS = frozenset({"float", "double"})
_SIGNED = frozenset({"int", "int32_t"})
_NEUTRAL = {  # what leaves a minimum, a maximum, a disjunction and a conjunction as they are; (signed, unsigned)
    "<": ("0x7fffffff", "0xffffffffu"),
    ">": ("-0x7fffffff - 1", "0u"),
    "|": ("0", "0u"),
    "&": ("-1", "0xffffffffu"),
}
WHOLE = frozenset({"unsigned", "int", "unsigned long long", "unsigned long"})  # sums that have no order
_OPTS_IN = re.compile(rb"MaxDynamicSharedMemorySize|MAX_DYNAMIC_SHARED_SIZE_BYTES")
_WAVES = {32: 32, 64: 16}  # of the largest block, 1024 threads
_LDS = {"unsigned": 4, "int": 4, "float": 4, "double": 8, "unsigned long long": 8, "unsigned long": 8}


def register(unit: Unit, function: Function, site: Site, sign: str) -> str:
    """The type in which a thread collects its share.

    Raises:
        RefusedError: the counter's type does not show, or has no such operation.
    """
    known = _UNSIGNED.get(site.kind, "")
    if sign == "+" and site.kind in _parameters(unit, function):
        return site.kind
    if sign in "+-":
        held = known or (site.kind if site.kind in _REALS else "")
    elif sign in "<>" and site.kind in _REALS:
        held = site.kind
    else:
        held = "int" if site.kind in _SIGNED else known
        held = held if held in ("int", "unsigned") else ""
    if not held:
        raise RefusedError(f"its type (`{site.kind or 'unknown'}`) is not one that is known here")
    return held


def _parameters(unit: Unit, function: Function) -> frozenset[str]:
    """The types that a kernel has as parameters of its template."""
    head = unit.text.code[max(0, function.start - 400) : function.start]
    last = head.rfind(b"template")
    if last < 0 or re.search(rb"[;{}]", head[last:]):
        return frozenset()
    return frozenset(name.decode() for name in re.findall(rb"(?:typename|class)\s+(\w+)", head[last:]))


def neutral(held: str, sign: str) -> str:
    """What leaves a result as it is."""
    if sign in "+-":
        return "0"
    if held in _REALS:
        return ("-" if sign == ">" else "") + ("__builtin_inff()" if held == "float" else "__builtin_inf()")
    return _NEUTRAL[sign][held != "int"]


def check(unit: Unit, target: Target, function: Function, group: list[Site], held: str) -> None:
    """Raise RefusedError where the kernel's LDS has no room for the tree on a GPU of AMD, or a macro makes the call."""
    room(unit, function, _LDS.get(held, 8) * _WAVES.get(target.warp_size, 32))
    if any(site.call.macro for site in group):
        raise RefusedError("a macro writes it")


def room(unit: Unit, function: Function, size: int) -> None:
    """Raise RefusedError where the kernel's LDS has no room for so many bytes more on a GPU of AMD."""
    arrays = list(shared.find(unit.text, unit.macros, function))
    shots = [shot for shot in unit.launches if shot.kernel == function.name]
    used = sum(array.size or 0 for array in arrays) + max((shot.lds or 0 for shot in shots), default=0)
    if used + size > least_lds():
        raise RefusedError(f"{used} bytes of LDS leave no room for {size} more")
    if any(array.dynamic for array in arrays) and _OPTS_IN.search(unit.text.code):
        raise RefusedError("its LDS is sized when it is launched, up to the limit")


@functools.cache
def least_lds() -> int:
    """The LDS of a block on the GPU of AMD that has least: an edit is written for all of them."""
    known = (t for t in load().values() if t.vendor is Vendor.AMD and t.knows("lds_max_per_block_dynamic_bytes"))
    return min(t.lds_dynamic_bytes for t in known)

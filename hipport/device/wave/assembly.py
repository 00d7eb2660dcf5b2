"""What is done to the compiler's assembly: room after variables, and a list of kernels that multiply and add."""

from __future__ import annotations

import re
from collections import defaultdict

GAP = 256  # bytes after a shared or device variable
# variables of the thread-local and of the zeroed sections, up to the next section
_SECTION = re.compile(
    r"^\t\.(?:section\t\.t?bss|bss)\b.*?(?=^\t\.(?:section|text|data|bss|file)\b|\Z)", re.MULTILINE | re.DOTALL
)
_ZERO = re.compile(r"^\t\.zero\t\d+\n", re.MULTILINE)
_CODE = re.compile(
    r"^(?P<label>[A-Za-z_$][\w$.]*):"
    r"|^\t(?:(?P<product>v?mul[sp][sd]|fmul)|(?P<sum>v?(?:add|sub)[sp][sd]|fadd|fsub)|(?:call|jmp|bl|b))\t(?P<target>[A-Za-z_$][\w$.]*)?",
    re.MULTILINE,
)
_KERNEL = "hipport_wave5enter"  # of the functions that run a kernel's body for one thread


def with_gaps(assembly: str) -> str:
    """Room after every variable, so that an access past its end meets no other one."""

    def wider(section: re.Match[str]) -> str:
        return _ZERO.sub(rf"\g<0>\t.zero\t{GAP}\n", section[0])

    return _SECTION.sub(wider, assembly)


def fusible(assembly: str) -> frozenset[str]:
    """Functions that multiply and add floating-point numbers, themselves or in what they call.

    A GPU's compiler may join the two and round once.
    """
    products, sums = set(), set()
    callers: dict[str, set[str]] = defaultdict(set)
    function = ""
    for match in _CODE.finditer(assembly):
        if match["label"]:
            function = match["label"]
        elif match["product"]:
            products.add(function)
        elif match["sum"]:
            sums.add(function)
        elif match["target"]:
            callers[match["target"]].add(function)
    found: set[str] = set()
    todo = list(products & sums)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += callers.get(name, ())
    return frozenset(found)


def with_contractions(assembly: str) -> str:
    """The kernels among them, listed in a section that the runtime reads."""
    rows = [f"\t.quad\t{name}\n" for name in sorted(fusible(assembly)) if _KERNEL in name]
    if not rows:
        return assembly
    return assembly + '\t.section\thipport_contracted,"aw"\n\t.balign\t8\n' + "".join(rows)

"""Words that a kernel's own variables hold, and that a compiler would keep in registers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hipport.rewrites.block_bounds import bound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.macros import Macros
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit

_TYPE = re.compile(r"(?P<of>[^\[\]]*[^\[\]\s])\s*(?P<sizes>(?:\[[^\[\]]+\])*)")
_BYTES = re.compile(
    r"u?(?P<name>char|bool|short|half|bfloat16|_Float16|float|double|long|int(?:8|16|32|64)?)"
    r"(?P<many>[1-4]?)(?:_t)?"
)
_SIZES = {
    **dict.fromkeys(("char", "bool", "int8"), 1),
    **dict.fromkeys(("short", "half", "bfloat16", "_Float16", "int16"), 2),
    **dict.fromkeys(("float", "int", "int32"), 4),
    **dict.fromkeys(("double", "long", "int64"), 8),
}
_QUALIFIERS = frozenset({"const", "volatile", "unsigned", "signed", "register"})
_WORD = 4  # bytes
_LARGEST = 32  # bytes of a vector (double4); what is larger is a structure
_MOST = 256  # words, all the registers that instructions can name: a larger array is kept in memory


def words(unit: Unit, kernel: Function, launches: Sequence[Launch]) -> int:
    """Words of 32 bits of the variables that a kernel declares: numbers, and arrays of them.

    Left out are shared arrays, pointers, structures, and arrays whose elements are picked by data, or in loops whose
    bounds are: those are kept in memory. Sizes that depend on the template's parameters are those of the launch that
    gives them the most.
    """
    body = unit.tree.bodies.get(kernel.body)
    if body is None or not unit.read_whole(kernel.start):
        return 0
    own = [n for n in body.walk() if n.kind == "variable" and not re.search(r"__shared__|[*&]", n.type)]
    fixed = frozenset([*bound.parameters(unit, kernel), *(n.name for n in own if "const" in n.type.split())])
    steady = _steady(body, unit.macros, fixed) if any("[" in n.type for n in own) else frozenset()
    most = 0
    for given in [bound.given(unit, kernel, launch) for launch in launches] or [{}]:
        spelled = {n.refers: _plain(n.type, given) for n in own}
        kept = [text for at, text in spelled.items() if "[" not in text or at in steady]
        most = max(most, sum(_words(text, _with(unit.macros, given)) for text in kept))
    return most


def _with(macros: Macros, more: Mapping[str, str]) -> Macros:
    return replace(macros, objects={**macros.objects, **more}) if more else macros


def _plain(spelled: str, given: Mapping[str, str]) -> str:
    """A type without qualifiers, a template's type replaced by the one that is given."""
    of, bracket, sizes = spelled.partition("[")
    words = [given.get(word, word) for word in of.split() if word not in _QUALIFIERS]
    return (" ".join(words) or "int") + bracket + sizes


def _words(spelled: str, macros: Macros) -> int:
    """The words of a variable; none where it is a structure, or a size of it is not known."""
    found = _TYPE.fullmatch(spelled)
    if found is None:
        return 0
    number = _BYTES.fullmatch(found["of"].split()[-1])
    if number:
        size = _SIZES[number["name"]] * int(number["many"] or 1)
    else:
        size = macros.value(f"sizeof({found['of']})") or _WORD
    if size > _LARGEST:
        return 0
    total = size
    for part in re.findall(r"\[([^\[\]]+)\]", found["sizes"]):
        total *= macros.value(part) or 0
    held = max(total // _WORD, 0 if found["sizes"] else 1)
    return held if held <= _MOST else 0


def _steady(body: Node, macros: Macros, fixed: frozenset[str]) -> frozenset[int]:
    """Where arrays are declared whose elements are picked by numbers and by counters of loops with constant bounds."""
    counters = frozenset(
        n.refers
        for loop in body.walk()
        if loop.kind == "for" and len(loop.kids) >= 3
        for n in loop.kids[0].walk()
        if n.kind == "variable" and _counted(loop, n.refers, macros, fixed)
    )
    picked: dict[int, bool] = {}
    for node in body.walk():
        if node.kind != "index" or len(node.kids) != 2:
            continue
        base = node.kids[0]
        while base.kind == "index" and base.kids:
            base = base.kids[0]
        inside = list(node.kids[1].walk())
        known = all(n.kind not in ("call", "index", "member") for n in inside)
        known = known and all(
            n.refers in counters or n.name in fixed or macros.value(n.name) is not None
            for n in inside
            if n.kind == "name"
        )
        picked[base.refers] = picked.get(base.refers, True) and known
    return frozenset(at for at, known in picked.items() if known)


def _counted(loop: Node, counter: int, macros: Macros, fixed: frozenset[str]) -> bool:
    """Whether a loop's bounds are numbers, constants and the template's parameters."""
    for node in (node for kid in loop.kids[:-1] for node in kid.walk()):
        if node.kind in ("call", "index", "member"):
            return False
        named = node.kind == "name" and node.refers != counter
        if named and node.name not in fixed and macros.value(node.name) is None:
            return False
    return True

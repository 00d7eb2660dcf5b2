"""# load-chain: a loop that waits for two loads in each turn

`for (k = begin[r]; k < begin[r + 1]; ++k) sum += value[k] * x[column[k]];` loads an index, waits, loads what it points
to, waits, adds. A GPU hides that latency by other waves; where rows are long and waves few, as in the backward pass of
embeddings, the loop itself is the time. Taken four turns at once (eight where the element has 16 bits), the loads of
all turns go out before the first addition. LLVM does not do so by itself where the number of turns is not constant (for
integer sums over consecutive indices it takes two).

Offered with `--optimize`: `#pragma unroll` before the loop. The additions keep their order, so that sums are equal bit
by bit, floating-point ones too. What that saves, as executed on isa:gfx950 (`hipport run --profile`, blocks of 256):

| case | instructions | waits and the like | 64-byte segments |
|---|---|---|---|
| `bags`: one segment a block, up to 41 indices | 8,022 -> 6,656 | 770 -> 482 | 2,214 -> 2,130 |
| `rows`: one row of up to 40 entries a thread | 6,468 -> 5,826 | 765 -> 718 | 18,627 -> 13,161 |

Done only for innermost `for` loops in device code whose bounds are known at run time, that add up in a local variable
what they load at an address from memory, and that store nothing, leave early nowhere and call nothing but arithmetic.
Short rows gain nothing: FBGEMM's own cascade of eight, four, two and one gained 60 % over a list of tables, and lost
15 % on the worst of them (#5835). Measure before you keep it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.model import Purpose, Safety
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "load-chain"
_TURNS, _TURNS_OF_16_BITS = 4, 8  # FBGEMM #5835
_LEAVES = frozenset({"for", "while", "do", "switch", "break", "continue", "return", "goto", "asm", "lambda"})
ARITHMETIC = re.compile(
    r"|__ldg|operator\S+|f?ma[fx]?f?|f?minf?|f?absf?|__?(?:half|bfloat16|low|high)\w*2?float2?|__h(?:add|mul|fma)2?"
    r"|make_\w+|(?:__)?expf?|r?sqrtf?|__f(?:add|mul|maf)_rn|(?:__)?(?:half2?|nv_bfloat162?)|(?:float|double|u?int)[234]?"
)
_CHANGES = frozenset({"++", "--", "p++", "p--"})
_BEFORE = re.compile(rb"[;{}]\s*(?:\n[ \t]*)?\Z|\n[ \t]*\Z")
_HALF = re.compile(r"half|bfloat16|\bshort\b|\bint16_t|\bchar\b|\bint8_t")


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    for function in unit.functions:
        body = unit.tree.bodies.get(function.body)
        if body is None or not unit.read_whole(function.start) or not unit.live(function.start):
            continue
        types = pointees.declared(unit.tree.parameters[function.body], body)
        for loop in body.walk():
            if loop.kind == "for" and len(loop.kids) >= 3 and not loop.macro and loop.start >= 0:
                yield from _of_loop(unit, function, loop, types)


def _of_loop(unit: Unit, function: Function, loop: Node, types: dict[int, str]) -> Iterator[Finding]:
    del function
    inside, code = list(loop.kids[-1].walk()), unit.text.code
    if any(node.kind in _LEAVES or _stores(node, types, code) or _calls(node, code) for node in inside):
        return
    chained = _chained(inside, types)
    if not chained or not any(_adds(node, types, code) for node in inside) or not _open_ended(loop, types):
        return
    data, start = unit.text.data, loop.start
    line = data.rfind(b"\n", 0, start) + 1
    if data[line:start].strip() or not _free(unit.text.code, line) or not unit.live(start):
        return
    turns = _TURNS_OF_16_BITS if _HALF.search(chained) else _TURNS
    newline = b"\r\n" if data[:4096].count(b"\r\n") else b"\n"
    yield finding(
        unit,
        _ID,
        (start, start + len(b"for")),
        f"each turn of this loop waits for an index and for what it points to: {turns} turns at once wait once",
        edits=(edit(unit, line, line, data[line:start] + f"#pragma unroll {turns}".encode() + newline),),
        safety=Safety.SAFE,
        purpose=Purpose.PERFORMANCE,
        next_step="the order of the sum stays; measure it where rows are short",
        family="shape",
    )


def _free(code: bytes, line: int) -> bool:
    """Whether a new line may stand before this one: no pragma, macro or branch without braces is in the line above."""
    above = code[:line].rstrip()
    return above.endswith((b";", b"{", b"}")) or re.search(rb"\n[ \t]*#[ \t]*(?!pragma)[^\n]*\Z", above) is not None


def _sign(node: Node, code: bytes) -> str:
    """The operator of a node, also where it depends on a template's parameter; empty where it is none."""
    if node.kind in ("assign", "binary", "unary"):
        return node.name
    if node.kind == "call" and len(node.kids) == 3 and node.kids[1].kind == "name" and not node.kids[1].name:
        return code[node.kids[1].start : node.kids[1].end].decode("utf-8", "replace")
    return ""


def _stores(node: Node, types: dict[int, str], code: bytes) -> bool:
    """Whether a node changes memory, or anything that is no variable or array of the function's own."""
    sign = _sign(node, code)
    if sign not in _CHANGES and (not sign.endswith("=") or sign in ("==", "<=", ">=", "!=")):
        return False
    place = node.kids[0]
    while place.kind == "member" and place.kids:
        place = place.kids[0]
    shown = types.get(pointees.source(place).refers, "")
    if place.kind == "name":
        return not shown or "&" in shown
    return place.kind != "index" or "[" not in shown or "*" in shown or "__shared__" in shown


def _calls(node: Node, code: bytes) -> bool:
    """Whether a node calls something that is not known to be arithmetic."""
    return node.kind == "call" and ARITHMETIC.fullmatch(pointees.called(node, code) or node.name) is None


def _chained(inside: list[Node], types: dict[int, str]) -> str:
    """The type of what a loop loads from a place that it loads too; empty where it does not."""
    loaded = {
        node.refers if node.kind == "variable" else node.kids[0].refers
        for node in inside
        if (node.kind == "variable" and node.kids) or (node.kind == "binary" and node.name == "=")
        if any(_loads(below, types) for kid in node.kids[-1:] for below in kid.walk())
    } - {-1}
    for node in inside:
        if not _loads(node, types):
            continue
        within = [below for kid in node.kids[1:] for below in kid.walk()]
        if any(_loads(below, types) or (below.kind == "name" and below.refers in loaded) for below in within):
            return types.get(pointees.source(node).refers, "")
    return ""


def _loads(node: Node, types: dict[int, str]) -> bool:
    """Whether a node reads global memory through a pointer."""
    return node.kind == "index" and "*" in types.get(pointees.source(node).refers, "")


def _adds(node: Node, types: dict[int, str], code: bytes) -> bool:
    """Whether a node adds to a variable of the function's own."""
    sign = _sign(node, code)
    if sign in ("+=", "-="):
        return types.get(pointees.source(node.kids[0]).refers, "*").count("*") == 0
    own = sign == "=" and node.kids[0].kind == "name"
    return own and any(n.kind == "name" and n.refers == node.kids[0].refers for n in node.kids[-1].walk())


def _open_ended(loop: Node, types: dict[int, str]) -> bool:
    """Whether the number of a loop's turns is known at run time only."""
    bounds = [node for kid in loop.kids[:-1] for node in kid.walk()]
    counters = {n.refers for n in bounds if n.kind == "variable"}
    counters |= {kid.refers for n in bounds if n.kind in ("unary", "assign") for kid in n.kids[:1]}
    names = [n for n in bounds if n.kind == "name" and n.refers in types and n.refers not in counters]
    return (
        any(n.kind == "index" for n in bounds)
        or any("const" not in types[n.refers].split() for n in names)
        or any(types[n.refers].startswith("const") for n in names if _filled(n, loop))
    )


def _filled(name: Node, loop: Node) -> bool:
    """Whether a constant that bounds a loop is declared in the function: its value may come from memory."""
    return 0 <= name.refers < loop.start


RULE = Rule(
    _ID,
    "A loop that waits for two loads in each turn",
    ("R5", "M10"),
    "shape",
    Provenance(
        "FBGEMM #5835 (8ac2022ea, PROCESS_BLOCK in the backward pass of table-batched embeddings)",
        "all; CDNA most, where a wave has little else to do",
    ),
    _find,
)

"""# atomic-spin: a loop that waits for another thread without end

`while (true) { v = atomicCAS(slot, empty, empty); if (v != empty) break; }` reads a place by an atomic until another
thread has written it. CUDA's threads go on independently since Volta, and in order of their blocks in practice. On AMD
the lanes of a wave run together: a lane whose value its own wave is to write waits for ever; blocks need not start in
order, and one that has not started cannot write. FBGEMM's hash of embeddings hung so on MI300 (#5714).

Told here: loops with no other way out, that read by an atomic which changes nothing (`atomicCAS(p, x, x)`,
`atomicAdd(p, 0)`, `atomicOr(p, 0)`). Count the turns and give up at a bound where the caller can go on without the
value; where it cannot, let blocks take their number from an atomic counter, so that whoever is awaited has started:
kernels that do are left alone, as are loops that try to change the place themselves. Locks are told by
`half-wave-wait`, polling through plain or volatile memory by `wait-polling`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.frontend import pointees
from hipport.frontend.branches import Side
from hipport.frontend.waits import WaitKind
from hipport.model import Safety, Status
from hipport.rewrites.forms import finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "atomic-spin"
_LOOPS = frozenset({"while", "do", "for"})
_READS = frozenset({"atomicCAS", "atomicAdd", "atomicOr", "atomicSub", "atomicXor", "atomicCAS_system"})
_TICKETS = frozenset({"atomicAdd", "atomicInc"})
_COUNTS = frozenset({"++", "--", "p++", "p--", "+=", "-="})
_ENDS = frozenset({"break", "return", "goto"})


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    if b"atomic" not in unit.text.code:
        return
    locks = {wait.start for wait in unit.waits if wait.kind is not WaitKind.BLOCK}
    for function in unit.functions:
        body = unit.tree.bodies.get(function.body)
        if body is None or not unit.read_whole(function.start) or _numbered(unit, body):
            continue
        for loop in body.walk():
            if loop.kind in _LOOPS and loop.start not in locks and unit.live(loop.start) and not loop.macro:
                read = _awaited(unit, loop)
                if read is not None and not _has_own_side(unit, loop):
                    yield _told(unit, read)


def _awaited(unit: Unit, loop: Node) -> Node | None:
    """The atomic that a loop reads again and again, if nothing else ends or bounds it."""
    inside = [node for kid in loop.kids for node in kid.walk()]
    if any(node.kind in ("assign", "unary", "binary") and node.name in _COUNTS for node in inside):
        return None
    code = unit.text.code
    reads = [node for node in inside if pointees.called(node, code) in _READS and _reads_only(unit, node)]
    if len(reads) != 1:
        return None
    condition = _condition(loop)
    if condition is not None and any(node is reads[0] for node in condition.walk()):
        return reads[0]
    endless = condition is None or condition.name in ("true", "1")
    return reads[0] if endless and _leaves_by(loop, reads[0]) else None


def _has_own_side(unit: Unit, loop: Node) -> bool:
    """Whether the author wrote a part of a loop for AMD."""
    starts, sides = unit.branches.starts, unit.branches.sides
    return any(loop.start <= at < loop.end and side is Side.AMD for at, side in zip(starts, sides, strict=True))


def _condition(loop: Node) -> Node | None:
    if loop.kind == "while":
        return loop.kids[0]
    if loop.kind == "do":
        return loop.kids[-1]
    return loop.kids[1] if len(loop.kids) > 2 else None


def _reads_only(unit: Unit, call: Node) -> bool:
    """Whether an atomic leaves the place as it is."""
    given = ["".join(unit.text.word(kid.start, kid.end).split()) for kid in pointees.arguments(call)]
    if len(given) == 3:
        return given[1] == given[2]
    return len(given) == 2 and given[1].rstrip("uUlL") == "0"


def _leaves_by(loop: Node, read: Node) -> bool:
    """Whether every way out of an endless loop is a branch on what the atomic gave."""
    kept = {
        node.refers if node.kind == "variable" else node.kids[0].refers
        for node in loop.walk()
        if (node.kind == "variable" or (node.kind == "binary" and node.name == "="))
        and any(below is read for kid in node.kids for below in kid.walk())
    } - {-1}
    ways = [node for node in loop.walk() if node.kind == "if" and any(n.kind in _ENDS for n in node.walk())]
    ends = [node for node in loop.walk() if node.kind in _ENDS]
    asks = [n for way in ways for n in way.kids[0].walk()]
    known = any(n is read or (n.kind == "name" and n.refers in kept) for n in asks)
    return bool(ways) and known and len(ways) == len(ends) == 1


def _numbered(unit: Unit, body: Node) -> bool:
    """Whether a kernel's blocks take a number from a counter, the result of an atomic kept in LDS or a variable."""
    return any(
        pointees.called(below, unit.text.code) in _TICKETS and not _reads_only(unit, below)
        for node in body.walk()
        if node.kind == "variable" or (node.kind == "binary" and node.name == "=")
        for kid in node.kids[-1:]
        for below in kid.walk()
    )


def _told(unit: Unit, read: Node) -> Finding:
    name = pointees.called(read, unit.text.code)
    return finding(
        unit,
        _ID,
        (read.start, read.end),
        f"a loop without end waits by `{name}` for what another thread writes: on AMD that thread may never run",
        safety=Safety.REVIEW,
        status=Status.REVIEW,
        next_step="bound its turns and go on without the value, or number the blocks by an atomic counter",
        family="atomics",
    )


RULE = Rule(
    _ID,
    "A loop that waits for another thread without end",
    ("M11", "S08"),
    "atomics",
    Provenance(
        "FBGEMM #5714 (5b950e3f4, hang on MI300); CUDA C++ Programming Guide, independent thread scheduling",
        "all; worst on wave64",
    ),
    _find,
)

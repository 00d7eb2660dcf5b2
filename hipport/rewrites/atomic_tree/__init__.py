"""# atomic-tree: every thread of a block updates one address

Atomics on one address run one after another, on MI300 and MI350 in the memory side's cache, out of reach of the die's
own L2. LLVM joins the lanes of one wave where it can prove that they share the address; what remains is one atomic for
each wave and each turn of a loop. Offered with `--optimize`: each thread collects its share in a register, the block
adds up by shuffles and one pass over LDS (64 to 256 bytes, one barrier), and one thread does the atomic. Blocks of any
size and shape, partial waves included. Integer results are equal bit by bit; a floating-point sum has another order,
which is shown for review.

Done only where the result of the atomic is unused, the address is the same for the whole block (a parameter, a
`__device__` variable, a member of a structure, `blockIdx`), no condition keeps it to one thread already, and every
thread comes to the place where the block meets. An early `return` before it becomes a branch around the rest. Where the
counter is used again later in the kernel, or another tree follows, a barrier stands behind the tree: without it threads
would see a count that lacks their own block. What stands in the way is told otherwise: a return in a loop, a fence or a
grid barrier beside it, a barrier after an early return, a type that a template hides; an atomic in a function that the
kernel calls.

First ask whether the total is needed. Where nobody reads it, that is told instead: leave the atomics out. Where only
"am I the first" is asked (`if (atomicAdd(&n, 1) == 0)`), a test before the atomic does better than any tree:
`if (n == 0 && atomicExch(&n, 1) == 0)`. FBGEMM's tree went that way: #5171 added it, #5744 dropped its last barrier,
#5818 put that back, and #6316 replaced all of it by such a claim, as the total was never read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from hipport.model import Purpose, Safety
from hipport.rewrites.atomic_tree import fields, helpers, sites, told
from hipport.rewrites.atomic_tree.exits import ORDERS, RefusedError, beginning, branch, indent, meeting, taken
from hipport.rewrites.atomic_tree.liveness import unread
from hipport.rewrites.atomic_tree.registers import WHOLE, check, neutral, register
from hipport.rewrites.atomic_tree.uniform import Fixed, origin
from hipport.rewrites.forms import advice, edit, finding, source
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.functions import Function
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Edit, Finding
    from hipport.rewrites.atomic_tree.exits import Meeting
    from hipport.rewrites.atomic_tree.sites import Site
    from hipport.targets import Target

_MEETS = re.compile(rb"\s*__syncthreads\s*\(\s*\)\s*;")
_CROWD = "its array holds more counters than trees are worth"
_UNREAD = "the total is never read"
_STEPS = {
    _UNREAD: "leave the atomics out",
    _CROWD: "count in an array in LDS, and add that to the one in memory at the end",
}
_LIMIT = "lds_max_per_block_dynamic_bytes"
_FEW = 4  # counters of one array: more of them are a histogram


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if b"tomic" not in unit.text.code or not target.knows(_LIMIT):
        return
    counting = helpers.counting(unit)
    for function in unit.functions:
        if not function.kernel or unit.blocked(function.start) or _of_one_thread(unit, function):
            continue
        body = unit.tree.bodies.get(function.body)
        if body is None or not unit.tree.whole(function.start, function.end):
            yield from told.as_text(unit, function)
            continue
        yield from (told.claim(unit, call.start, call.end) for call in sites.claims(unit, function, body))
        found = sorted(sites.find(unit, function, body), key=lambda s: (s.statement.start, s.key, s.name, s.call.start))
        groups = [list(group) for _, group in groupby(found, key=lambda s: (s.statement.start, s.key, s.name))]
        yield from told.through(unit, function, body, counting)
        yield from _of_kernel(unit, target, function, body, sorted(groups, key=lambda g: g[0].call.start))


def _of_one_thread(unit: Unit, function: Function) -> bool:
    """Whether every launch of a kernel has blocks of one thread."""
    shots = [s for s in unit.launches if s.kernel == function.name]
    return bool(shots) and all(set(s.block) == {1} for s in shots)


@dataclass(frozen=True, slots=True)
class _Tree:
    """What joins one group: its register, where that is declared, where the block meets, the call there."""

    group: list[Site]
    held: str
    declared: str
    meeting: Meeting
    own: tuple[Edit, ...]
    call: str
    used_later: bool


def _of_kernel(
    unit: Unit, target: Target, function: Function, body: Node, groups: list[list[Site]]
) -> Iterator[Finding]:
    trees: list[_Tree] = []
    known: set[str] = set()
    if groups and taken(unit, target, function):
        yield _advised(unit, groups[0][0], "another rewrite changes who runs its statements")
        return
    for group in groups:
        site = group[0]
        try:
            trees.append(_tree(unit, target, function, body, groups, group, len(trees)))
        except RefusedError as refused:
            if str(refused) not in known:
                yield _advised(unit, site, str(refused))
            known.add(str(refused))
    guarded = [tree for tree in trees if tree.meeting.guards]
    for tree in trees:
        if not tree.meeting.guards:
            yield _offered(unit, [tree], barrier=tree is not trees[-1])
    if guarded:
        yield _offered(unit, guarded, barrier=False)


def _crowd(groups: list[list[Site]]) -> set[int]:
    """The arrays of counters in which a kernel updates more than a few."""
    keys: dict[int, set[str]] = {}
    for group in groups:
        keys.setdefault(group[0].base, set()).add(group[0].key)
    return {base for base, found in keys.items() if len(found) > _FEW}


def _tree(
    unit: Unit,
    target: Target,
    function: Function,
    body: Node,
    groups: list[list[Site]],
    group: list[Site],
    number: int,
) -> _Tree:
    """How the atomics of one statement on one address are joined; `groups` are all of the kernel.

    Raises:
        RefusedError: they cannot be.
    """
    site = group[0]
    if unread(unit, function, site.base, body):
        raise RefusedError(_UNREAD)
    if site.base in _crowd(groups):
        raise RefusedError(_CROWD)
    shim, sign = sites.JOINED[site.name]
    held = register(unit, function, site, sign)
    place = meeting(unit, function, body, site.statement)
    check(unit, target, function, group, held)
    fixed = Fixed(unit, body, unit.tree.parameters[function.body])
    uses = _others(fixed, body, group, groups)
    till = function.end if place.guards else place.at
    if any(site.statement.start <= use.start < till for use in uses):
        raise RefusedError("the counter is used beside it")
    name = f"hipport_{'sum' if sign in '+-' else 'best' if sign in '<>' else 'bits'}{number or ''}"
    begun = neutral(held, sign)
    own = tuple(piece for one in group for piece in _collected(unit, one, name, sign))
    limit = place.guards[0].start if place.guards else site.statement.start
    address = fixed.spelled(unit, _arguments(unit, site)[0], site.address, limit)
    fenced = ORDERS.search(unit.text.code, place.at, function.end) is not None  # others tell that they have counted
    later = fenced or any(use.start > place.at for use in uses)
    return _Tree(group, held, f"{held} {name} = {begun};", place, own, f"hipport::{shim}({address}, {name});", later)


def _offered(unit: Unit, trees: list[_Tree], *, barrier: bool) -> Finding:
    """The finding that writes trees which meet at one place; `barrier`: another one follows in the kernel."""
    site, place = trees[0].group[0], trees[0].meeting
    statement = place.guards[0].start if place.guards else site.statement.start
    first, margin = beginning(unit, statement), indent(unit, statement)
    above = unit.text.code[first : first + 1] == b"#"  # a pragma, which keeps its line to itself
    declared = "".join(f"{margin}{t.declared}\n" if above else f"{t.declared}\n{margin}" for t in trees)
    text = "".join(f"\n{margin}}}" for _ in place.guards)
    met = _MEETS.match(unit.text.code, place.at) is not None
    for tree in trees:
        behind = (not met and (barrier or tree.used_later)) or tree is not trees[-1]
        text += f"\n{margin}{tree.call}" + (f"\n{margin}__syncthreads();" if behind else "")
    edits = (
        edit(unit, first, first, declared.encode()),
        *(piece for guard in place.guards for piece in branch(unit, guard)),
        *(own for tree in trees for own in tree.own),
        edit(unit, place.at, place.at, text.encode()),
    )
    real = any(tree.held not in WHOLE for tree in trees)
    names = ", ".join(f"`{tree.group[0].key}`" for tree in trees)
    return finding(
        unit,
        told.ID,
        (site.call.start, site.call.end),
        f"all threads of a block update {names}: one atomic a block does"
        + ("; a floating-point sum changes its order, a minimum what it does with NaN" if real else ""),
        edits=edits,
        safety=Safety.REVIEW if real else Safety.SAFE,
        shims=("block_tree",),
        purpose=Purpose.PERFORMANCE,
        next_step="ask whether the total is read at all before you make it fast",
        family="atomics",
    )


def _others(fixed: Fixed, body: Node, group: list[Site], groups: list[list[Site]]) -> list[Node]:
    """The uses of the counter's variable that are no atomics of these groups: their order among them is free."""
    inside = [(site.call.start, site.call.end) for site in group]
    free = (other for other in groups if other is not group and _commutes(group[0], other[0]))
    inside += [(site.address.start, site.address.end) for other in free for site in other]
    uses = fields.beside(body, group[0].address, fixed.uses(body, origin(group[0].address)))
    return [node for node in uses if not any(a <= node.start < b for a, b in inside)]


def _commutes(one: Site, other: Site) -> bool:
    """Whether the order of two atomics does not matter: both add, both do the same, or they are apart for sure."""
    signs = {sites.JOINED[site.name][1] for site in (one, other)}
    return signs <= {"+", "-"} or len(signs) == 1 or fields.apart(one.key, other.key)


def _arguments(unit: Unit, site: Site) -> tuple[tuple[int, int], ...]:
    """Where the arguments of an atomic stand.

    Raises:
        RefusedError: not all of them show.
    """
    pieces = unit.text.arguments(unit.text.code.index(b"(", site.call.start), site.call.end - 1)
    if len(pieces) != (1 if site.name == "gpuAtomicIncrement" else 2):
        raise RefusedError("its arguments do not show")
    return pieces


def _collected(unit: Unit, site: Site, name: str, sign: str) -> tuple[Edit, ...]:
    """The atomic as a thread's own, `sum += value`: what stands around the value is replaced, the value is not."""
    pieces = _arguments(unit, site)
    start, end = site.call.start, site.call.end
    if len(pieces) == 1:
        return (edit(unit, start, end, f"{name} += 1".encode()),)
    value = source(unit, pieces[1]).decode("utf-8", "replace")
    simple = value.isdigit() or re.fullmatch(rf"\({re.escape(site.kind)}\)\s*[\w.\[\]]+", value)
    before, after = ("", "") if simple else (f"({site.kind})(", ")")
    if sign in "<>":
        before, after = f"{name} = hipport::{'Least' if sign == '<' else 'Most'}()({name}, {before}", f"{after})"
    else:
        before = f"{name} {sign}= {before}"
    return edit(unit, start, pieces[1][0], before.encode()), edit(unit, pieces[1][1], end, after.encode())


def _advised(unit: Unit, site: Site, reason: str) -> Finding:
    step = _STEPS.get(reason, told.STEP)
    message = f"all threads of a block update `{site.key}`; not rewritten: {reason}"
    return advice(unit, told.ID, (site.call.start, site.call.end), message, step, family="atomics")


RULE = Rule(
    told.ID,
    "Every thread of a block updates one address",
    ("A08",),
    "atomics",
    Provenance(
        "FBGEMM #4255, #5171, #5744, #5818, #6316; LLVM AMDGPU atomic optimizer; ROCm GPU atomics operation",
        "all; MI300 and MI350 most",
        practice="the tree of FBGEMM's bounds check was superseded by a claim (#6316): its total was never read",
    ),
    _find,
)

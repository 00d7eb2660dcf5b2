"""What threads without work give to a barrier that asks something of each: the neutral element, where it is known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.rewrites.barrier_divergence.operators import Kind, meant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.frontend.barriers import Barrier
    from hipport.frontend.tree import Node
    from hipport.rewrites.barrier_divergence.work import Work

_GROUP = rb"(?:\w+\s*::\s*)*(?:this_(?:thread_block|grid)\s*\(\s*\)|\w+)"
_BARE = re.compile(
    rb"(?:__syncthreads\s*\(\s*\)|"
    + _GROUP
    + rb"\s*\.\s*sync\s*\(\s*\)|(?:\w+\s*::\s*)+sync\s*\(\s*"
    + _GROUP
    + rb"\s*\))\s*;?"
)
_WAITS = rb"__syncthreads\s*\(\s*\)\s*;?"
_ASM = re.compile(
    rb'\(\s*"\s*bar(?:rier)?(?:\.cta)?\.sync(?:\.aligned)?\s+0\s*;\s*(?:\\n)?"\s*(?:::\s*:?\s*"memory"\s*)?\)\Z'
)
_VOTE = re.compile(rb"__syncthreads_(count|or|and)\s*\(")
_ASKED = re.compile(
    rb"(?:\.\s*(?P<member>(?:Inclusive|Exclusive)?Sum|Reduce|InclusiveScan|ExclusiveScan)"
    rb"|(?P<helper>[bB]lock_?(?:[aA]ll_?)?[rR]educe_?(?P<what>[sS]um|[mM]ax|[mM]in)))\s*(?:<[^;{}()]*>)?\s*\("
)
_COUNTS = {b"Reduce": (2,), b"InclusiveScan": (3,), b"ExclusiveScan": (3, 4)}  # arguments; the last is the operator
_READS = re.compile(rb"(?<!&)\b[\w.]+\s*\[|->|[(,=]\s*\*")
_BY_NAME = {b"sum": Kind.SUM, b"max": Kind.MAX, b"min": Kind.MIN}


class RefusedError(Exception):
    """Why a function keeps its early return."""


def is_bare(work: Work, node: Node) -> bool:
    """Whether a statement does nothing but wait for the block."""
    inside = [b for b in work.met if node.start <= b.start < node.end]
    whole = work.unit.text.code[node.start : node.end].strip()
    return _BARE.fullmatch(whole) is not None or (len(inside) == 1 and _only_waits(work, inside[0]))


def given(work: Work, node: Node, flag: str) -> None:
    """Add the edits of the barriers in a statement or condition.

    Raises:
        RefusedError: it is not known what a thread without work may give.
    """
    for barrier in [b for b in work.met if node.start <= b.start < node.end]:
        _asked(work, node, barrier, flag)


def _only_waits(work: Work, barrier: Barrier) -> bool:
    """Whether a function, lambda, macro or asm statement does nothing but wait for the block."""
    text = work.unit.text
    if barrier.through == "bar.sync":
        return _ASM.search(text.data, barrier.start, barrier.end) is not None
    name = re.escape(barrier.through.encode())
    made = rb"\b(?:void\s+" + name + rb"\s*\([^()]*\)|auto\s+" + name + rb"\s*=\s*\[[^\[\]]*\]\s*(?:\(\s*\)\s*)?)\s*\{"
    ways = [rb"\s*" + _WAITS + rb"\s*\}", rb"[^{}]*\}"]
    only, every = (len(re.findall(made + way, text.code)) for way in ways)
    macro = rb"(?m)^[ \t]*#[ \t]*define[ \t]+" + name + rb"(?:\(\s*\))?[ \t]+"
    only += len(re.findall(macro + _WAITS + rb"[ \t]*$", text.code))
    every += len(re.findall(macro, text.code))
    return only == every == 1


def _asked(work: Work, node: Node, barrier: Barrier, flag: str) -> None:
    """What one barrier with a value asks of the threads without work."""
    text = work.unit.text
    vote = _VOTE.match(text.code, barrier.start)
    call = vote or _ASKED.search(text.code, barrier.start, node.end)
    if call is None:
        raise RefusedError(f"it is not known what the other threads may give to `{barrier.through}`")
    arguments = text.arguments(call.end() - 1, text.close(call.end() - 1))
    if not arguments:
        raise RefusedError(f"`{barrier.through}` takes nothing")
    start, stop = arguments[0]
    value = work.text(start, stop)
    if vote:
        kept = f"!{flag} || ({value})" if vote.group(1) == b"and" else f"{flag} && ({value})"
        work.replace(start, stop, kept)
        return
    others = arguments[1:-1] if call["member"] in _COUNTS else arguments[1:]
    if any(_READS.search(text.code, *one) for one in others):
        raise RefusedError(f"what `{barrier.through}` is given reads memory")
    kind = _kind(work, barrier, call, arguments)
    if kind in (Kind.MAX, Kind.MIN):
        work.shims.add("neutral")
    if any(n.kind == "variable" and n.name == value and "[" in n.type for n in work.body.walk()):
        if text.code[: node.start].rstrip()[-1:] not in b";{}":
            raise RefusedError(f"`{barrier.through}` stands without braces")
        one = kind.element("hipport_item")
        work.put(node.start, f"if (!{flag}) for (auto& hipport_item : {value}) hipport_item = {one};\n  ")
        return
    work.replace(start, stop, f"{flag} ? ({value}) : {kind.element(value)}")


def _kind(work: Work, barrier: Barrier, call: re.Match[bytes], arguments: Sequence[tuple[int, int]]) -> Kind:
    """What a reduction or scan of the block does."""
    if call["helper"]:
        kind = _BY_NAME[call["what"].lower()]
        bodies = [f for f in work.unit.functions if f.name == call["helper"].decode()]
        made = b"".join(work.unit.text.code[f.body : f.end] for f in bodies)
        if kind is not Kind.SUM and re.search(rb"\bf?abs[fl]?\s*\(", made):  # of magnitudes none is below 0
            kind = Kind.SUM if kind is Kind.MAX else Kind.UNKNOWN
    elif call["member"].endswith(b"Sum"):
        kind = Kind.SUM
    else:
        counts = _COUNTS[call["member"]]
        kind = meant(work.unit, work.text(*arguments[-1])) if len(arguments) in counts else Kind.UNKNOWN
    if kind is Kind.UNKNOWN:
        raise RefusedError(f"it is not known what the other threads may give to `{barrier.through}`")
    return kind

"""What threads without work give to a barrier that asks something of each: the neutral element, where it is known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.rewrites.forms import edit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hipport.frontend.barriers import Barrier
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Edit

_VOTE = re.compile(rb"__syncthreads_(count|or|and)\s*\(")
_SUM = re.compile(
    rb"(?:\.\s*(?:Inclusive|Exclusive)?Sum|[bB]lock_?(?:[aA]ll_?)?[rR]educe_?[sS]um)\s*(?:<[^;{}()]*>)?\s*\("
)


class RefusedError(Exception):
    """Why a function keeps its early return."""


def given(unit: Unit, node: Node, met: Iterable[Barrier], flag: str, edits: list[Edit]) -> None:
    """Add the edits of a statement with one barrier; a bare barrier needs none.

    Raises:
        RefusedError: it is not known what a thread without work may give.
    """
    inside = [b for b in met if node.start <= b.start < node.end]
    if re.fullmatch(rb"(?:__syncthreads|\w+\s*\.\s*sync)\s*\(\s*\)", unit.text.code[node.start : node.end].strip()):
        return
    edits.extend(_asked(unit, barrier, node.end, flag) for barrier in inside)


def _asked(unit: Unit, barrier: Barrier, end: int, flag: str) -> Edit:
    """What one barrier with a value asks of the threads without work."""
    text = unit.text
    vote = _VOTE.match(text.code, barrier.start)
    call = vote or _SUM.search(text.code, barrier.start, end)
    if call is None:
        raise RefusedError(f"it is not known what the other threads may give to `{barrier.through}`")
    arguments = text.arguments(call.end() - 1, text.close(call.end() - 1))
    if not arguments:
        raise RefusedError(f"`{barrier.through}` takes nothing")
    start, stop = arguments[0]
    value = text.data[start:stop].decode("utf-8", "replace")
    if vote:
        kept = f"!{flag} || ({value})" if vote.group(1) == b"and" else f"{flag} && ({value})"
    else:  # the type of the value itself, so that both sides of the choice have one
        kept = f"{flag} ? ({value}) : static_cast<__remove_cvref(decltype({value}))>(0)"
    return edit(unit, start, stop, kept.encode())

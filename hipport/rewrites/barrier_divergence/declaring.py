"""Declarations among threads some of which have stopped working: a variable is there for all, its value for those."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.rewrites.barrier_divergence.neutral import RefusedError
from hipport.rewrites.barrier_divergence.purity import is_pure, pointed, scalar

if TYPE_CHECKING:
    from hipport.frontend.tree import Node
    from hipport.rewrites.barrier_divergence.work import Work


def declaration(work: Work, node: Node, flag: str) -> None:
    """Add the edits of a declaration: what reads memory is done by the working threads, the others get a zero."""
    for variable in node.kids:
        if variable.kind != "variable" or not variable.kids or "__shared__" in variable.type:
            continue
        value = variable.kids[-1]
        if any(n.kind == "name" and n.refers in work.written for n in value.walk()):
            work.written.add(variable.refers)
        if is_pure(value, work.unit.text.data) or variable.type.rstrip().endswith("&") or value.kind == "lambda":
            continue
        begin = work.unit.text.code.rfind(b"=", variable.start, value.start)
        if begin < 0 or work.unit.text.code[begin - 1 : begin] in b"<>=!":
            raise RefusedError(f"`{variable.name}` is set in a way that is not understood")
        code = work.unit.text.code
        begin = next(at for at in range(begin + 1, value.end) if code[at] not in b" \t\r\n")
        spelled = scalar(variable.type)
        if pointed(variable.type):
            work.put(begin, f"{flag} ? ")
            work.put(variable.end, " : nullptr")
        elif spelled:
            work.put(begin, f"{flag} ? static_cast<{spelled}>(")
            zero = f"static_cast<{spelled}>(0)" if " " in spelled else f"{spelled}()"  # `unsigned int()` is no C++
            work.put(variable.end, f") : {zero}")
        else:
            raise RefusedError(f"`{variable.name}` is no scalar")
        work.written.add(variable.refers)

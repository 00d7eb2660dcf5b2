"""Which expressions are the same in all threads of a block, and how one is written where the block meets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import pointees

if TYPE_CHECKING:
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit

_BUILTINS = frozenset({"blockIdx", "blockDim", "gridDim"})
_CHANGING = frozenset({"=", "++", "--", "p++", "p--"})
_LONGEST = 8  # variables that are made of each other
_OPERATORS = frozenset({"+", "-", "*", "/", "%", "<<", ">>", "&", "|"})


def origin(address: Node) -> Node:
    """The variable that an address counts from; casts and members are looked through."""
    node = pointees.source(address)
    while node.kind in ("cast", "member") and node.kids:
        node = pointees.source(node.kids[-1] if node.kind == "cast" else node.kids[0])
    return node


class Fixed:
    """Which expressions are the same in all threads of a block, from the kernel's first statement to its last.

    `changed` are the variables that get another value, or may by their address, by where they are declared.
    """

    def __init__(self, unit: Unit, body: Node, parameters: tuple[Node, ...]) -> None:
        self._unit = unit
        own = [n for n in (*parameters, *body.walk()) if n.kind in ("variable", "parameter")]
        self._own = {n.refers for n in own}
        self._plain = {n.refers for n in parameters if not re.search(r"[*&\[]", n.type)}  # values of the kernel's own
        written = (
            kid
            for node in body.walk()
            if node.kind == "assign" or (node.kind in ("unary", "binary") and node.name in _CHANGING)
            for kid in node.kids[:1]
        )
        self.changed = {part.refers for kid in written if (part := self._part_of(kid)).kind == "name"}
        taken = (n.kids[0] for n in body.walk() if n.kind == "unary" and n.name == "&" and n.kids)
        self.changed |= {part.refers for kid in taken if (part := self._part_of(kid)).kind == "name"} - {-1}
        self._known = {n.refers for n in parameters} | {-1}
        self._outermost = {n.refers for kid in body.kids if kid.kind == "declare" for n in kid.kids}
        self._made: dict[int, Node] = {}
        locals_ = [n for n in body.walk() if n.kind == "variable" and len(n.kids) == 1]
        for node in locals_:
            if "__shared__" not in node.type and self.value(node.kids[0]):
                self._known.add(node.refers)
                self._made[node.refers] = node

    def _part_of(self, node: Node) -> Node:
        """The variable that a place is a part of: the `p` of `p.x` and `p.x.y`, but not of `p->x`."""
        while node.kids and node.kind == "member" and not self._arrow(node):
            node = node.kids[0]
        return node

    def _arrow(self, member: Node) -> bool:
        """Whether a member is reached by a pointer."""
        code = self._unit.text.code
        return not member.kids or code[member.kids[0].end : member.end].lstrip(b" \t\r\n)").startswith(b"->")

    def address(self, node: Node) -> bool:
        """Whether an address is one for the block."""
        if node.kind == "unary" and node.name == "&" and node.kids:
            return self._place(node.kids[0])
        return self.value(node)

    def _place(self, node: Node) -> bool:
        """Whether a place is one for the block, in memory that its threads share."""
        if node.kind == "name":
            return node.refers not in self._own - {-1} and node.name != "threadIdx"
        if node.kind == "member" and node.kids:
            return self.value(node.kids[0]) if self._arrow(node) else self._place(node.kids[0])
        if node.kind == "index" and len(node.kids) == 2:
            base, index = node.kids
            return self.value(index) and (self.value(base) or (base.kind != "name" and self._place(base)))
        return False

    def value(self, node: Node) -> bool:
        """Whether a value is one for the block; what is read from memory may differ."""
        if node.kind == "name":
            if node.name in _BUILTINS or (not node.name and not node.kids):
                return True
            known = node.refers in self._known or (node.refers not in self._own and self._steady(node.name))
            return node.name != "threadIdx" and known and node.refers not in self.changed
        if node.kind == "integer":
            return True
        if node.kind == "member" and node.kids:
            base = self._part_of(node)
            own = base.kind == "name" and base.refers in self._plain - self.changed
            return own or (node.kids[0].kind == "name" and node.kids[0].name in _BUILTINS)
        if node.kind in ("binary", "unary") and node.name in _OPERATORS:
            return not (node.kind == "unary" and node.name == "*") and all(self.value(kid) for kid in node.kids)
        if node.kind == "cast" or (node.kind == "call" and not node.name and len(node.kids) == 3):
            return all(self.value(kid) for kid in node.kids)
        return False

    def _steady(self, name: str) -> bool:
        """Whether a name of the file is a constant or an array, not a variable that threads may change."""
        if self._unit.macros.value(name) is not None:
            return True
        word = re.escape(name.encode())
        kept = rb"__constant__[^;{}()]*(?<!\w)%s(?!\w)|(?:__device__|__managed__)[^;{}()=]*(?<!\w)%s\s*\[" % (
            word,
            word,
        )
        return bool(name) and re.search(kept, self._unit.text.code) is not None

    def chain(self, base: Node) -> list[Node]:
        """The variable that an address counts from, and those that it was made of in turn."""
        found = [base]
        while base.refers in self._made and len(found) < _LONGEST:
            base = origin(self._made[base.refers].kids[0])
            found.append(base)
        return found

    def made_of(self, node: Node) -> list[Node]:
        """The names in a fixed expression, and those that its variables are made of."""
        found = [name for name in node.walk() if name.kind == "name"]
        for name in tuple(found):
            if name.refers in self._made:
                found += self.made_of(self._made[name.refers].kids[0])
        return found

    def uses(self, body: Node, base: Node) -> list[Node]:
        """The names by which a kernel reaches what `base` points to, but where its own variables are made.

        Other pointers that are made of it count too, where they are used.
        """
        chain = self.chain(base)
        known = {(name.refers, name.name) for name in chain}
        own = [n for n in body.walk() if n.kind == "variable" and any(n.refers == c.refers for c in chain)]
        others = [n for n in body.walk() if n.kind == "variable" and "*" in n.type and n not in own and n.kids]
        for _ in range(_LONGEST):
            made = {(n.refers, n.name) for n in others if any((k.refers, k.name) in known for k in n.walk())} - known
            known |= made
            if not made:
                break
        named = [n for n in body.walk() if n.kind == "name" and (n.refers, n.name) in known]
        return [n for n in named if not any(v.start <= n.start < v.end for v in own)]

    def spelled(self, unit: Unit, piece: tuple[int, int], node: Node, limit: int) -> str:
        """The text of a fixed expression in the kernel's own block.

        A variable of a block within, or one that is declared behind `limit`, is replaced by what it is made of.
        """
        start, end = piece
        text, at = b"", start
        for name in sorted((n for n in node.walk() if n.kind == "name"), key=lambda n: n.start):
            made = self._made.get(name.refers)
            if made is None or (name.refers in self._outermost and name.refers < limit) or name.start < at:
                continue
            value = made.kids[0]
            inner = self.spelled(unit, (value.start, value.end), value, limit)
            text += unit.text.data[at : name.start] + f"(({made.type.removeprefix('const ')})({inner}))".encode()
            at = name.end
        return (text + unit.text.data[at:end]).decode("utf-8", "replace")

"""Counters that are members of a structure: their types as the file has them, and which of them are apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit

_FIRST = re.compile(r"(?P<type>[A-Za-z_].*?[\s*])(?P<name>[A-Za-z_]\w*)\s*(?:\[[^\[\]]*\]\s*)*\Z", re.DOTALL)
_MORE = re.compile(r"(?P<type>\**)\s*(?P<name>[A-Za-z_]\w*)\s*(?:\[[^\[\]]*\]\s*)*\Z")
_QUALIFIERS = re.compile(r"\b(?:const|struct|volatile|__restrict__|__restrict)\b|[*&]")
_PLACE = re.compile(r"&?(\w+)(?:\[(\d+)\]|\+(\d+))?|&(\w+)(?:->|\.)(\w+)")


def member(address: Node) -> Node | None:
    """The member that an address means: that of `&s->n`, `&s->n[2]` and `s.p`; None where it means none."""
    node = address
    while node.kids and node.kind in ("unary", "index", "binary", "cast"):
        node = node.kids[-1] if node.kind == "cast" else node.kids[0]
    return node if node.kind == "member" else None


def beside(body: Node, address: Node, uses: list[Node]) -> list[Node]:
    """Those uses of a structure's variable that may mean the very member that an address means."""
    mine = member(address)
    if mine is None:
        return uses
    own, chains, todo = _path(mine), {}, [(body, False)]
    while todo:
        node, within = todo.pop()
        chain = node.kind in ("member", "index")
        if chain and not within:
            first = node
            while first.kids and first.kind in ("member", "index"):
                first = first.kids[0]
            chains[first.start] = _path(node)
        todo += [(kid, chain and at == 0) for at, kid in enumerate(node.kids)]
    return [use for use in uses if not _differ(own, chains.get(use.start, (use.name,)))]


def _path(node: Node) -> tuple[str, ...]:
    """The names from a variable to a member of it, with `[` for what an index leads to."""
    names: list[str] = []
    while node.kids and node.kind in ("member", "index"):
        names.append(node.name if node.kind == "member" else "[")
        node = node.kids[0]
    return (node.name, *reversed(names))


def _differ(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two ways into a structure part at a member."""
    for a, b in zip(one, other, strict=False):
        if a != b:
            return "[" not in (a, b)
    return False


def kind(unit: Unit, address: Node, types: dict[int, str]) -> str:
    """The type that a member's address points to, by the structures in the file; empty where it does not show."""
    found = member(address)
    shown = declared(unit, found, types) if found is not None else ""
    if not (address.kind == "unary" and address.name == "&"):
        return shown[:-1].strip() if shown.endswith("*") else ""
    return "" if "*" in shown else shown


def element(unit: Unit, address: Node, types: dict[int, str]) -> str:
    """The type of what a member of a structure points to, or is an array of; empty where it does not show."""
    found = member(address)
    shown = declared(unit, found, types) if found is not None else ""
    return shown[:-1].strip() if shown.endswith("*") else shown


def declared(unit: Unit, node: Node, types: dict[int, str]) -> str:
    """The type of a variable, or of a member of one."""
    if node.kind == "name":
        return types.get(node.refers, "")
    if node.kind != "member" or not node.kids:
        return ""
    around = re.sub(
        r"\b(?:const|struct|volatile|__restrict__|__restrict)\b|[*&]", " ", declared(unit, node.kids[0], types)
    )
    return _fields(unit, around.strip()).get(node.name, "") if around.strip().isidentifier() else ""


def _fields(unit: Unit, record: str) -> dict[str, str]:
    """The members of a structure that the file defines once, with their types."""
    code = unit.text.code
    heads = list(re.finditer(rb"(?<!\w)(?:struct|class)\s+%s\s*\{" % re.escape(record.encode()), code))
    close = unit.text.close(heads[0].end() - 1) if len(heads) == 1 else -1
    out: dict[str, str] = {}
    for piece in code[heads[0].end() : close].decode("utf-8", "replace").split(";") if close >= 0 else ():
        if re.search(r"[(){}<>:=#]", piece):
            continue
        first, *more = piece.split(",")
        opening = _FIRST.fullmatch(first.strip())
        if opening is None:
            continue
        words = opening["type"].replace("*", " ").split()
        plain = " ".join(word for word in words if word not in ("const", "volatile"))
        out[opening["name"]] = plain + "*" * opening["type"].count("*")
        for one in more:
            following = _MORE.fullmatch(one.strip())
            if following:
                out[following["name"]] = plain + following["type"]
    return out


def apart(one: str, other: str) -> bool:
    """Whether two addresses, as written, are different places for sure."""
    places = [_PLACE.fullmatch(key) for key in (one, other)]
    if None in places or one == other:
        return False
    a, b = (place.groups() for place in places if place)
    if (a[3] is None) != (b[3] is None):
        return False
    if a[3] is not None:
        return a[3] != b[3] or a[4] != b[4]
    return (a[0], int(a[1] or a[2] or 0)) != (b[0], int(b[1] or b[2] or 0))

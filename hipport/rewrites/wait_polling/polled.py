"""What a waiting loop reads, and how that becomes an atomic load."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.frontend.meaning import Meanings, Means
from hipport.rewrites.forms import edit

if TYPE_CHECKING:
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.frontend.waits import Wait
    from hipport.model import Edit

_HELD = re.compile(
    r"(?:(?:const|volatile|unsigned|signed|int|long|short|char|bool)\s+)*"
    r"(?:unsigned|signed|int|long|short|char|bool|u?int(?:8|16|32|64)_t|size_t|uint|ulong|cuuint(?:32|64)_t)"
    r"(?:\s+(?:volatile|const))*"
)
_CAST = re.compile(rb"\(\s*((?:volatile\s+)?[\w\s]+?)\s*\*\s*\)|reinterpret_cast\s*<\s*([\w\s]+?)\s*\*\s*>")
_FENCED = re.compile(
    rb"[\s;}]*(?:__syncthreads\s*\(\s*\)\s*;\s*)?(?:__threadfence|__builtin_amdgcn_fence|\w*::atomic_thread_fence)\w*\s*[(<]"
)
_COMPARES = ("==", "!=", "<=", ">=")
_LOADS = ("__ldcg", "__ldcv")


@dataclass(frozen=True, slots=True)
class Polled:
    """A loop's one read. `fresh` is true where each turn reads memory anew, `edits` make it an acquire."""

    fresh: bool
    fenced: bool
    edits: tuple[Edit, ...] = ()


def polled(unit: Unit, wait: Wait) -> Polled | None:
    """What is known of a waiting loop; None where clang did not read it, or several places are read."""
    function = unit.function_at(wait.start)
    body = unit.tree.bodies.get(function.body) if function else None
    if function is None or body is None:
        return None
    loop = next((n for n in body.walk() if n.start == wait.start and n.end == wait.end), None)
    if loop is None or any(n.kind == "asm" for n in loop.walk()):
        return None
    parameters = unit.tree.parameters[function.body]
    types = {n.refers: n.type for n in (*parameters, *body.walk()) if n.kind in ("variable", "parameter")}
    reads = _reads(unit, loop, types)
    if len(reads) != 1:
        return None
    read = reads[0]
    text = unit.text.data[read.start : read.end]
    base = next((n for n in read.walk() if n.kind == "name" and n.name not in _LOADS), read)
    fresh = read.name in _LOADS or b"volatile" in text or "volatile" in _declared(unit, base, types)
    fenced = _FENCED.match(unit.text.code, loop.end) is not None
    meanings = Meanings(body, parameters, unit.macros)
    sure = unit.read_whole(wait.start) and not read.macro and _of_blocks(loop, base, body, meanings)
    if not sure or not _holds(unit, read, base, types):
        return Polled(fresh, fenced)
    where = _address(text, read)
    if not where:
        return Polled(fresh, fenced)
    load = b"__hip_atomic_load(" + where + b", __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT)"
    return Polled(fresh, fenced, (edit(unit, read.start, read.end, load),))


def _reads(unit: Unit, loop: Node, types: dict[int, str]) -> list[Node]:
    """The outermost reads of memory in a loop."""
    found: list[Node] = []
    todo = [loop]
    while todo:
        node = todo.pop()
        memory = node.kind == "index" or (node.kind == "unary" and node.name == "*")
        alone = node.kind == "name" and node.refers >= 0 and "volatile" in _declared(unit, node, types)
        if (
            memory
            or (alone and "*" not in _declared(unit, node, types))
            or (node.kind == "call" and node.name in _LOADS)
        ):
            found.append(node)
        else:
            todo += node.kids
    return found


def _declared(unit: Unit, node: Node, types: dict[int, str]) -> str:
    """The type that a variable is declared with, the file's own included."""
    if node.refers in types or node.refers < 0:
        return types.get(node.refers, "")
    data = unit.text.data
    return data[data.rfind(b"\n", 0, node.refers) + 1 : node.refers].decode("utf-8", "replace")


def _holds(unit: Unit, read: Node, base: Node, types: dict[int, str]) -> bool:
    """Whether what is read is an integer that an atomic can load."""
    cast = _CAST.search(unit.text.data, read.start, read.end)
    if cast:
        return _HELD.fullmatch((cast[1] or cast[2]).decode()) is not None
    spelled = re.sub(
        r"__device__|__managed__|static|extern|__restrict(?:__)?", "", _declared(unit, base, types)
    ).strip()
    if read.kind == "name":
        return _HELD.fullmatch(spelled) is not None
    spelled = re.sub(r"(?:\*\s*(?:const|volatile)?\s*|\[\w*\])\Z", "", spelled).strip()
    return _HELD.fullmatch(spelled) is not None


def _address(text: bytes, read: Node) -> bytes:
    """Where the value is read from, as an expression; empty for a function's load, which another rule supplies."""
    if read.kind == "call":
        return b""
    if read.kind == "unary":
        return text[1:].strip()
    return b"&" + text


def _of_blocks(loop: Node, base: Node, body: Node, meanings: Meanings) -> bool:
    """Whether the blocks of one launch tell each other: by a block's number, their count, or a write of this kernel."""
    names = [n for n in loop.walk() if n.kind == "name"]
    if any(n.name in ("gridDim", "blockIdx") or meanings.of(n) & Means.BLOCK for n in names):
        return True
    return base.refers >= 0 and any(base.refers in _written(node) for node in body.walk())


def _written(node: Node) -> list[int]:
    """Where the variables are declared through which one expression writes memory."""
    sets = node.kind in ("binary", "assign") and node.name.endswith("=") and node.name not in _COMPARES
    if sets and node.kids and node.kids[0].kind in ("index", "unary", "name"):
        return [n.refers for n in node.kids[0].walk() if n.kind == "name"]
    if node.kind == "call" and node.name.startswith("atomic"):
        return [n.refers for kid in node.kids[:2] for n in kid.walk() if n.kind == "name"]
    return []

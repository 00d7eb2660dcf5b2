"""The edits that cap a grid: blocks in turns around the kernel's body, or nothing where the kernel strides already."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend.barriers import Barriers
from hipport.frontend.waits import WaitKind
from hipport.rewrites.barrier_divergence import parts
from hipport.rewrites.forms import edit
from hipport.rewrites.grid_limit.expression import split

if TYPE_CHECKING:
    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Edit

_HEADER = re.compile(r"\.(?:cuh|h|hpp|hxx|hh|inl|inc)\Z")
_BLOCK = re.compile(rb"\b(blockIdx|gridDim)\b(\s*\.\s*([xyz])\b)?")
_WHOLE = re.compile(
    rb"this_grid|grid_group|block_rank|grid_rank|group_index|%ctaid|%nctaid|this_multi_grid|hipport_block"
)
_ASKS = re.compile(rb"\b(?:cuda|hip)(?:Func\w+|Occupancy\w+)\s*(?:<[^;{}]*>)?\s*\([^;]*\Z")
_IMPURE = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|\[|\brand\b|\bnext\w*\s*\(|;")
_LOOPS = frozenset({"for", "while", "do"})
_ELSEWHERE = frozenset({WaitKind.LOCK, WaitKind.FLAG, WaitKind.BLOCK})


class RefusedError(Exception):
    """Why a kernel's blocks cannot be taken in turns."""


def capped(unit: Unit, launch: Launch, limit: int) -> tuple[Edit, ...]:
    """The edit that caps the grid of one launch."""
    return (_grid(unit, launch, limit)[0],)


def looped(unit: Unit, launch: Launch, limit: int) -> tuple[Edit, ...]:
    """The edits that let the blocks of a kernel take turns, at its definition and at all its launches.

    Raises:
        RefusedError: they cannot be made without a doubt.
    """
    kernel = _kernel(unit, launch.kernel)
    shots = [shot for shot in unit.launches if shot.kernel == launch.kernel]
    _known(unit, kernel, shots)
    edits = [*_body(unit, kernel), _parameter(unit, kernel)]
    for shot in shots:
        bounded, blocks = _grid(unit, shot, limit)
        if shot.first < 0:
            raise RefusedError("the arguments of a launch do not show")
        separator = b", " if shot.arguments else b""
        edits += [bounded, edit(unit, shot.first, shot.first, blocks.encode() + separator)]
    return tuple(sorted(edits, key=lambda e: e.span.start))


def _kernel(unit: Unit, name: str) -> Function:
    found = [f for f in unit.functions if f.kernel and f.name == name]
    if len(found) != 1:
        raise RefusedError("its kernel is not in this file" if not found else "there are several kernels of that name")
    if _HEADER.search(unit.path):
        raise RefusedError("other files may launch what a header defines")
    return found[0]


def _known(unit: Unit, kernel: Function, shots: list[Launch]) -> None:
    """That every use of the kernel's name is known, and that all it reaches can be read."""
    head = unit.text.code[max(0, kernel.start - 200) : kernel.body]
    if re.search(rb'extern\s*"\s*"', head.rsplit(b"}", 1)[-1].rsplit(b";", 1)[-1]):
        raise RefusedError("its kernel has a C name that others may look up")
    places = {shot.start for shot in shots} | {_name_at(unit, kernel)}
    for use in re.finditer(rb"(?<!\w)" + re.escape(kernel.name.encode()) + rb"(?!\w)", unit.text.code):
        asks = _ASKS.search(unit.text.code, max(0, use.start() - 200), use.start())
        if use.start() not in places and not asks:
            raise RefusedError("its kernel is named elsewhere too")
    closure = next((c for c in unit.closures if c.path == unit.path and c.start == kernel.start), None)
    if closure is None or any(shot.path != unit.path for shot in closure.launches):
        raise RefusedError("another file launches its kernel")
    if closure.placed:
        raise RefusedError("a function that it calls asks for the block's number, or meets a barrier elsewhere")
    if any(w.kind in _ELSEWHERE for w in unit.waits if (unit.path, _start(unit, w.start)) in closure.functions):
        raise RefusedError("its blocks wait for each other")


def _start(unit: Unit, offset: int) -> int:
    """Where the device function around an offset starts."""
    function = unit.function_at(offset)
    return function.start if function else -1


def _name_at(unit: Unit, kernel: Function) -> int:
    name = re.escape(kernel.name.encode())
    found = re.search(rb"(?<!\w)" + name + rb"\s*\(", unit.text.code[kernel.start : kernel.body])
    if found is None:
        raise RefusedError("its kernel is a specialisation")
    return kernel.start + found.start()


def _parameter(unit: Unit, kernel: Function) -> Edit:
    opening = unit.text.code.index(b"(", _name_at(unit, kernel))
    close = unit.text.close(opening)
    inside = unit.text.code[opening + 1 : close].strip()
    if inside == b"void":
        raise RefusedError("its kernel takes `void`")
    return edit(unit, opening + 1, opening + 1, b"unsigned hipport_blocks" + (b", " if inside else b""))


def _body(unit: Unit, kernel: Function) -> list[Edit]:
    """The loop around a kernel's body, its block numbers and its returns."""
    code = unit.text.code
    body = unit.tree.bodies.get(kernel.body)
    if body is None or not unit.read_whole(kernel.body):
        raise RefusedError("clang could not read its kernel")
    if _WHOLE.search(unit.text.data, kernel.body, kernel.end):
        raise RefusedError("its kernel asks for the whole grid")
    edits = []
    for match in _BLOCK.finditer(code, kernel.body, kernel.end):
        if match.group(3) is None:
            raise RefusedError("its kernel passes the block's number on")
        if match.group(3) == b"x":
            name = b"hipport_block" if match.group(1) == b"blockIdx" else b"hipport_blocks"
            edits.append(edit(unit, match.start(), match.end(), name))
    if not any(e.text == b"hipport_block" for e in edits):
        raise RefusedError("its kernel does not ask for the block's number")
    if any(n.macro and n.kind == "name" and n.name in ("blockIdx", "gridDim") for n in body.walk()):
        raise RefusedError("a macro hides the block's number")
    returns = _returns(body)
    if any(node.macro for node, _ in returns):
        raise RefusedError("a macro hides a return")
    met = Barriers(unit.text, unit.functions).of(kernel)
    if met and parts.missed(unit, kernel, body, met):
        raise RefusedError("some threads of its kernel do not reach a barrier")
    jumps = any(deep for _, deep in returns)
    for node, deep in returns:
        edits.append(edit(unit, node.start, node.start + len(b"return"), b"goto hipport_next" if deep else b"continue"))
    # with atomics too: a rewrite may sum them over the block, in LDS
    parted = met or re.search(rb"__shared__|\batomic[A-Z]\w*\s*\(", code[kernel.body : kernel.end])
    turn = b"hipport_block += gridDim.x" + (b", __syncthreads()" if parted else b"")
    opening = b"\n  for (unsigned hipport_block = blockIdx.x; hipport_block < hipport_blocks; " + turn + b") {"
    closing = b"  }\n  hipport_next:;\n  }\n" if jumps else b"  }\n"
    if jumps:
        opening += b"\n  {"
    line = code.rfind(b"\n", 0, kernel.end - 1) + 1
    at = line if not code[line : kernel.end - 1].strip() else kernel.end - 1
    if at != line:
        closing = b"\n" + closing
    return [edit(unit, kernel.body + 1, kernel.body + 1, opening), *edits, edit(unit, at, at, closing)]


def _returns(body: Node) -> list[tuple[Node, bool]]:
    """The returns of a body, and whether each stands in a loop of it; those of lambdas are none."""
    found: list[tuple[Node, bool]] = []
    todo = [(body, False)]
    while todo:
        node, deep = todo.pop()
        if node.kind == "return":
            found.append((node, deep))
        if node.kind != "lambda":
            todo += [(kid, deep or node.kind in _LOOPS) for kid in node.kids]
    return found


def _grid(unit: Unit, launch: Launch, limit: int) -> tuple[Edit, str]:
    """The edit that caps a launch's blocks in x, and the number of blocks that it asked for."""
    start, end = launch.config[0]
    grid = unit.text.data[start:end].decode("utf-8", "replace")
    most = _most(unit, launch, limit)
    if _IMPURE.search(unit.text.word(start, end)) or "//" in grid or "/*" in grid:
        raise RefusedError("its grid is no plain expression")
    wrapped = re.fullmatch(r"(dim3\s*[({])(.*)([)}])", grid, re.DOTALL)
    if wrapped:
        first, *rest = split(wrapped[2])
        asked = f"static_cast<unsigned>({first})"
        text = ", ".join([_least(f"({first})", most), *rest])
        return edit(unit, start, end, f"{wrapped[1]}{text}{wrapped[3]}".encode()), asked
    if _is_dim3(unit, grid, launch.start):
        text = f"dim3({grid}.x < {most} ? {grid}.x : {most}, {grid}.y, {grid}.z)"
        return edit(unit, start, end, text.encode()), f"{grid}.x"
    return edit(unit, start, end, _least(f"({grid})", most).encode()), f"static_cast<unsigned>({grid})"


def _least(grid: str, most: str) -> str:
    return f"static_cast<unsigned>({grid} < {most} ? {grid} : {most})"


def _most(unit: Unit, launch: Launch, limit: int) -> str:
    """The most blocks of a launch as text: a number where the block is known, else a quotient by it."""
    threads = launch.block[0]
    if threads is not None:
        return str(limit // threads) if threads > 0 else str(limit)
    block = unit.text.word(*launch.config[1]).strip()
    wrapped = re.fullmatch(r"dim3\s*[({](.*)[)}]", block, re.DOTALL)
    if wrapped:
        block = split(wrapped[1])[0]
    elif _is_dim3(unit, block, launch.start):
        block += ".x"
    if _IMPURE.search(block) or block.startswith("{"):
        raise RefusedError("its block is no plain expression")
    return f"{limit}u / static_cast<unsigned>({block})"


def _is_dim3(unit: Unit, name: str, at: int) -> bool:
    """Whether a name is a `dim3` variable above an offset."""
    if not re.fullmatch(r"\w+", name):
        return False
    word = re.escape(name.encode())
    host = unit.host_at(at)
    start = host.start if host else max(0, unit.text.code.rfind(b"\n}", 0, at))
    kinds = [rb"\bdim3\s[^;]*?(?<!\w)" + word + rb"(?!\w)", rb"\bauto\s+(?:const\s+)?" + word + rb"\s*=\s*dim3\b"]
    return any(re.search(kind, unit.text.code[start:at]) for kind in kinds)

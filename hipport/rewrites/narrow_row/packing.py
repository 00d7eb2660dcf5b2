"""The edits that put several blocks, or the rows of several, into one of whole waves: at a kernel and all its launches.

Each thread that has work runs the kernel as it did, with the numbers that it had; so nothing is asked of the code but
that its threads do not meet: no barrier, no LDS, no exchange between lanes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hipport.frontend import pointees, shared
from hipport.rewrites.forms import edit
from hipport.rewrites.grid_limit.expression import split
from hipport.rewrites.load_chain.turn import ARITHMETIC
from hipport.rewrites.narrow_row.settled import settled

if TYPE_CHECKING:
    from hipport.frontend.closure import Closure
    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.tree import Node
    from hipport.frontend.unit import Unit
    from hipport.model import Edit

WAVE = 64  # lanes; half as many fill a wave of 32
_MOST = 256  # threads of a block that is made anew, where fewer leave lanes over
_HEADER = re.compile(r"\.(?:cuh|h|hpp|hxx|hh|inl|inc)\Z")
_PLACE = re.compile(rb"\b(threadIdx|blockIdx|blockDim|gridDim)\b(?:\s*\.\s*([xyz])\b)?")
_MEETS = re.compile(
    rb"__shared__|__sync\w+|this_(?:thread_block|grid|cluster)|cooperative_groups|\bcg\s*::|\b__?asm|\basm\b|warpSize"
    rb"|__lane_id|__threadfence|\batomic|\bvolatile\b|__nanosleep|hipport_block|__launch_bounds__|\bgoto\b"
)
_IMPURE = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|\[|\brand\b|\bnext\w*\s*\(|;|//|/\*")
_INTEGER = rb"\b(?:int|unsigned|long|size_t|u?int(?:32|64)_t)\s+(?:const\s+)?"
_KNOWN = re.compile(r"printf|assert|__assert_fail|size|data|stride|get|__ldc[gsv]|__ldlu|__stc[gs]|__stwt")


class RefusedError(Exception):
    """Why the blocks of a kernel cannot be put together."""


class Packing(NamedTuple):
    """Blocks of `threads` hold `rows` former blocks with `lanes` threads of work each.

    `columns` of them stand side by side in x. `by_warp`: they are the first lanes of each 32 of a former block.
    """

    threads: int
    rows: int
    lanes: int
    columns: int
    by_warp: bool


def layout(columns: int, block: tuple[int, int], *, by_warp: bool) -> Packing:
    """How the threads with work of blocks of so many threads, in x and y, are put together with few lanes left over."""
    x, y = block
    lanes = x // 32 * columns + min(x % 32, columns) if by_warp else columns * y
    first = -(-lanes // WAVE) * WAVE
    sizes = [size for size in range(first, max(_MOST, first) + 1, WAVE) if size <= 1024]
    threads = min(sizes, key=lambda size: (size % lanes / size, size))
    return Packing(threads, threads // lanes, lanes, columns, by_warp)


def gain(packing: Packing, block: tuple[int, int], wave: int) -> float:
    """How many waves there were for each that is left."""
    return -(-block[0] * block[1] // wave) * packing.rows / -(-packing.threads // wave)


def closure_of(unit: Unit, kernel: Function) -> Closure | None:
    """A kernel of this file with what it reaches."""
    return next((c for c in unit.closures if c.path == unit.path and c.start == kernel.start), None)


def launched(unit: Unit, kernel: Function) -> tuple[int, int] | None:
    """The block, in x and y, of all launches of a kernel; None where they differ, are not known, or are one block."""
    closure = closure_of(unit, kernel)
    launches = closure.launches if closure else ()
    blocks = {launch.block for launch in launches}
    if len(blocks) != 1 or not all(launch.path == unit.path for launch in launches):
        return None
    if all(launch.grid == (1, 1, 1) for launch in launches):
        return None  # a block alone has no others to be put together with
    if not all(settled(unit, launch, launch.config[1]) for launch in launches):
        return None
    x, y, z = blocks.pop()
    return (x, y) if x and y and z == 1 else None


def bound(unit: Unit, kernel: Function) -> dict[str, int | None]:
    """What the template parameters of a kernel are in all its launches; None where they differ or it is not known."""
    names = [name for name, _ in shared.parameters(unit.text, kernel)]
    closure = closure_of(unit, kernel)
    found: dict[str, set[int | None]] = {name: set() for name in names}
    for launch in closure.launches if closure and names else ():
        opening = unit.text.code.find(b"<", launch.start, launch.config[0][0]) if launch.path == unit.path else -1
        _, pieces = unit.text.angles(opening) if opening >= 0 else (-1, ())
        given = [unit.macros.value(unit.text.word(*piece)) for piece in pieces if settled(unit, launch, piece)]
        given = given if len(given) == len(pieces) else []
        for name, value in zip(names, [*given, *[None] * len(names)], strict=False):
            found[name].add(value)
    return {name: next(iter(of)) if len(of) == 1 else None for name, of in found.items()}


def edits(unit: Unit, kernel: Function, packing: Packing) -> tuple[Edit, ...]:
    """The edits at a kernel and at its launches.

    Raises:
        RefusedError: they cannot be made without a doubt.
    """
    closure, block = closure_of(unit, kernel), launched(unit, kernel)
    if closure is None or block is None:
        raise RefusedError("its launches are not known")
    name_at = _known(unit, kernel, closure)
    body = unit.tree.bodies.get(kernel.body)
    if body is None or not unit.read_whole(kernel.body):
        raise RefusedError("clang could not read its kernel")
    _alone(unit, kernel, closure, body)
    if any(launch.grid[0] is not None and launch.grid[0] < packing.rows for launch in closure.launches):
        raise RefusedError("its grid has too few blocks in x")
    if packing.rows > 1 and not re.search(rb"\bblockIdx\s*\.\s*x\b", unit.text.code[kernel.body : kernel.end]):
        raise RefusedError("its blocks are not told apart in x")
    found = [*_numbers(unit, kernel, block, body), *_head(unit, kernel, name_at, packing, block)]
    for launch in closure.launches:
        found += _launch(unit, launch, packing)
    return tuple(sorted(found, key=lambda e: (e.span.start, e.span.end)))


def _known(unit: Unit, kernel: Function, closure: Closure) -> int:
    """Where the kernel's name is, if every use of it is known."""
    code = unit.text.code
    if _HEADER.search(unit.path):
        raise RefusedError("other files may launch what a header defines")
    if sum(f.kernel and f.name == kernel.name for f in unit.functions) != 1:
        raise RefusedError("there are several kernels of that name")
    head = code[max(0, kernel.start - 200) : kernel.body].rsplit(b"}", 1)[-1].rsplit(b";", 1)[-1]
    if re.search(rb'extern\s*"\s*"|__launch_bounds__', head):
        raise RefusedError("its kernel has a C name that others may look up, or bounds of its own")
    name = rb"(?<!\w)" + re.escape(kernel.name.encode())
    defined = re.compile(name + rb"\s*\(").search(code, kernel.start, kernel.body)
    if defined is None:
        raise RefusedError("its kernel is a specialisation")
    places = {launch.start for launch in closure.launches} | {defined.start()}
    uses = re.finditer(name + rb"(?!\w)", code)
    if any(launch.path != unit.path for launch in closure.launches) or any(u.start() not in places for u in uses):
        raise RefusedError("its kernel is named elsewhere too")
    return defined.start()


def _alone(unit: Unit, kernel: Function, closure: Closure, body: Node) -> None:
    """That no thread meets another, and that nothing but the kernel asks for a thread's number."""
    if closure.crosses or closure.blocked or closure.placed:
        raise RefusedError("its threads meet")
    members = [f for f in unit.functions if (f.path, f.start) in closure.functions]
    if len(members) != len(closure.functions):
        raise RefusedError("it calls functions of other files")
    if any(_MEETS.search(unit.text.data, f.start, f.end) for f in members):
        raise RefusedError("its threads meet, or more than speed hangs on where they run")
    if any(w.start >= f.start and w.end <= f.end for f in members for w in unit.waits):
        raise RefusedError("its threads wait for each other")
    if any(f is not kernel and _PLACE.search(unit.text.code, f.body, f.end) for f in members):
        raise RefusedError("a function that it calls asks for the thread's number")
    words = {word.decode() for f in members for word in re.findall(rb"[A-Za-z_]\w*", unit.text.code[f.body : f.end])}
    if words & unit.wave_constants:
        raise RefusedError("it asks how wide a wave is")
    own = {f.name for f in members}
    for node in body.walk():
        name = (pointees.called(node, unit.text.code) or node.name) if node.kind == "call" else ""
        if node.kind in ("lambda", "asm"):
            raise RefusedError("it has more than plain statements")
        if node.kind == "call" and name not in own and not ARITHMETIC.fullmatch(name) and not _KNOWN.fullmatch(name):
            raise RefusedError(f"`{name}` may ask for the thread's number")


def _numbers(unit: Unit, kernel: Function, block: tuple[int, int], body: Node) -> list[Edit]:
    """The numbers of threads and blocks, as they were before."""
    hidden = [n for n in body.walk() if n.kind == "name" and _PLACE.fullmatch(n.name.encode())]
    found = list(_PLACE.finditer(unit.text.code, kernel.body, kernel.end))
    if any(n.macro for n in hidden) or len(hidden) != len(found):
        raise RefusedError("a macro or a condition hides a thread's number")
    said = {
        (b"threadIdx", b"x"): b"hipport_x",
        (b"threadIdx", b"y"): b"hipport_y" if block[1] > 1 else b"0u",
        (b"blockIdx", b"x"): b"hipport_block",
        (b"blockDim", b"x"): f"{block[0]}u".encode(),
        (b"blockDim", b"y"): f"{block[1]}u".encode(),
        (b"gridDim", b"x"): b"hipport_blocks",
    }
    if any(match.group(2) is None for match in found):
        raise RefusedError("it passes the thread's number on")
    pairs = [(match, said.get((match.group(1), match.group(2)))) for match in found]
    return [edit(unit, match.start(), match.end(), text) for match, text in pairs if text is not None]


def _head(unit: Unit, kernel: Function, name_at: int, packing: Packing, block: tuple[int, int]) -> list[Edit]:
    """The parameter with the number of former blocks, and the numbers of a thread with work."""
    opening = unit.text.code.index(b"(", name_at)
    inside = unit.text.code[opening + 1 : unit.text.close(opening)].strip()
    if inside == b"void":
        raise RefusedError("its kernel takes `void`")
    threads, rows, lanes, columns, by_warp = packing
    place = "threadIdx.x" if rows == 1 else f"threadIdx.x % {lanes}"
    column = f"threadIdx.x % {columns}" if lanes % columns == 0 else f"{place} % {columns}"
    column = place if columns == lanes else column
    text = f"\n  const unsigned hipport_block = blockIdx.x{f' * {rows} + threadIdx.x / {lanes}' if rows > 1 else ''};"
    if by_warp:
        text += f"\n  const unsigned hipport_x = {place} / {columns} * 32 + {column};"
    else:
        text += f"\n  const unsigned hipport_x = {column}"
        text += f", hipport_y = {place} / {columns};" if block[1] > 1 else ";"
    left = f"threadIdx.x >= {rows * lanes} || " if rows * lanes < threads else ""
    text += f"\n  if ({left}hipport_block >= hipport_blocks) return;"
    newline = "\r\n" if b"\r\n" in unit.text.data[:4096] else "\n"
    return [
        edit(unit, opening + 1, opening + 1, b"unsigned hipport_blocks" + (b", " if inside else b"")),
        edit(unit, kernel.body + 1, kernel.body + 1, text.replace("\n", newline).encode()),
    ]


def _is_integer(unit: Unit, grid: str, at: int) -> bool:
    """Whether a grid is an integer for sure: a constant, an arithmetic expression, or a variable declared as one."""
    if unit.macros.value(grid) is not None or re.search(r"[-+*/%]", re.sub(r"\([^()]*\)|->", "", grid)):
        return True
    start = unit.text.code.rfind(b"\n}", 0, at) + 1
    declared = _INTEGER + re.escape(grid.encode()) + rb"\s*[=,;){]"
    return grid.isidentifier() and re.search(declared, unit.text.code[start:at]) is not None


def _launch(unit: Unit, launch: Launch, packing: Packing) -> list[Edit]:
    """A launch of fewer blocks, which are told how many there were."""
    if launch.macro or launch.first < 0 or not unit.live(launch.start) or unit.function_at(launch.start) is not None:
        raise RefusedError("a launch is not a plain one")
    if launch.lds != 0:
        raise RefusedError("a launch asks for LDS")
    start, end = launch.config[0]
    grid = unit.text.data[start:end].decode("utf-8", "replace")
    if _IMPURE.search(grid) or grid.startswith("{"):
        raise RefusedError("a grid is no plain expression")
    wrapped = re.fullmatch(r"dim3\s*[({](.*)[)}]", grid, re.DOTALL)
    first, rest = (split(wrapped[1])[0], split(wrapped[1])[1:]) if wrapped else (grid, [])
    if not first.strip():
        raise RefusedError("a grid is no plain expression")
    if wrapped or _is_integer(unit, grid, launch.start):
        blocks = first.strip() if first.strip().isdigit() else f"static_cast<unsigned>({first.strip()})"
    else:  # an integer, or a dim3
        above = unit.text.code[unit.text.code.rfind(b"\n}", 0, launch.start) + 1 : launch.start]
        declared = rb"\bdim3\s(?:[^;{}]*[,)]\s*)?" + re.escape(grid.encode()) + rb"\s*[=({;,)]"
        known = grid.isidentifier() and re.search(declared, above) is not None
        whole = grid if known else f"dim3({grid})"
        blocks, rest = f"{whole}.x", [f"{whole}.y", f"{whole}.z"]
    if any(_IMPURE.search(part) for part in rest):
        raise RefusedError("a grid is no plain expression")
    fewer = f"({blocks} + {packing.rows - 1}) / {packing.rows}" if packing.rows > 1 else blocks
    text = f"dim3({', '.join([fewer, *(part.strip() for part in rest)])})" if rest else fewer
    argument = blocks.encode() + (b", " if launch.arguments else b"")
    return [
        edit(unit, start, end, text.encode()),
        edit(unit, *launch.config[1], str(packing.threads).encode()),
        edit(unit, launch.first, launch.first, argument),
    ]

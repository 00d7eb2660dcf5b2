"""A kernel's launch bounds: what is declared, what its launches have, and where the one that is missing goes."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from hipport.rewrites import narrow_row
from hipport.rewrites.narrow_row import packing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hipport.frontend.functions import Function
    from hipport.frontend.launches import Launch
    from hipport.frontend.unit import Unit

_BOUNDS = re.compile(rb"(?<!\w)(?:__launch_bounds__|C10_LAUNCH_BOUNDS_[012])\s*\(")
_ANY = re.compile(rb"(?i)launch_?bounds|max_?n?_?threads\w*\s*\(|amdgpu_|__maxnreg__|__block_size__|__cluster_dims__")
_HEADER = re.compile(r"\.(?:cuh|h|hpp|hxx|hh|inl|inc)\Z")
_GLOBAL = re.compile(rb"(?<!\w)__global__(?!\w)")
_ASKS = re.compile(rb"\b(?:cuda|hip)(?:Func\w+|Occupancy\w+)\s*(?:<[^;{}]*>)?\s*\([^;]*\Z")
_SIZES = re.compile(rb"\b(?:cuda|hip)OccupancyMaxPotentialBlockSize\w*\s*(?:<[^;{}]*>)?\s*\([^;]*\Z")
_TEMPLATE = re.compile(rb"\btemplate\s*(<)")
_UNNAMED = re.compile(rb"\bnamespace\s*\{")
_SPACE = re.compile(rb'(?:\bnamespace\b[\w\s:]*|\bextern\s*"[^"]*"\s*)\Z')
_MAIN = re.compile(rb"\bint\s+main\s*\(")
_FIXED = re.compile(rb"(?:\b(?:const|constexpr|dim3)\s+[\w\s]*|#[ \t]*define[ \t]+)\Z")  # what stands before a name
_VARIABLE = re.compile(rb"\b(?:int|unsigned|auto|long|size_t|u?int(?:32|64)_t)\s+\Z")
_CHANGING = re.compile(rb"(?:\+\+|--|&|>>)\s*\Z")
_CHANGED = re.compile(rb"\s*(?:\+\+|--|[-+*/|&^%]?=(?!=)|\.\s*[xyz]\s*[-+*/]?=(?!=)|<<=|>>=)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEEPEST = 4  # constants that are set to constants
_NO_NAMES = frozenset({"dim3", "sizeof", "unsigned", "int", "uint32_t", "size_t", "static_cast", "long"})


class RefusedError(Exception):
    """Why a bound cannot be written."""


def kernels(unit: Unit) -> dict[str, Function]:
    """The kernels that are defined once in a file, by name."""
    by_name: dict[str, list[Function]] = {}
    for function in unit.functions:
        if function.name:
            by_name.setdefault(function.name, []).append(function)
    return {name: found[0] for name, found in by_name.items() if len(found) == 1 and found[0].kernel}


def threads(launch: Launch) -> int | None:
    """The threads of a launch's block, where they are constant."""
    sizes = [n for n in launch.block if n is not None]
    return math.prod(sizes) if len(sizes) == 3 and min(sizes) > 0 else None


def launches(unit: Unit, kernel: Function) -> list[Launch]:
    """The launches of a kernel, those in other files that see it included."""
    closures = [c for c in unit.closures if c.path == unit.path and c.start == kernel.start]
    found = [shot for c in closures for shot in c.launches]
    return found or [shot for shot in unit.launches if shot.kernel == kernel.name]


def _head(unit: Unit, kernel: Function) -> bytes:
    return unit.text.code[kernel.start : kernel.body]


def bounded(unit: Unit, kernel: Function) -> bool:
    """Whether a kernel has bounds, here or where it is declared, or its mark is a macro that may have some."""
    if not _GLOBAL.search(_head(unit, kernel)):
        return True
    return any(_ANY.search(unit.text.code, start, end) for start, end in _heads(unit, kernel))


def _heads(unit: Unit, kernel: Function) -> list[tuple[int, int]]:
    """Where the kernel is declared and defined: from its mark to the end of its parameters."""
    found = [(kernel.start, kernel.body)]
    for use in _uses(unit, kernel.name):
        if not kernel.start <= use < kernel.body:
            start = max(unit.text.code.rfind(mark, 0, use) for mark in (b";", b"}", b"{")) + 1
            if _GLOBAL.search(unit.text.code, start, use):
                found.append((start, use))
    return found


def _uses(unit: Unit, name: str) -> list[int]:
    word = re.compile(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)")
    return [m.start() for m in word.finditer(unit.text.code)]


def declared(unit: Unit, kernel: Function, launch: Launch) -> int | None:
    """The most threads that a kernel's bounds allow at a launch; None where there are none or they do not show."""
    for start, end in _heads(unit, kernel):
        match = _BOUNDS.search(unit.text.code, start, end)
        close = unit.text.close(match.end() - 1) if match else -1
        if match is None or close < 0:
            continue
        piece = unit.text.word(*unit.text.arguments(match.end() - 1, close)[0])
        own = set(parameters(unit, kernel)) & set(_WORD.findall(piece))
        known = given(unit, kernel, launch)
        if own - known.keys():
            return None
        for name in own:
            piece = re.sub(rf"\b{name}\b", f"({known[name]})", piece)
        return unit.macros.value(piece)
    return None


def parameters(unit: Unit, kernel: Function) -> list[str]:
    """The names of a kernel's template's parameters."""
    code = unit.text.code
    start = max(code.rfind(mark, 0, kernel.start) for mark in (b";", b"}", b"{")) + 1
    match = _TEMPLATE.search(code, start, kernel.start)
    if match is None:
        return []
    _, pieces = unit.text.angles(match.start(1))
    words = [_WORD.findall(unit.text.word(*piece).split("=")[0]) for piece in pieces]
    return [found[-1] if found else "" for found in words]


def given(unit: Unit, kernel: Function, launch: Launch) -> Mapping[str, str]:
    """What a launch in this file spells out for the template's parameters."""
    names = parameters(unit, kernel)
    opening = re.compile(rb"\s*(<)(?!<<)").match(unit.text.code, launch.start + len(launch.kernel))
    if not names or launch.path != unit.path or opening is None:
        return {}
    _, pieces = unit.text.angles(opening.start(1))
    values = [unit.text.word(*piece) for piece in pieces]
    return {name: text for name, text in zip(names, values, strict=False) if name and name != text}


def others(unit: Unit, kernel: Function, shots: Sequence[Launch]) -> bool:
    """Whether a kernel may be launched with a block that does not show: by its address, or one that is no constant."""
    if any(threads(shot) is None or (shot.path == unit.path and not steady(unit, shot)) for shot in shots):
        return True
    code = unit.text.code
    places = {shot.start for shot in shots if shot.path == unit.path}
    heads = _heads(unit, kernel)
    for use in _uses(unit, kernel.name):
        if use in places or any(start <= use <= end for start, end in heads):
            continue
        if not _ASKS.search(code, max(0, use - 200), use) or _SIZES.search(code, max(0, use - 200), use):
            return True
    return b'"' + kernel.name.encode() + b'"' in unit.text.data


def written(unit: Unit, kernel: Function, shots: Sequence[Launch]) -> tuple[int, bytes]:
    """Where a kernel's bound goes, and its text.

    Raises:
        RefusedError: another file may launch the kernel, or the block's size may change.
    """
    _alone(unit, kernel, shots)
    if any((threads(shot) or 0) % packing.WAVE for shot in shots) or narrow_row.narrow(unit, kernel):
        raise RefusedError("its blocks may be packed into larger ones")
    mark = _GLOBAL.search(unit.text.code, kernel.start, kernel.body)
    if mark is None or b"\\" in _head(unit, kernel):
        raise RefusedError("a macro declares it")
    texts = {_block(unit, shot) for shot in shots}
    text = next(iter(texts)) if len(texts) == 1 else ""
    if not text or not all(_seen(unit, kernel, name) for name in _named(text)):
        if any(_open(unit, name) for block in texts for name in _named(block)):
            raise RefusedError("its block's size can be set from outside, and is not known where it is defined")
        text = str(max(n for shot in shots if (n := threads(shot)) is not None))
    return mark.end(), f" __launch_bounds__({text})".encode()


def _alone(unit: Unit, kernel: Function, shots: Sequence[Launch]) -> None:
    """That no other file launches a kernel."""
    code, path = unit.text.code, unit.path
    before = max(code.rfind(mark, 0, kernel.start) for mark in (b";", b"}", b"{")) + 1
    head = unit.text.data[before : kernel.body]
    if _HEADER.search(path) or any(shot.path != path for shot in shots):
        raise RefusedError("other files may launch it")
    if re.search(rb'extern\s*"C"', head) or _in(unit, kernel, re.compile(rb'\bextern\s*"[^"]*"\s*\{')):
        raise RefusedError("it has a C name, by which other files may launch it")
    own = re.search(rb"\bstatic\b|\btemplate\b", head) or _in(unit, kernel, _UNNAMED)
    if not own and not _MAIN.search(code):
        raise RefusedError("other files may declare and launch it")


def _in(unit: Unit, kernel: Function, opening: re.Pattern[bytes]) -> bool:
    """Whether a kernel stands within braces that are opened so."""
    for match in opening.finditer(unit.text.code, 0, kernel.start):
        close = unit.text.close(match.end() - 1)
        if close < 0 or close > kernel.start:
            return True
    return False


def _named(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word not in _NO_NAMES]


def _block(unit: Unit, shot: Launch) -> str:
    """The threads of a launch's block as an expression; a local constant is taken as what it is set to."""
    host = unit.host_at(shot.start)
    start = host.body if host else shot.start
    text = unit.text.word(*shot.config[1]).strip()
    if re.fullmatch(r"[A-Za-z_]\w*", text):
        declared = re.compile(rb"\bdim3\s+(?:const\s+)?" + text.encode() + rb"\s*(?:=\s*dim3\s*)?([({])")
        for match in [*declared.finditer(unit.text.code, start, shot.start)][-1:]:
            text = f"dim3({unit.text.word(match.end(1), max(unit.text.close(match.start(1)), match.end(1)))})"
    text = _without_locals(unit, text, start, shot.start)
    wrapped = re.fullmatch(r"dim3\s*[({](.*)[)}]", text, re.DOTALL)
    if wrapped is None:
        return text
    parts = [part.strip() for part in re.split(r",(?![^()]*\))", wrapped[1])]
    return " * ".join(_bracketed(part) for part in parts if part != "1") or "1"


def _without_locals(unit: Unit, text: str, start: int, at: int) -> str:
    for _ in range(_DEEPEST):
        before = text
        for name in _named(text):
            local = re.compile(
                rb"\b(?:const|constexpr)\s+[\w\s]*\b" + name.encode() + rb"\s*(?:=\s*([^;,{}]+)|\{([^;{}]*)\})[;,]"
            )
            for match in [*local.finditer(unit.text.code, start, at)][-1:]:
                given = (match.group(1) or match.group(2)).decode("utf-8", "replace").strip()
                text = re.sub(rf"(?<![\w.>]){name}(?!\w)", _bracketed(given).replace("\\", ""), text)
        if text == before:
            break
    return text


def _bracketed(text: str) -> str:
    return text if re.fullmatch(r"\w+|\([^()]*\)", text) else f"({text})"


def steady(unit: Unit, shot: Launch) -> bool:
    """Whether the names of a launch's block mean one number: no parameters, and no variables that change."""
    host = unit.host_at(shot.start)
    code, text = unit.text.code, unit.text.word(*shot.config[1]).strip()
    names = {*_named(text), *_named(_block(unit, shot))}
    if host is None or not names:
        return not names or shot.macro
    above = max(code.rfind(mark, 0, host.start) for mark in (b";", b"}", b"{", b"\n\n")) + 1
    head = re.sub(rb"(?m)^[ \t]*#[^\n]*", b"", code[above : host.body])
    for name in names:
        word = re.compile(rb"(?<![\w.>])" + re.escape(name.encode()) + rb"(?!\w)")
        if word.search(head):
            return False
        for use in word.finditer(code, host.body, shot.start):
            before = code[max(0, use.start() - 60) : use.start()]
            if _FIXED.search(before):
                continue
            if _VARIABLE.search(before) or _CHANGED.match(code, use.end()) or _CHANGING.search(before):
                return False
    return True


def _seen(unit: Unit, kernel: Function, name: str) -> bool:
    """Whether a constant is defined above a kernel, or in a header, and means the same in it."""
    if name in parameters(unit, kernel) or re.search(rb"\b" + name.encode() + rb"\b", _head(unit, kernel)):
        return False
    defined = _defined(unit, name)
    return all(at < kernel.start for at in defined) if defined else name in unit.macros.objects


def _defined(unit: Unit, name: str) -> list[int]:
    """Where the file defines a constant outside of functions and types, or as a macro."""
    word = re.escape(name.encode())
    macros = re.finditer(rb"#[ \t]*define[ \t]+" + word + rb"(?!\w)", unit.text.code)
    constants = re.finditer(
        rb"^[ \t]*(?:static|const|constexpr|inline)\b[\w \t:]*\s" + word + rb"(?!\w)", unit.text.code, re.MULTILINE
    )
    return [m.start() for m in macros] + [m.start() for m in constants if _outside(unit.text.code, m.start())]


def _outside(code: bytes, at: int) -> bool:
    """Whether an offset lies in no braces but a namespace's."""
    inner: list[bool] = []
    for brace in re.finditer(rb"[{}]", code[:at]):
        if brace.group() == b"{":
            inner.append(_SPACE.search(code, max(0, brace.start() - 200), brace.start()) is None)
        elif inner:
            inner.pop()
    return not any(inner)


def _open(unit: Unit, name: str) -> bool:
    """Whether a constant may have another value in another build: a macro that the command line may set."""
    word = re.escape(name.encode())
    if not _defined(unit, name):
        return name in unit.macros.objects
    return re.search(rb"#[ \t]*(?:ifn?def[ \t]+|if\b[^\n]*)\b" + word + rb"\b", unit.text.code) is not None

"""`kernel<<<grid, block, lds, stream>>>(...)`, and macros that stand for it: the kernel and what the sizes fold to."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.macros import Macros
    from hipport.frontend.text import CodeText


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch: `start` is its kernel's name, `config` the byte ranges between `<<<` and `>>>`.

    `grid` and `block` hold three numbers, None where one is not constant; `lds` is the dynamic LDS in bytes.
    `arguments` are the byte ranges of what the kernel gets, `first` is where the first stands or would stand (-1: not
    seen). `macro` is true for a call of a macro, `LAUNCH_KERNEL(kernel, grid, block, lds, stream, ...)`.
    """

    path: str
    kernel: str
    start: int
    config: tuple[tuple[int, int], ...]
    grid: tuple[int | None, int | None, int | None]
    block: tuple[int | None, int | None, int | None]
    lds: int | None
    arguments: tuple[tuple[int, int], ...] = ()
    first: int = -1
    macro: bool = False


_CHEVRON = re.compile(rb"<<<")
_MACRO = re.compile(rb"(?<![\w#])[A-Z][A-Z0-9_]*(?:LAUNCH[A-Z0-9_]*_KERNEL|KERNEL_LAUNCH|LAUNCH_KERNEL)\w*\s*\(")
_DEFINING = re.compile(rb"#[ \t]*(?:define|undef|ifn?def|if)[ \t]+(?:defined\b[^\n]*)?\Z")
_NAMED = re.compile(rb"\(?\s*(?:&\s*)?(?:[A-Za-z_]\w*\s*::\s*)*([A-Za-z_]\w*)\s*(?:<[^;{}]*>)?\s*\)?\s*\Z")
_SIZES = 5  # kernel, grid, block, LDS, stream: the order of `<<<>>>`, kept by the macros of PyTorch and FBGEMM
_KERNEL = re.compile(rb"([A-Za-z_]\w*)\s*\Z")
_DIM3 = re.compile(r"dim3\s*(?:\(|\{)(.*)(?:\)|\})\Z", re.DOTALL)


def _kernel_before(text: CodeText, end: int) -> tuple[int, str]:
    code = text.code
    at = end
    while at > 0 and code[at - 1] in b" \t\r\n":
        at -= 1
    if at > 0 and code[at - 1] == 0x3E:  # >: skip the template arguments
        depth = 0
        for at in range(at - 1, max(0, at - 4000), -1):  # noqa: B020
            depth += {0x3E: 1, 0x3C: -1}.get(code[at], 0)
            if depth == 0:
                break
    found = _KERNEL.search(code, max(0, at - 200), at)
    return (at, "") if found is None else (found.start(1), found.group(1).decode("utf-8", "replace"))


def _pieces(text: CodeText, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The comma-separated parts between `<<<` and `>>>`, template arguments kept whole where they can be told."""
    cuts, at = [start - 1], start
    code = text.code
    while at < end:
        char = code[at]
        if char in b"([{":
            close = text.close(at)
            at = close if 0 <= close < end else end
        elif char == 0x2C:
            cuts.append(at)
        elif char == 0x3C and re.match(rb"\w", code[at - 1 : at]):
            close, _ = text.angles(at)
            at = close if 0 <= close < end else at
        at += 1
    cuts.append(end)
    return tuple(text.strip(a + 1, b) for a, b in itertools.pairwise(cuts))


def _split(text: str) -> list[str]:
    parts, depth, now = [], 0, ""
    for char in text:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            parts.append(now)
            now = ""
        else:
            now += char
    return [*parts, now]


def _dimensions(text: CodeText, macros: Macros, expression: str, at: int) -> tuple[int | None, int | None, int | None]:
    """The three sizes of a `dim3` or of a number; a local variable is looked up above `at`."""
    expression = expression.strip()
    if re.fullmatch(r"[A-Za-z_]\w*", expression) and expression not in macros.objects:
        name = re.escape(expression.encode())
        begin = text.code.rfind(b"\n}", 0, at) + 1
        declared = re.compile(rb"\bdim3\s+(?:\w+\s*(?:\([^;]*?\))?\s*,\s*)*" + name + rb"\s*([({=])")
        local = list(declared.finditer(text.code, begin, at))
        if local:
            found = local[-1]
            opening = found.start(1)
            if re.compile(rb"(?<![\w.>])" + name + rb"\s*(?:\.\s*[xyz]\s*)?[-+*/]?=(?!=)").search(
                text.code, found.end(), at
            ):
                return None, None, None
            if found.group(1) == b"=":
                stop = text.code.find(b";", opening)
                return _dimensions(text, macros, text.word(opening + 1, stop), opening)
            close = text.close(opening)
            if close > 0:
                return _dimensions(text, macros, f"dim3({text.word(opening + 1, close)})", opening)
        return constant_at(text, macros, expression, at), 1, 1
    wrapped = _DIM3.fullmatch(expression)
    if wrapped is None:
        return macros.value(expression), 1, 1
    values = [macros.value(part) for part in _split(wrapped.group(1))][:3] if wrapped.group(1).strip() else []
    padded = [*values, 1, 1, 1][:3]
    return padded[0], padded[1], padded[2]


def constant_at(text: CodeText, macros: Macros, expression: str, at: int) -> int | None:
    """What a size folds to; a local variable that is given one value, above `at`, is that value."""
    value = macros.value(expression)
    given = expression_at(text, expression, at) if value is None else ""
    return macros.value(given) if given and given != expression else value


def expression_at(text: CodeText, expression: str, at: int) -> str:
    """What a size is computed from: for a local variable that is given one value, above `at`, that; else itself."""
    name = expression.strip()
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        return expression
    start = text.code.rfind(b"\n}", 0, at) + 1
    given = re.compile(rb"(?<![\w.>])" + re.escape(name.encode()) + rb"\s*[-+*/|<>]{0,2}=(?!=)\s*([^;,]*)[;,]")
    found = list(given.finditer(text.code, start, at))
    if len(found) != 1 or b"&" + name.encode() in text.code[start:at]:
        return expression
    declared = re.search(
        rb"\b(?:int|unsigned|size_t|auto|long|u?int(?:32|64)_t)\s+\Z",
        text.code[max(0, found[0].start() - 40) : found[0].start()],
    )
    return found[0].group(1).decode("utf-8", "replace") if declared else expression


def find(text: CodeText, macros: Macros) -> Iterator[Launch]:
    """The launches of a file, in macro bodies too, in the order of the text."""
    yield from sorted([*_chevrons(text, macros), *_called(text, macros)], key=lambda launch: launch.start)


def _launch(text: CodeText, macros: Macros, kernel: tuple[int, str], config: tuple[tuple[int, int], ...]) -> Launch:
    start, name = kernel
    lds = constant_at(text, macros, text.word(*config[2]), start) if len(config) > 2 else 0
    grid = _dimensions(text, macros, text.word(*config[0]), start)
    block = _dimensions(text, macros, text.word(*config[1]), start)
    return Launch(text.path, name, start, config, grid, block, lds)


def _chevrons(text: CodeText, macros: Macros) -> Iterator[Launch]:
    code = text.code
    for match in _CHEVRON.finditer(code):
        end = code.find(b">>>", match.end())
        if end < 0:
            continue
        while code[end + 3 : end + 4] == b">":  # k<<<f<g<1>>, 2>>>: the last three close it
            end += 1
        start, kernel = _kernel_before(text, match.start())
        if not kernel:
            continue
        config = _pieces(text, match.end(), end)
        if len(config) < 2:
            continue
        found = _launch(text, macros, (start, kernel), config)
        opening = re.compile(rb"[\s\\]*\(").match(code, end + 3)
        close = text.close(opening.end() - 1) if opening else -1
        if opening and close > 0:
            given = text.arguments(opening.end() - 1, close)
            found = replace(found, arguments=given, first=given[0][0] if given else opening.end())
        yield found


def _unfolded(text: CodeText, start: int, end: int) -> tuple[int, int]:
    """A range of a macro's body without the line ends around it."""
    piece = text.code[start:end]
    left = len(piece) - len(piece.lstrip(b" \t\r\n\\"))
    return min(start + left, end), end - (len(piece) - len(piece.rstrip(b" \t\r\n\\")))


def _called(text: CodeText, macros: Macros) -> Iterator[Launch]:
    """Calls of launch macros; the macros' own definitions are none."""
    code = text.code
    for match in _MACRO.finditer(code):
        if _DEFINING.search(code, code.rfind(b"\n", 0, match.start()) + 1, match.start()):
            continue
        close = text.close(match.end() - 1)
        given = text.arguments(match.end() - 1, close) if close > 0 else ()
        given = tuple(_unfolded(text, *piece) for piece in given)
        kernel = _NAMED.match(code, *given[0]) if len(given) >= _SIZES else None
        if kernel is None:
            continue
        name = kernel.group(1).decode("utf-8", "replace")
        found = _launch(text, macros, (kernel.start(1), name), given[1:_SIZES])
        rest = given[_SIZES:]
        first = rest[0][0] if rest else -1
        yield replace(found, arguments=rest, first=first, macro=True)

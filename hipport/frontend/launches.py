"""`kernel<<<grid, block, lds, stream>>>(...)`: the kernel's name and what the sizes fold to."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.macros import Macros
    from hipport.frontend.text import CodeText


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch: `start` is its kernel's name, `config` the byte ranges between `<<<` and `>>>`.

    `grid` and `block` hold three numbers, None where one is not constant; `lds` is the dynamic LDS in bytes.
    """

    path: str
    kernel: str
    start: int
    config: tuple[tuple[int, int], ...]
    grid: tuple[int | None, int | None, int | None]
    block: tuple[int | None, int | None, int | None]
    lds: int | None


_CHEVRON = re.compile(rb"<<<")
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
        local = list(
            re.finditer(rb"\bdim3\s+(?:\w+\s*(?:\([^;]*?\))?\s*,\s*)*" + name + rb"\s*([({=])", text.code[:at])
        )
        if local:
            found = local[-1]
            opening = found.start(1)
            if found.group(1) == b"=":
                stop = text.code.find(b";", opening)
                return _dimensions(text, macros, text.word(opening + 1, stop), opening)
            close = text.close(opening)
            if close > 0:
                return _dimensions(text, macros, f"dim3({text.word(opening + 1, close)})", opening)
        plain = list(
            re.finditer(rb"\b(?:int|unsigned|size_t|auto|uint32_t)\s+" + name + rb"\s*=\s*([^;,]*)[;,]", text.code[:at])
        )
        return (macros.value(plain[-1].group(1).decode("utf-8", "replace")) if plain else None, 1, 1)
    wrapped = _DIM3.fullmatch(expression)
    if wrapped is None:
        return macros.value(expression), 1, 1
    values = [macros.value(part) for part in _split(wrapped.group(1))][:3] if wrapped.group(1).strip() else []
    padded = [*values, 1, 1, 1][:3]
    return padded[0], padded[1], padded[2]


def constant_at(text: CodeText, macros: Macros, expression: str, at: int) -> int | None:
    """What a size folds to; a local variable that is given one value, above `at`, is that value."""
    value = macros.value(expression)
    name = expression.strip()
    if value is not None or not re.fullmatch(r"[A-Za-z_]\w*", name):
        return value
    start = text.code.rfind(b"\n}", 0, at) + 1
    given = re.compile(rb"(?<![\w.>])" + re.escape(name.encode()) + rb"\s*[-+*/|<>]{0,2}=(?!=)\s*([^;,]*)[;,]")
    found = list(given.finditer(text.code, start, at))
    if len(found) != 1 or b"&" + name.encode() in text.code[start:at]:
        return None
    declared = re.search(
        rb"\b(?:int|unsigned|size_t|auto|long|u?int(?:32|64)_t)\s+\Z",
        text.code[max(0, found[0].start() - 40) : found[0].start()],
    )
    return macros.value(found[0].group(1).decode("utf-8", "replace")) if declared else None


def find(text: CodeText, macros: Macros) -> Iterator[Launch]:
    """The launches of a file, in macro bodies too."""
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
        lds = constant_at(text, macros, text.word(*config[2]), start) if len(config) > 2 else 0
        yield Launch(
            text.path,
            kernel,
            start,
            config,
            _dimensions(text, macros, text.word(*config[0]), start),
            _dimensions(text, macros, text.word(*config[1]), start),
            lds,
        )

"""Kernel launches: `<<<>>>` stays, split chevrons are joined, and `--launch ggl` writes hipLaunchKernelGGL.

The closing chevron is searched at the outermost level of brackets and must be followed by `(`, so that comparisons,
shifts and template lists inside the configuration (`n >> 4 > 100 ? s : t`, `grid<A<B<1>>>(n)`) do not end it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hipport.model import Finding, Safety, Status
from hipport.patterns import pattern
from hipport.renames.calls import parenthesis, trimmed
from hipport.renames.occurrences import last_word
from hipport.source.lexer import WORD_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.renames.reading import Reading

_OPEN = pattern(rb"<[ \t\r\n]*<[ \t\r\n]*<")
_PLAIN = pattern(rb"<<<[^<>;{}(),]+,[^<>;{}()]*>>>\s*\(")
_STEP = pattern(rb"[()\[\]{},;]|>[ \t\r\n]*>[ \t\r\n]*>|<<<")
_FAR = 6000  # no launch configuration is longer
_DIM3 = pattern(rb"(?:::)?dim3\s*[({]")
_TEMPLATE_KERNEL = pattern(rb"\btemplate\s*<[^;{}]*?>\s*(?:[^;{}()]|\([^;{}()]*\))*?__global__")
_KERNEL_NAME = pattern(rb"(?:[^;{}()]|__launch_bounds__\s*\([^()]*(?:\([^()]*\)[^()]*)*\))*?(\w+)\s*\(")
_TEMPLATE_MACRO = pattern(rb"#[ \t]*define[ \t]+(\w+)[ \t]+[\w:]+[ \t]*<(?!<)[^\n<]*>[ \t]*\n")
_DIRECTIVE = pattern(rb"\n[ \t]*#")
_MACRO_NAME = pattern(rb"[A-Z_][A-Z0-9_]*")


class Launch(NamedTuple):
    """One launch: the byte ranges of its chevrons and its configuration arguments, and where its `(` stands."""

    opening: tuple[int, int]
    closing: tuple[int, int]
    configuration: tuple[tuple[int, int], ...]
    arguments: int


def find_launches(reading: Reading, *, ggl: bool) -> Iterator[Finding]:
    """Findings about launches: what must be mended with `<<<>>>` kept, or every launch with `ggl`."""
    if not _may_hold(reading.code):
        return
    templates = template_kernels(reading.code) if ggl else frozenset()
    for launch in read_launches(reading, plain=ggl):
        if reading.is_dead(launch.opening[0]):
            continue
        if ggl:
            finding = _as_call(reading, launch, templates)
            if finding is not None:
                yield finding
                continue
        joined = _joined(reading, launch)
        if joined is not None:
            yield joined
        if len(launch.configuration) == 1:
            yield from _one_argument(reading, launch)


def has_launches(reading: Reading) -> bool:
    """Whether the file launches a kernel."""
    return _may_hold(reading.code) and next(read_launches(reading), None) is not None


def _may_hold(code: bytes) -> bool:
    return b"<<" in code or b"< <" in code


def read_launches(reading: Reading, *, plain: bool = True) -> Iterator[Launch]:
    """Every launch in code, in order; without `plain` only those that are more than `<<<grid, block, ...>>>(`."""
    code = reading.code
    for match in _OPEN.finditer(code):
        start, end = match.span()
        if not plain and _PLAIN.match(code, start):
            continue
        if code[start - 1] == 60 or code[end] == 60:  # more than three: a merge conflict, or prose
            continue
        found = _closing(reading, end)
        if found is None:
            continue
        configuration, closing, parenthesis_at = found
        yield Launch((start, end), closing, configuration, parenthesis_at)


def _closing(reading: Reading, position: int) -> tuple[tuple[tuple[int, int], ...], tuple[int, int], int] | None:
    """The configuration arguments, the closing chevrons and the `(` after them, of a launch opened at `position`."""
    code = reading.code
    depth = 0
    begin = position
    parts: list[tuple[int, int]] = []
    fallback = None
    limit = position + _FAR
    if code[code.rfind(b"\n", 0, position) + 1 : position].lstrip().startswith(b"#"):  # a macro: its logical line
        limit = min(limit, code.find(b"\n", position) % (len(code) + 1))
    for match in _STEP.finditer(code, position, limit):
        sign = match[0]
        if sign == b"<<<":
            break
        if sign in b"([{":
            depth += 1
        elif sign in b")]}":
            depth -= 1
            if depth < 0:
                break
        elif sign == b";":
            if depth == 0:
                break
        elif sign == b",":
            if depth == 0:
                parts.append(trimmed(code, begin, match.start()))
                begin = match.end()
        elif depth == 0:
            after = reading.skip_blanks(match.end())
            if code[after] != 40:
                continue
            found = ((*parts, trimmed(code, begin, match.start())), match.span(), after)
            if parts:
                return found
            fallback = fallback or found
    return fallback


def _kernel_before(reading: Reading, position: int) -> tuple[int, int]:
    """The byte range of the kernel expression that ends at `position`; empty where there is none to see."""
    code = reading.code
    end = _back_over_blanks(code, position)
    start = end
    if code[start - 1] == 62:  # >
        start = _back_over_angle(code, start)
        if start < 0:
            return (end, end)
    while True:
        at = _back_over_blanks(code, start)
        if at and code[at - 1] in b")]":
            opened = _back_over_bracket(code, at)
            if opened < 0:
                return (end, end)
            start = opened
            if code[_back_over_blanks(code, start) - 1] in WORD_BYTES and code[at - 1] == 93:
                continue  # array[index]
        word = last_word(code[max(0, at - 200) : at])
        if not word and start == end:
            return (end, end)
        start = at - len(word) if word else start
        edge = _back_over_blanks(code, start)
        prefix = code[max(0, edge - 2) : edge]
        if prefix == b"::":
            start = _back_over_blanks(code, start) - 2
            before = code[start - 1 : start]
            if before == b">":
                opened = _back_over_angle(code, start)
                if opened < 0:
                    return (end, end)
                start = opened
                continue
            if before and before[0] in WORD_BYTES:
                continue
        elif prefix == b"->":
            start = _back_over_blanks(code, start) - 2
            continue
        elif prefix[-1:] == b".":
            start = _back_over_blanks(code, start) - 1
            continue
        return (start, end)


def _back_over_blanks(code: bytes, position: int) -> int:
    while position and code[position - 1] in b" \t\r\n":
        position -= 1
    return position


def _back_over_angle(code: bytes, end: int) -> int:
    """The offset of the `<` that the `>` right before `end` closes, or -1."""
    depth = 0
    round_ = 0
    for index in range(end - 1, max(-1, end - 4000), -1):
        sign = code[index]
        if sign in b")]":
            round_ += 1
        elif sign in b"([":
            round_ -= 1
            if round_ < 0:
                return -1
        elif sign in b";{}":
            return -1
        elif round_ == 0 and sign == 62 and code[index - 1] != 45:
            depth += 1
        elif round_ == 0 and sign == 60:
            depth -= 1
            if depth == 0:
                return _back_over_blanks(code, index)
    return -1


def _back_over_bracket(code: bytes, end: int) -> int:
    """The offset of the bracket that the one right before `end` closes, or -1."""
    depth = 0
    for index in range(end - 1, max(-1, end - 4000), -1):
        if code[index] in b")]}":
            depth += 1
        elif code[index] in b"([{":
            depth -= 1
            if depth == 0:
                return index
    return -1


def _joined(reading: Reading, launch: Launch) -> Finding | None:
    """Chevrons that a formatter took apart: clang knows `<<<` and `>>>` only as one token each."""
    opening, closing = launch.opening, launch.closing
    edits = tuple(
        (start, end, text) for (start, end), text in ((opening, b"<<<"), (closing, b">>>")) if end - start != 3
    )
    if not edits:
        return None
    return reading.finding(
        "launch", opening[0], opening[1], "the chevrons of this launch are split", Safety.SAFE, Status.RENAMED,
        "launch", edits=edits,
    )  # fmt: skip


def _one_argument(reading: Reading, launch: Launch) -> Iterator[Finding]:
    """`k<<<g>>>(...)`: HIP wants the block size too; a macro may hold both."""
    start, end = launch.configuration[0]
    text = reading.code[start:end]
    callee = re.match(rb"\w+", text)
    if not text or (callee and _MACRO_NAME.fullmatch(callee[0])) or b"..." in text:
        return
    if re.search(rb"#[ \t]*define[ \t]+" + re.escape(callee[0] if callee else text) + rb"\b", reading.code):
        return
    if reading.code[start - 4 : start].strip().endswith(b"#"):
        return
    yield reading.finding(
        "launch", launch.opening[0], launch.closing[1], "this launch has no block size, which HIP refuses",
        Safety.MANUAL, Status.MANUAL, "launch", next_step="write `<<<grid, block>>>`",
    )  # fmt: skip


def template_kernels(code: bytes) -> frozenset[bytes]:
    """The names of the kernels that are templates, and of macros that stand for an instance of one."""
    names = {match[1] for match in _TEMPLATE_MACRO.finditer(code)}
    for match in _TEMPLATE_KERNEL.finditer(code):
        name = _KERNEL_NAME.match(code, match.end())
        if name:
            names.add(name[1])
    return frozenset(names)


def _as_call(reading: Reading, launch: Launch, templates: frozenset[bytes]) -> Finding | None:
    """HipLaunchKernelGGL around a launch, whose parts stay where they are; None where its kernel cannot be seen."""
    start, end = _kernel_before(reading, launch.opening[0])
    line = reading.code[reading.code.rfind(b"\n", 0, start) + 1 : start].lstrip()
    if (
        line.startswith(b"#") and b"\n" in reading.code[start : launch.opening[0]]
    ):  # a directive is no part of a kernel's name
        return None
    call = parenthesis(reading, launch.arguments)
    count = len(launch.configuration)
    if start == end or call is None or not 2 <= count <= 4 or _DIRECTIVE.search(reading.code, start, call.close):
        return None
    name = reading.code[start:end]
    is_template = b"<" in name or last_word(name) in templates
    opening, shut = (b"hipLaunchKernelGGL(HIP_KERNEL_NAME(", b")") if is_template else (b"hipLaunchKernelGGL(", b"")
    if not is_template and b"," in name:
        opening, shut = b"hipLaunchKernelGGL((", b")"
    edits = [(start, start, opening)]
    at = end
    for index, (first, last) in enumerate(launch.configuration):
        wrapped = index < 2 and not _is_dim3(reading, first, last)
        edits.append((at, first, (shut if index == 0 else b"") + b", " + (b"dim3(" if wrapped else b"")))
        shut = b")" if wrapped else b""
        if shut:
            edits.append((last, last, shut))
        shut = b"" if index else shut
        at = last
    return _closed(reading, launch, edits, at, has_arguments=bool(call.arguments))


def _closed(
    reading: Reading, launch: Launch, edits: list[tuple[int, int, bytes]], at: int, *, has_arguments: bool
) -> Finding:
    text = b", 0" * (4 - len(launch.configuration)) + (b", " if has_arguments else b"")
    blank_end = reading.skip_blanks(launch.arguments + 1)
    edits.append((at, blank_end, text))
    return reading.finding(
        "launch", edits[0][0], launch.closing[1], "a launch is `hipLaunchKernelGGL`", Safety.SAFE,
        Status.RENAMED, "launch", edits=tuple(edits),
    )  # fmt: skip


def _is_dim3(reading: Reading, start: int, end: int) -> bool:
    """Whether an argument is one `dim3(...)` expression as a whole."""
    match = _DIM3.match(reading.code, start)
    if match is None or match.end() > end:
        return False
    call = parenthesis(reading, match.end() - 1)
    return call is not None and call.close + 1 == end

"""Functions as text shows them: the GPU's by their attributes, the host's where they launch kernels."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.macros import Macros
    from hipport.frontend.text import CodeText


@dataclass(frozen=True, slots=True)
class Function:
    """One function definition: bytes `start` (its attribute) to `end`, its body's `{` at `body`.

    `calls` are the simple names that its body calls; `name` is empty for a lambda.
    """

    path: str
    name: str
    start: int
    body: int
    end: int
    kernel: bool
    device: bool
    calls: frozenset[str]


_CALLED = re.compile(rb"\b([A-Za-z_]\w*)\s*(?:<[^;{}()]*>)?\s*\(")
_TAIL = re.compile(rb"(?:const|noexcept|override|final|mutable|->\s*[\w:<>,\s*&]+|\s)*\Z")
_NAME = re.compile(rb"([A-Za-z_~]\w*|operator\s*(?:[^\w\s(]+|\(\)|\w+))\s*(?:<[^<>]*>\s*)?\Z")
_OPERATOR = re.compile(rb"operator\s*[-+*/%&|^<>=!]*\Z")
_STOP = re.compile(rb"[;{}=()\[\]]")
_KEYWORDS = frozenset(
    [
        *b"if for while switch return sizeof catch defined alignof decltype static_assert".split(),
        b"__launch_bounds__",
        b"__align__",
        b"asm",
    ]
)


def _spell(names: set[str]) -> bytes:
    """An alternation of names, longer ones first."""
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name))).encode()


def _header(text: CodeText, after: int) -> tuple[int, int, int] | None:
    """From a function's attribute: (name start, name end, body `{`), or None where no body follows."""
    code, at = text.code, after
    last: tuple[int, int] | None = None
    frozen = False
    while True:
        match = _STOP.search(code, at)
        if match is None:
            return None
        char = match.group()
        at = match.end()
        if char == b"=" and _OPERATOR.search(code, max(after, at - 24), at - 1):
            continue
        if char in (b";", b"}", b"="):
            return None
        if char in (b"(", b"["):
            close = text.close(match.start())
            if close < 0:
                return None
            if char == b"(":
                if frozen:  # the initialisers of a constructor
                    at = close + 1
                    continue
                joined = last is not None and _TAIL.match(code, last[1], match.start()) is not None
                if last is None or not joined or not _NAME.search(code, after, last[0]):
                    last = (match.start(), close + 1)
                rest = code[close + 1 : close + 24].lstrip()
                frozen = rest.startswith(b":") and not rest.startswith(b"::")
            at = close + 1
            continue
        if char in (b")", b"]"):
            return None
        if last is None:
            return None
        return _named(code, after, last, match.start())


def _named(code: bytes, after: int, group: tuple[int, int], body: int) -> tuple[int, int, int]:
    found = _NAME.search(code, after, group[0])
    if found is None or found.group(1) in _KEYWORDS:
        return group[0], group[0], body
    return found.start(1), found.end(1), body


def called(code: bytes, start: int, end: int) -> frozenset[str]:
    """The simple names called between two offsets."""
    return frozenset(
        m.group(1).decode("utf-8", "replace") for m in _CALLED.finditer(code, start, end) if m.group(1) not in _KEYWORDS
    )


def device_functions(text: CodeText, macros: Macros) -> Iterator[Function]:
    """The definitions marked `__global__` or `__device__`, or by a macro that stands for one of them."""
    kernels = _spell({"__global__", *macros.kernel})
    devices = _spell({"__device__", *macros.device})
    mark = re.compile(rb"(?<![\w#])(?:(" + kernels + rb")|" + devices + rb")(?!\w)")
    done = 0
    for match in mark.finditer(text.code):
        if match.start() < done:
            continue
        line = text.code.rfind(b"\n", 0, match.start()) + 1
        if text.code[line : match.start()].lstrip().startswith(b"#"):
            continue
        header = _header(text, match.end())
        if header is None:
            continue
        name_start, name_end, body = header
        end = text.close(body)
        if end < 0:
            continue
        between = text.code[match.start() : body]
        kernel = match.group(1) is not None or re.search(rb"(?<!\w)(?:" + kernels + rb")(?!\w)", between) is not None
        name = text.code[name_start:name_end].decode("utf-8", "replace")
        yield Function(text.path, name, match.start(), body, end + 1, kernel, True, called(text.code, body, end))
        done = end


_HOST = re.compile(rb"\)\s*(?:const\s*|noexcept\s*|override\s*|->\s*[\w:<>&*\s]+)*\{")


def host_functions(text: CodeText, devices: tuple[Function, ...], offsets: list[int]) -> Iterator[Function]:
    """The outermost braced bodies that hold one of `offsets` and are no device function."""
    if not offsets:
        return
    done = 0
    starts, wanted = [f.start for f in devices], sorted(offsets)  # devices are in order and do not overlap
    for match in _HOST.finditer(text.code):
        body = match.end() - 1
        if body < done:
            continue
        before = bisect_right(starts, body) - 1
        if before >= 0 and body < devices[before].end:
            continue
        end = text.close(body)
        if end < 0:
            continue
        done = end + 1
        inside = bisect_right(wanted, body)
        if inside == len(wanted) or wanted[inside] >= end:
            continue
        opening = _open_of(text, match.start())
        found = _NAME.search(text.code, max(0, opening - 200), opening) if opening >= 0 else None
        # a template's placeholder names it: `Tensor {{ name }}(...) {`
        if found is None and opening > 1 and text.code[opening - 2 : opening] == b"}}":
            yield Function(text.path, "", opening, body, end + 1, False, False, called(text.code, body, end))
            continue
        if found is None or found.group(1) in _KEYWORDS:
            done = body + 1 if found is not None else done
            continue
        name = found.group(1).decode("utf-8", "replace")
        yield Function(text.path, name, found.start(1), body, end + 1, False, False, called(text.code, body, end))


def _open_of(text: CodeText, close: int) -> int:
    """Where the `(` that closes at `close` opens, or -1."""
    depth = 0
    for at in range(close, max(-1, close - 20000), -1):
        char = text.code[at]
        if char == 0x29:
            depth += 1
        elif char == 0x28:
            depth -= 1
            if depth == 0:
                return at
    return -1

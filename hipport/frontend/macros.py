"""What the macros and integer constants of a file set stand for, as far as text tells."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hipport.frontend import branches, records
from hipport.frontend.text import CodeText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hipport.frontend.records import Record


_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)\n]*\))?((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
_CONSTANT = re.compile(
    rb"\b(?:const|constexpr)\b[\w\s:]*?\b(?:int|unsigned|uint|uint32_t|int32_t|size_t|auto|long|uint64_t|short|uint8_t)\b\s+"
    rb"(?:const\s+|constexpr\s+)?(\w+)\s*(?:=|\{)\s*([^;{}]*?)\s*\}?\s*;"
)
_CONDITIONAL = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b([^\n]*)", re.MULTILINE)
_BOUNDING = re.compile(
    rb"\b(\w*(?:[bB]lock|[gG]rid|GRID|BLOCK)\w*)\s*\([^;{}()]*\)\s*(?:noexcept\s*|const\s*)*\{(?=[^{}]*\b65535\b)(?=[^{}]*\bmin\b)"
)
_TARGET = re.compile(rb"__(?:GFX|gfx)\w+__")
_WIDTH_ASKED = re.compile(rb"(?i)gfx\d|RDNA|CDNA|GCN|WAVE(?:FRONT)?_?SIZE|WAVE_?(?:32|64)")
_VERSION_ASKED = re.compile(rb"CUDACC|CUDA_VERSION|CUDART_VERSION|__CUDA_ARCH__")
_SHUFFLE_MACRO = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(__(?:shfl(?:_up|_down|_xor)?|ballot|any|all))\([^)\n]*\)"
    rb"(?:[^\n\\]|\\\r?\n)*\b\1_sync\b",
    re.MULTILINE,
)
_WIDTH_NAME = re.compile(
    r"(?i)(?:warp|wave|wavefront)_?(?:size|width|lanes|threads)?\Z|(?:lanes|threads)_?per_?(?:warp|wave)"
)
_EXCHANGE = re.compile(
    rb"(?<![\w#])__(?:shfl\w*|ballot\w*|any(?:_sync)?|all(?:_sync)?|match_\w+|reduce_\w+_sync|activemask)(?!\w)|\bWarp(?:Reduce|Scan)\b"
)
_ALIAS = re.compile(rb"\busing\s+(\w+)\s*=")
_TYPEDEF = re.compile(rb"\btypedef\b[^;{}()]*?\b(\w+)\s*;")
_ENUM = re.compile(rb"\benum\b[^{;]*\{([^}]*)\}")
_TOKEN = re.compile(r"0[xX][\da-fA-F']+[uUlLzZ]*|\d[\d']*[uUlLzZ]*|[A-Za-z_][\w:]*|<<|>>|[-+*/%()~&|^]|\S")
_CAST = re.compile(r"\(\s*(?:unsigned|signed|int|long|uint|uint32_t|uint64_t|size_t|int64_t)(?:\s+(?:int|long))*\s*\)")
_SIZEOF = re.compile(r"\bsizeof\s*\(\s*([A-Za-z_][\w:]*(?:\s+[A-Za-z_]\w*)*(?:<[^;{}()]*>)?(?:\s*\*)?)\s*\)")
_DEEPEST = 12  # constants that stand for constants
_STATIC_CAST = re.compile(r"static_cast\s*<[^<>]*>|\b(?:uint32_t|unsigned|int|dim3)\s*(?=\()")


@dataclass(frozen=True, slots=True)
class Macros:
    """Object macros and constants by name; `device` are the macros that mark a function as the GPU's.

    `wave` are the constants whose value the device pass decides by its target (`__GFX9__`), `amd` what the author
    defines for AMD apart, `fixed` those of them that give the wave one width for every AMD GPU.
    `older` are macros that stand for a warp function where CUDA's version asks for it: on AMD they may be undefined.
    `exchanging` are macros in whose bodies lanes exchange values, directly or through another macro.
    `bounding` are functions that hold a number of blocks down to 65,535. `records` are the types that are defined.
    """

    objects: Mapping[str, str]
    functions: frozenset[str]
    device: frozenset[str]
    kernel: frozenset[str]
    wave: frozenset[str]
    amd: frozenset[str]
    fixed: Mapping[str, int]
    older: frozenset[str] = frozenset()
    exchanging: frozenset[str] = frozenset()
    bounding: frozenset[str] = frozenset()
    records: Mapping[str, Record] = field(default_factory=dict, repr=False)

    def size(self, kind: str) -> int | None:
        """Bytes of a type as it is spelled, or None where they are not known."""
        found = self._laid(kind)
        return None if found is None else found[0]

    def alignment(self, kind: str) -> int | None:
        """The alignment of a type as it is spelled, or None where it is not known."""
        found = self._laid(kind)
        return None if found is None else found[1]

    def _laid(self, kind: str) -> tuple[int, int] | None:
        laid = records.Layouts(self.records, lambda text, bound: replace(self, objects=bound).value(text))
        return laid.of(kind, self.objects)

    def value(self, expression: str, depth: int = 0) -> int | None:
        """The value of a constant integer expression, or None where it is not known."""
        return _Folder(self, expression, depth).result()


_KNOWN_DEVICE = frozenset(
    {"C10_DEVICE", "C10_HOST_DEVICE", "GPU_LAMBDA", "CUTLASS_DEVICE", "CUTLASS_HOST_DEVICE", "DEVICE_INLINE"}
)


@dataclass(frozen=True, slots=True)
class _Own:
    """What one file defines; `values` in the order of its text, a name as often as it is defined."""

    values: tuple[tuple[str, str], ...]
    functions: frozenset[str]
    device: frozenset[str]
    kernel: frozenset[str]
    wave: frozenset[str]
    amd: frozenset[str]
    fixed: tuple[tuple[str, int], ...]
    older: frozenset[str]


def read(texts: Iterable[CodeText]) -> Macros:
    """The macros and constants that the files define; one that has two values has none."""
    texts = list(texts)
    parts = [_own(text) for text in texts]
    objects: dict[str, str] = {}
    clash: set[str] = set()
    for part in parts:
        for name, body in part.values:
            if objects.setdefault(name, body) != body:
                clash.add(name)
    for name in clash:
        del objects[name]
    wave = frozenset[str]().union(*(part.wave for part in parts))
    return Macros(
        objects,
        frozenset[str]().union(*(part.functions for part in parts)),
        _KNOWN_DEVICE.union(*(part.device for part in parts)),
        frozenset[str]().union(*(part.kernel for part in parts)),
        wave,
        frozenset[str]().union(*(part.amd for part in parts)),
        {name: value for part in parts for name, value in part.fixed if name not in wave},
        frozenset[str]().union(*(part.older for part in parts)),
        _exchanging(texts),
        frozenset[str]().union(*(_bounding(text) for text in texts if b"65535" in text.code)),
        records.collected(texts),
    )


def _exchanging(texts: Iterable[CodeText]) -> frozenset[str]:
    """The macros that stand for an exchange between lanes."""
    bodies = [pair for text in texts for pair in _bodies(text)]
    found = {name for name, body in bodies if _EXCHANGE.search(body)}
    while found:
        names = re.compile(rb"(?<![\w#])(?:" + b"|".join(map(re.escape, sorted(found))) + rb")(?!\w)")
        more = {name for name, body in bodies if name not in found and names.search(body)}
        if not more:
            break
        found |= more
    return frozenset(name.decode("utf-8", "replace") for name in found)


@functools.lru_cache(maxsize=1024)
def _bodies(text: CodeText) -> tuple[tuple[bytes, bytes], ...]:
    """The macros of a file and what they stand for."""
    return tuple((m.group(1), m.group(3)) for m in _DEFINE.finditer(text.code) if m.group(3).strip())


@functools.lru_cache(maxsize=1024)
def _bounding(text: CodeText) -> frozenset[str]:
    return frozenset(m.group(1).decode("utf-8", "replace") for m in _BOUNDING.finditer(text.code))


@functools.lru_cache(maxsize=1024)
def _own(text: CodeText) -> _Own:
    values: list[tuple[str, str]] = []
    functions: set[str] = set()
    device: set[str] = set()
    kernel: set[str] = set()
    for match in _DEFINE.finditer(text.code):
        name = match.group(1).decode("utf-8", "replace")
        body = re.sub(r"\\\r?\n", " ", match.group(3).decode("utf-8", "replace")).strip()
        if "__global__" in body and "(" not in body:
            kernel.add(name)
        elif "__device__" in body and "(" not in body.replace("__attribute__((", ""):
            device.add(name)
        if match.group(2) is not None:
            functions.add(name)
        elif body:
            values.append((name, body))
    for match in _CONSTANT.finditer(text.code):
        name, body = (group.decode("utf-8", "replace") for group in match.groups())
        first, *others = records.pieces(body) or [body]
        values.append((name, first.strip()))
        values += [(n.strip(), b.strip()) for n, equals, b in (o.partition("=") for o in others) if equals]
    for match in _ENUM.finditer(text.code):
        for item in match.group(1).decode("utf-8", "replace").split(","):
            name, equals, body = (part.strip() for part in item.partition("="))
            if equals:
                values.append((name, body))
    amd = _for_amd(text) if b"ROCM" in text.code or b"HIP" in text.code else set[str]()
    wave = _by_target(text) if b"__GFX" in text.code or b"__gfx" in text.code else set[str]()
    fixed = tuple((found.name, found.value) for found in fixed_widths(text)) if amd else ()
    named = [frozenset(kind) for kind in (functions, device, kernel, wave, amd)]
    return _Own(tuple(values), named[0], named[1], named[2], named[3], named[4], fixed, _older(text))


def _by_target(text: CodeText) -> set[str]:
    """The constants that stand under a condition on the target of the device pass, in every branch of it."""
    found: set[str] = set()
    stack: list[tuple[bool, int]] = []
    for match in _CONDITIONAL.finditer(text.code):
        word = match.group(1)
        if word.startswith(b"if"):
            stack.append((_TARGET.search(match.group(2)) is not None, match.end()))
        elif stack and word == b"elif" and _TARGET.search(match.group(2)):
            stack[-1] = (True, stack[-1][1])
        elif stack and word == b"endif":
            asked, start = stack.pop()
            if asked:
                part = CodeText(text.path, b"", text.code[start : match.start()])
                seen = [m.group(1) for p in (_DEFINE, _CONSTANT) for m in p.finditer(part.code)]
                found |= {n.decode("utf-8", "replace") for n in seen if seen.count(n) > 1}
    return found


def _for_amd(text: CodeText) -> set[str]:
    """The constants and types that stand under a condition which asks for AMD."""
    found = branches.read(text)
    names = (m for pattern in (_DEFINE, _CONSTANT, _ALIAS, _TYPEDEF) for m in pattern.finditer(text.code))
    return {m.group(1).decode("utf-8", "replace") for m in names if found.at(m.start()) is branches.Side.AMD}


@dataclass(frozen=True, slots=True)
class FixedWidth:
    """A constant, bytes `start` to `end`, that gives the wave `value` lanes on every AMD GPU."""

    name: str
    start: int
    end: int
    value: int


def fixed_widths(text: CodeText, *, native: bool = False) -> Iterator[FixedWidth]:
    """The constants by which the author fixes the width of AMD's wave, whatever the target; `native`: in HIP code."""
    sides = branches.read(text)
    wanted = (branches.Side.BOTH, branches.Side.AMD) if native else (branches.Side.AMD,)
    asking = _asking(text, _WIDTH_ASKED)
    for match in (m for pattern in (_DEFINE, _CONSTANT) for m in pattern.finditer(text.code)):
        name = match.group(1).decode("utf-8", "replace")
        body = match.group(match.lastindex or 1).decode("utf-8", "replace").strip(" \t\r()").rstrip("uUlL")
        known = _WIDTH_NAME.search(name) is not None and body in ("32", "64")
        if known and sides.at(match.start()) in wanted and not any(a <= match.start() < b for a, b in asking):
            yield FixedWidth(name, match.start(), match.end(), int(body))


def _older(text: CodeText) -> frozenset[str]:
    """The macros that give a warp function without a mask its CUDA 9 form, where CUDA's version asks for it."""
    found = list(_SHUFFLE_MACRO.finditer(text.code)) if b"_sync" in text.code else []
    asking = _asking(text, _VERSION_ASKED) if found else []
    return frozenset(m.group(1).decode() for m in found if any(a <= m.start() < b for a, b in asking))


def _asking(text: CodeText, wanted: re.Pattern[bytes]) -> list[tuple[int, int]]:
    """The conditionals, `#if` to `#endif`, in whose conditions something is found."""
    found: list[tuple[int, int]] = []
    stack: list[tuple[int, bool]] = []
    for match in _CONDITIONAL.finditer(text.code):
        word = match.group(1)
        asks = wanted.search(match.group(2)) is not None
        if word.startswith(b"if"):
            stack.append((match.start(), asks))
        elif stack and word == b"elif":
            stack[-1] = (stack[-1][0], stack[-1][1] or asks)
        elif stack and word == b"endif":
            start, asked = stack.pop()
            if asked:
                found.append((start, match.end()))
    return found


class _Folder:
    """Precedence climbing over integer constants; raises nothing, gives None for what it does not know."""

    _LEVELS = (("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))

    def __init__(self, macros: Macros, expression: str, depth: int) -> None:
        text = expression
        if "sizeof" in text and depth <= _DEEPEST:
            text = _SIZEOF.sub(lambda match: str(macros.size(match.group(1)) or match.group()), text)
        text = _STATIC_CAST.sub("", _CAST.sub("", text))
        self.tokens = _TOKEN.findall(text)
        self.macros = macros
        self.depth = depth
        self.at = 0

    def result(self) -> int | None:
        if self.depth > _DEEPEST or not self.tokens or len(self.tokens) > 64:
            return None
        value = self.level(0)
        return value if self.at == len(self.tokens) else None

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def level(self, index: int) -> int | None:
        if index == len(self._LEVELS):
            return self.unary()
        left = self.level(index + 1)
        while self.peek() in self._LEVELS[index]:
            operator = self.peek()
            self.at += 1
            left = _apply(operator, left, self.level(index + 1))
        return left

    def unary(self) -> int | None:
        token = self.peek()
        self.at += 1
        if token in ("-", "+", "~"):
            value = self.unary()
            return None if value is None else {"-": -value, "+": value, "~": ~value}[token]
        if token == "(":  # noqa: S105
            value = self.level(0)
            if self.peek() != ")":
                return None
            self.at += 1
            return value
        if token[:1].isdigit():
            digits = token.replace("'", "").rstrip("uUlLzZ")
            octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
            return int(digits, 8 if octal and "8" not in digits and "9" not in digits else 0 if not octal else 10)
        name = token.rsplit("::", 1)[-1]
        body = self.macros.objects.get(name)
        return None if body is None else self.macros.value(body, self.depth + 1)


def _apply(operator: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    if operator in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - quotient * right
    if operator in ("<<", ">>"):
        if not 0 <= right < 64:
            return None
        return left << right if operator == "<<" else left >> right
    return {"|": left | right, "^": left ^ right, "&": left & right, "+": left + right, "-": left - right}.get(
        operator, left * right
    )

"""Names that the repository declares itself although CUDA has them too: these are never renamed.

A declaration counts where it holds: a member inside its class, a function inside its namespace, a local inside its
block; at the outermost level it counts in the whole repository. What stands in for CUDA's own headers does not count,
because renaming it with all its uses is right: an alias of a type (`using cudaStream_t = CUstream_st*;`), a definition
behind a preprocessor conditional for builds without CUDA, a function that wraps its namesake. An alias or macro that
maps a CUDA name to HIP does count.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hipport.patterns import pattern
from hipport.renames.calls import parenthesis
from hipport.renames.conditionals import CUDA_COMPILER, Conditionals, is_guard, is_hip_macro, read_conditionals
from hipport.renames.occurrences import NO_TYPES, Place, last_word
from hipport.renames.reading import Reading
from hipport.source import lexer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hipport.model import SourceFile

# How the CUDA names begin that HIP spells otherwise.
_CU = rb"(?:[A-Z]|da|b\b|blas|fft|rand|sparse|solver|dnn|tensor)"
_NV = rb"(?:_|rtc|tx|ml|jpeg|JitLink|cuda)"
_CANDIDATE = pattern(rb"_{0,2}(?:cu" + _CU + rb"|CU[A-Z_]|nv" + _NV + rb"|NV[A-Z_]|Npp|npp)")
# one literal a pattern: the regular expression engine then searches as fast as bytes.find
_CANDIDATE_PLACES = tuple(
    pattern(head + rb"[\w$\x80-\xff]*[ \t\r\n]*([({=;,\[:)}])")
    for head in (b"cu" + _CU, b"CU[A-Z_]", b"nv" + _NV, b"NV[A-Z_]", b"pp")
)
_MACRO_PLACE = pattern(rb"#[ \t]*define[ \t]+(?=" + _CANDIDATE.pattern + rb")")
_HIP = pattern(rb"\b(?:__)?(?:i?hip|HIP|roc)")
_NAME = pattern(rb"[A-Za-z_][\w$\x80-\xff]*")
# and these, which HIP lacks (or an older PyTorch for it) and which anybody may call a function of his own
_COMMON = (b"saturate", b"mulhi", b"mul24", b"float2int", b"CUDAStream", b"getStreamFrom", b"OptionalCUDA")
_COMMON_WORD = pattern(
    rb"\b(?:saturate|mulhi|u?mul24|mul64hi|float2int|u?int2float|float_as_u?int|u?int_as_float"
    rb"|[gs]et(?:Current|Default)CUDAStream|getStreamFrom(?:Pool|External)|OptionalCUDA(?:Stream)?Guard)\b"
)
_INTRODUCES = frozenset({b"define", b"struct", b"class", b"union", b"enum", b"using", b"namespace"})
_AFTER_FUNCTION = pattern(rb"\s*(?:(?:const|noexcept|override|final|volatile|&&?)\s*|->\s*[\w:<>*& ]+?\s*)*([{;=:])")
_WORD = pattern(rb"[A-Za-z_]\w*")
_BRACE = pattern(rb"[{}]")
_NAMESPACE_HEAD = pattern(rb"\bnamespace(?:\s+([\w:]+))?\s*$")
_CLASS_HEAD = pattern(rb"\b(?:struct|class|union)\s+(?:[A-Z_]+\s+)?(\w+)[^;{}()=]*$")
_ENUM_HEAD = pattern(rb"\benum\b[^;{}()]*$")
_EXTERN_HEAD = pattern(rb'\bextern\s*"[^"]*"\s*$')
_NAMESPACE_OPEN = pattern(rb"\bnamespace\s+([\w:]+)\s*\{")


class Declaration(NamedTuple):
    """One declaration of `name`; it holds from `start` to `end`, or everywhere if `scope` is empty and `end` is -1.

    `scope` is the name of the namespace or class that holds it.
    """

    name: bytes
    start: int
    end: int
    scope: bytes = b""


def declared(source: SourceFile) -> frozenset[bytes]:
    """The CUDA-like names that this file declares for others: `name`, or `scope::name` for what a namespace holds."""
    data = source.data
    places = [place for pattern in _CANDIDATE_PLACES for place in _standing(data, pattern)]
    places += [match.end() for match in _MACRO_PLACE.finditer(data)]
    if any(word in data for word in _COMMON):
        places += [match.start() for match in _COMMON_WORD.finditer(data)]
    if not places:
        return frozenset()
    code = lexer.lex(data, jinja=lexer.is_jinja(source.path)).code
    reading = Reading(source, code + b"\0", set(), (), Conditionals())
    hits = [(place, match[0]) for place in places if (match := _NAME.match(code, place)) is not None]
    found: set[bytes] = set()
    for declaration in declarations(reading, (hit for hit in hits if _introduced(reading, hit[0]))):
        if declaration.end < 0:
            found.add(declaration.name)
        elif declaration.scope:
            found.add(declaration.scope + b"::" + declaration.name)
    return frozenset(found)


def _standing(data: bytes, pattern: re.Pattern[bytes]) -> Iterator[int]:
    """Where a declaration may stand, by the bytes around it, comments not yet told from code."""
    for match in pattern.finditer(data):
        place = match.start()
        near = data[place - 48 if place > 48 else 0 : place]
        place -= len(last_word(near[-4:]))
        before = near[: len(near) - (match.start() - place)]
        bare = before.rstrip(b" \t\r\n*&")
        last = bare[-1:]
        if last in (b"{", b","):
            if match[1] in b",=}":
                yield place
        elif last.isalnum() or last in (b"_", b">"):
            line_breaks = b"\n" in before[len(bare) :]
            if line_breaks and b"//" in bare[bare.rfind(b"\n") + 1 :]:
                continue
            if may_introduce(last_word(bare)):
                yield place


def _introduced(reading: Reading, position: int) -> bool:
    before = reading.before(position)
    return before[-1:] in (b"{", b",") or may_introduce(last_word(before.rstrip(b" \t\r\n*&")))


def may_introduce(word: bytes) -> bool:
    """Whether a name after `word` may be declared there: `word` is a type, or a keyword that introduces names."""
    return bool(word) and (word not in NO_TYPES or word in _INTRODUCES) and not word[:1].isdigit()


def declarations(reading: Reading, hits: Iterable[tuple[int, bytes]]) -> Iterator[Declaration]:
    """The declarations among occurrences that a type or an introducing keyword stands before."""
    for position, name in hits:
        if name in CUDA_COMPILER or not _declares(reading, position, name):
            continue
        found = _scoped(reading, position, name)
        if found is not None:
            yield found


def _declares(reading: Reading, position: int, name: bytes) -> bool:
    code = reading.code
    end = position + len(name)
    before = reading.before(position)
    following = reading.skip_blanks(end)
    sign = code[following : following + 1]
    if before[-1:] in (b"{", b","):
        return sign in (b",", b"}", b"=") and _in_enum(code, position)
    word = last_word(before.rstrip(b" \t\r\n*&"))
    if word == b"define":
        return _maps_itself(reading, position, end)
    if word == b"namespace":
        return sign == b"{"
    if word in (b"struct", b"class", b"union", b"enum"):
        return sign == b"{" or (sign == b":" and code[following + 1] != 58)
    if word == b"using":
        return sign == b"=" and bool(_HIP.search(code, following, code.find(b";", following)))
    if sign == b"(":
        return _defines_function(reading, position, following) and not _conditional(reading, position)
    if sign == b"=" and code[following + 1] == 61:
        return False
    if sign in (b";", b",", b"[") and _is_typedef(code, position):
        start = max(code.rfind(mark, 0, position) for mark in (b";", b"{", b"}"))
        return bool(_HIP.search(code, start + 1, position))
    if before[-1:] in (b"*", b"&") and sign != b"=":
        return False
    return sign in (b"=", b";", b",", b"[", b")", b"{") and bool(sign) and not _conditional(reading, position)


def _maps_itself(reading: Reading, position: int, end: int) -> bool:
    """`#define cudaX ...` with a value; an empty one configures a CUDA header and is renamed as any other name."""
    stop = reading.code.find(b"\n", end)
    value = reading.code[end : stop if stop >= 0 else len(reading.code)].strip(b" \t\r\n\0")
    if not value:
        return False
    return bool(_HIP.search(value)) or not _conditional(reading, position)


def _defines_function(reading: Reading, position: int, opening: int) -> bool:
    call = parenthesis(reading, opening)
    if call is None:
        return False
    match = _AFTER_FUNCTION.match(reading.code, call.close + 1)
    if match is None:
        return False
    if match[1] == b"{":  # one that calls its namesake wraps CUDA's function
        body = reading.code[match.end() : closing_brace(reading.code, match.end() - 1)]
        name = _NAME.match(reading.code, position)
        return name is None or re.search(rb"\b" + re.escape(name[0]) + rb"\b", body) is None
    kind, name_, _ = _kind_of_block(reading.code, position)
    return match[1] in (b";", b"=") and (kind == b"class" or (kind == b"namespace" and bool(name_)))


def _is_typedef(code: bytes, position: int) -> bool:
    start = max(code.rfind(mark, 0, position) for mark in (b";", b"{", b"}"))
    return code[start + 1 : position].lstrip().startswith(b"typedef")


def _conditional(reading: Reading, position: int) -> bool:
    """Whether a declaration of a CUDA name is a stand-in behind a preprocessor conditional.

    Include guards do not count, and what a branch for HIP declares is no stand-in: HIP sees it.
    """
    if not _CANDIDATE.match(reading.code, position):
        return False
    code = reading.code
    conditionals = read_conditionals(code, lexer.Lexed(code, ()).words(), reading.source.data)
    around = [b for b in (conditionals.branches[i] for i in conditionals.path(position)) if not is_guard(code, b)]
    if not around or not conditionals.serves_hip:
        return bool(around)
    chains = {branch.chain for branch in around}
    asked = (code[b.condition[0] : b.condition[1]] for b in conditionals.branches if b.chain in chains)
    is_dead = any(s <= position < e for s, e in zip(conditionals.dead_starts, conditionals.dead_ends, strict=True))
    return is_dead or not any(is_hip_macro(word) for text in asked for word in _WORD.findall(text))


def _enclosing(code: bytes, position: int) -> list[int]:
    """The offsets of the braces open at a place, outermost first."""
    open_: list[int] = []
    for match in _BRACE.finditer(code, 0, position):
        if match[0] == b"{":
            open_.append(match.start())
        elif open_:
            open_.pop()
    return open_


def _head(code: bytes, brace: int) -> bytes:
    start = max(code.rfind(mark, 0, brace) for mark in (b";", b"{", b"}"))
    return code[start + 1 : brace]


def _in_enum(code: bytes, position: int) -> bool:
    """Whether the list around a place is that of an enum."""
    start = max(0, position - 4000)
    near = code[start:position]
    opening = max(near.rfind(mark) for mark in (b"{", b"}", b"(", b")", b";"))
    return opening >= 0 and near[opening] == 123 and bool(_ENUM_HEAD.search(_head(code, start + opening)))


def _kind_of_block(code: bytes, position: int) -> tuple[bytes, bytes, int]:
    """What the innermost named block around a place is (class, namespace, block or nothing), its name and its brace."""
    for brace in reversed(_enclosing(code, position)):
        head = _head(code, brace)
        if _ENUM_HEAD.search(head):
            if re.search(rb"\benum\s+(?:class|struct)\b", head):
                return b"class", b"", brace
            continue  # an enumerator belongs to what is around its enum
        if _EXTERN_HEAD.search(head):
            continue
        match = _NAMESPACE_HEAD.search(head)
        if match:
            return b"namespace", match[1] or b"", brace
        match = _CLASS_HEAD.search(head)
        if match:
            return b"class", match[1], brace
        return b"block", b"", brace
    return b"", b"", -1


def closing_brace(code: bytes, brace: int) -> int:
    """The offset after the `}` of the `{` at `brace`, or the end of the file."""
    depth = 0
    for match in _BRACE.finditer(code, brace):
        depth += 1 if match[0] == b"{" else -1
        if depth == 0:
            return match.end()
    return len(code)


def _scoped(reading: Reading, position: int, name: bytes) -> Declaration | None:
    code = reading.code
    if last_word(reading.before(position)) == b"define":
        return Declaration(name, 0, -1)
    parameter_end = _parameter_scope(code, position)
    if parameter_end:
        return Declaration(name, position, parameter_end)
    kind, scope, brace = _kind_of_block(code, position)
    if not kind:
        if last_word(reading.before(position)) == b"namespace":
            return None  # `namespace cub {` of the outermost level adds to CUB itself
        return Declaration(name, 0, -1)
    return Declaration(name, brace, closing_brace(code, brace), scope.rsplit(b"::", 1)[-1] if kind != b"block" else b"")


def _parameter_scope(code: bytes, position: int) -> int:
    """Where the function ends whose parameter stands at `position`; 0 if it is no parameter."""
    start = max(code.rfind(mark, 0, position) for mark in (b";", b"{", b"}"))
    text = code[start + 1 : position]
    if text.count(b"(") <= text.count(b")"):
        return 0
    closing = code.find(b")", position)
    brace, semicolon = code.find(b"{", closing), code.find(b";", closing)
    if brace < 0 or (0 <= semicolon < brace):
        return max(closing, position + 1)
    return closing_brace(code, brace)


@lru_cache(maxsize=64)  # files of one repository ask with equal sets
def _by_scope(repository: frozenset[bytes]) -> tuple[frozenset[bytes], Mapping[bytes, set[bytes]]]:
    """The names that hold everywhere, and those of each scope."""
    by_scope: dict[bytes, set[bytes]] = {}
    for name in repository:
        if b"::" in name:
            scope, short = name.rsplit(b"::", 1)
            by_scope.setdefault(scope, set()).add(short)
    return frozenset(name for name in repository if b"::" not in name), by_scope


class Shadows:
    """Answers whether a name means the repository's own declaration at a place."""

    def __init__(self, reading: Reading, repository: frozenset[bytes], local: Iterable[Declaration]) -> None:
        self._everywhere, by_scope = _by_scope(repository)
        self._here: set[bytes] = set()
        self._ranges: dict[bytes, list[tuple[int, int]]] = {}
        for declaration in local:
            if declaration.end < 0:
                self._here.add(declaration.name)
            else:
                self._ranges.setdefault(declaration.name, []).append((declaration.start, declaration.end))
        if by_scope and b"namespace" in reading.words:
            self._add_reopened(reading, by_scope)

    def _add_reopened(self, reading: Reading, by_scope: Mapping[bytes, set[bytes]]) -> None:
        for match in _NAMESPACE_OPEN.finditer(reading.code):
            for name in by_scope.get(match[1].rsplit(b"::", 1)[-1], ()):
                end = closing_brace(reading.code, match.end() - 1)
                self._ranges.setdefault(name, []).append((match.start(), end))

    def __call__(self, position: int, name: bytes, place: Place = Place.PLAIN) -> bool:
        """Whether `name` at `position` is not CUDA's; `::name` is never that of a namespace, class or block."""
        if name in self._everywhere or name in self._here:
            return True
        return place is not Place.GLOBAL and any(start <= position < end for start, end in self._ranges.get(name, ()))

    def __bool__(self) -> bool:
        return bool(self._everywhere or self._here or self._ranges)

"""Where a CUDA name stands in code, and what stands around it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from hipport.source.lexer import IDENTIFIER, WORD_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.renames.reading import Reading

# Searching name by name is quicker than looking at every word, until a big file holds very many names.
_SEARCH_BUDGET = 4_000_000

# Words that stand before an expression or a type, never as the type of a declaration.
NO_TYPES = frozenset(
    b"return else case goto throw new delete sizeof co_return co_yield co_await do typedef typename struct class enum "
    b"union using namespace const volatile static inline extern constexpr consteval register mutable thread_local "
    b"unsigned signed template operator public private protected virtual friend explicit final override noexcept and "
    b"or not if while for switch default defined alignof decltype alignas asm __asm__ "
    b"__host__ __device__ __global__ __constant__ __shared__ __managed__ __restrict__ __restrict __forceinline__ "
    b"__noinline__ __inline__ __inline __volatile__ ifdef ifndef elif undef pragma define include".split()
)


class Place(Enum):
    """What an occurrence is, by the code before it."""

    PLAIN = 0
    MEMBER = 1  # after `.` or `->`
    FOREIGN = 2  # qualified by a namespace or class
    GLOBAL = 3  # `::name`
    PASTED = 4  # beside `##`


def occurrences(reading: Reading, names: set[bytes]) -> Iterator[tuple[int, bytes]]:
    """Every (offset, name) of whole words in code, in no fixed order."""
    code = reading.code
    if len(names) * len(code) > _SEARCH_BUDGET:
        for match in IDENTIFIER.finditer(code):
            word = match[0]
            if word in names:
                yield match.start(), word
        return
    for name in names:
        size = len(name)
        position = code.find(name)
        while position >= 0:
            end = position + size
            if code[end] not in WORD_BYTES and code[position - 1] not in WORD_BYTES:
                yield position, name
            position = code.find(name, end)


def place_of(reading: Reading, position: int, end: int) -> tuple[Place, bytes]:
    """What the occurrence is, and the word before it (empty where something else stands there)."""
    before = reading.before(position)
    last = before[-1:]
    if last in b"([,=;{}!+-/?|" or not last:  # the usual neighbours; b"" is in every bytes
        place = Place.PLAIN
    elif last == b".":
        is_pack = before.endswith(b"...")
        place = Place.PLAIN if is_pack else Place.MEMBER
    elif last == b">" and before.endswith(b"->"):
        place = Place.MEMBER
    elif last == b":" and before.endswith(b"::"):
        place = Place.FOREIGN if is_qualified(before[:-2]) else Place.GLOBAL
    elif last == b"#" and before.endswith(b"##"):
        place = Place.PASTED
    else:
        place = Place.PLAIN
    if reading.pastes and reading.code[end : end + 8].lstrip(b" \t").startswith(b"##"):
        place = Place.PASTED if place in (Place.PLAIN, Place.GLOBAL) else place
    word = b""
    if place is Place.PLAIN and last and last[0] in WORD_BYTES:
        word = last_word(before)
    return place, word


def is_qualified(before: bytes) -> bool:
    """Whether the code before a `::` names a scope: `ns`, `Class<T>`, but no keyword and nothing at all."""
    text = before.rstrip()
    if not text:
        return False
    if text[-1] == 62:  # >
        return True
    word = last_word(text)
    return bool(word) and word not in NO_TYPES and not (text is not before and word in (b"return", b"typename"))


def last_word(text: bytes) -> bytes:
    """The identifier that ends `text`, or nothing."""
    index = len(text)
    while index and text[index - 1] in WORD_BYTES:
        index -= 1
    return text[index:]

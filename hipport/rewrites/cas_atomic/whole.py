"""A function that is nothing but a loop that adds by compare-and-swap, under a name of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit

_HEAD = re.compile(
    rb"(?P<kind>float|double)\s*\*\s*(?:__restrict__\s+|__restrict\s+)?(?P<place>\w+)\s*,"
    rb"\s*(?:const\s+)?(?P=kind)\s+(?:const\s+)?(?P<value>\w+)\s*\)\s*\Z"
)
_WORD = {
    b"double": rb"(?:unsignedlonglong(?:int)?|longlong(?:int)?|uint64_t|ull)",
    b"float": rb"(?:unsignedint|unsigned|int|uint32_t|uint)",
}
_BITS = {b"double": rb"__double_as_longlong", b"float": rb"__float_as_u?int"}
_REAL = {b"double": rb"__longlong_as_double", b"float": rb"__u?int_as_float"}


def emulates(unit: Unit, function: Function) -> tuple[str, str]:
    """The type that a function adds to, and the statement that does the same; empty where it is another one."""
    code = unit.text.code
    name = code.find(function.name.encode(), function.start, function.body) if function.name else -1
    opened = code.find(b"(", name, function.body) if name >= 0 else -1
    given = _HEAD.match(code, opened + 1, function.body) if opened >= 0 else None
    before = code[function.start : max(name, function.start)]
    if "atomicAdd" in unit.macros.functions:
        return "", ""
    if given is None or b"__host__" in before or _templated(code, function.start) or function.kernel:
        return "", ""
    kind = given.group("kind")
    body = re.sub(rb"\s+", b"", code[function.body + 1 : function.end - 1])
    found = _loop(kind, given.group("place"), given.group("value")).fullmatch(body)
    returned = re.search(rb"(?<!\w)(float|double|void)\s*\Z", before)
    if found is None or returned is None or (returned.group(1) == b"void") != (found.group("result") is None):
        return "", ""
    if returned.group(1) not in (b"void", kind):
        return "", ""
    call = f"::atomicAdd({given.group('place').decode()}, {given.group('value').decode()});"
    return kind.decode(), call if returned.group(1) == b"void" else f"return {call}"


def _templated(code: bytes, start: int) -> bool:
    head = code[max(code.rfind(mark, 0, start) for mark in (b";", b"{", b"}")) + 1 : start]
    return re.search(rb"(?<!\w)template\s*<", head) is not None


def _loop(kind: bytes, place: bytes, value: bytes) -> re.Pattern[bytes]:
    """What the body of such a function looks like without white space."""
    word, bits, real = _WORD[kind], _BITS[kind], _REAL[kind]
    cast = rb"(?:\(%s\*\)%s|reinterpret_cast<%s\*>\(%s\))" % (word, place, word, place)
    pointer = rb"(?:%s\*(?:const)?(?P<p>\w+)=%s;)?" % (word, cast)
    read = rb"(?:\*(?P=p)|\*%s|%s\(\*%s\))" % (cast, bits, place)
    seen = rb"(?P<seen>\w+)"
    declared = rb"(?:%s(?P<old>\w+)=%s(?:,%s(?:,\w+)?;|;%s%s;)|%s%s(?:,|;%s)(?P<old2>\w+)=%s;)" % (
        word,
        read,
        seen,
        word,
        seen.replace(b"seen", b"seen1"),
        word,
        seen.replace(b"seen", b"seen2"),
        word,
        read,
    )
    old, assumed = rb"(?:(?P=old)|(?P=old2))", rb"(?:(?P=seen)|(?P=seen1)|(?P=seen2))"
    added = rb"(?:%s\+%s\(%s\)|%s\(%s\)\+%s)" % (value, real, assumed, real, assumed, value)
    stored = rb"(?:\(%s\))?%s\(%s\)" % (word, bits, added)
    kept = rb"(?:%s)?(?P<sum>\w+)=%s;" % (word, stored)
    swap = rb"(?:%s)?%s=atomicCAS\((?:(?P=p)|%s),%s,(?:%s|(?P=sum))\);" % (kept, old, cast, assumed, stored)
    ends = rb"(?:%s!=%s|%s!=%s)" % (assumed, old, old, assumed)
    result = rb"(?P<result>return%s\(%s\);)?" % (real, old)
    return re.compile(pointer + declared + rb"do\{%s=%s;%s\}while\(%s\);" % (assumed, old, swap, ends) + result)

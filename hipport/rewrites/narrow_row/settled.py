"""Whether the names in a launch mean, where it stands, what the file's constants of these names say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.launches import Launch
    from hipport.frontend.unit import Unit

_WORD = re.compile(rb"[A-Za-z_]\w*")
_FIXED = re.compile(rb"\b(?:const|constexpr)\b(?![^;]*\bdim3\b)")
_GIVEN = re.compile(rb"\b(?:dim3|int|unsigned|size_t|auto|long|u?int(?:32|64)_t)\b")
_MOST = 32  # names that are followed


def settled(unit: Unit, launch: Launch, piece: tuple[int, int]) -> bool:
    """Whether each name between two offsets of a launch is a constant there, or a variable that is given one value.

    A parameter, one of a template's or of a lambda's, may have the name of a constant elsewhere in the file.
    """
    code, host = unit.text.code, unit.host_at(launch.start)
    body = host.start if host else code.rfind(b"\n}", 0, launch.start) + 1
    start = max(code.rfind(mark, 0, body) for mark in (b";", b"}")) + 1
    todo, seen = set(_WORD.findall(code[piece[0] : piece[1]])), {b"dim3", b"static_cast", b"unsigned", b"int"}
    while todo - seen:
        word = (todo - seen).pop()
        seen.add(word)
        found = _declared(code, word, start, launch.start)
        if len(found) > 1 or len(seen) > _MOST:
            return False
        for before, at in found:
            if before.count(b"(") > before.count(b")") or b"template" in before:
                return False  # a parameter
            if _FIXED.search(before):
                continue
            given = _value(code, word, at, start, launch.start)
            if given is None or not _GIVEN.search(before) or word.decode() in unit.macros.objects:
                return False
            todo |= set(_WORD.findall(given))
    return True


def _declared(code: bytes, word: bytes, start: int, end: int) -> list[tuple[bytes, int]]:
    """Where a name is declared, or may be: what stands before it in its statement, and where it ends."""
    pattern = re.compile(rb"(?:[\w>*&]\s+|[*&]|,\s*)(?<!\w)" + word + rb"(?=\s*[=({;,)\[:>])")
    found = []
    for match in pattern.finditer(code, start, end):
        opened = max(code.rfind(mark, start, match.end() - len(word)) for mark in (b";", b"{", b"}"))
        before = code[max(opened + 1, start) : match.end() - len(word)]
        used = re.search(rb"\b(?:return|else)\s*\Z|=[^;]*[,*&]\s*\Z|<<<[^;]*\Z", before)
        inner = before.rstrip().endswith((b",", b"*")) and before.count(b"(") > before.count(b")")
        if used is None and not inner:
            found.append((before, match.end()))
    return found


def _value(code: bytes, word: bytes, at: int, start: int, end: int) -> bytes | None:
    """What a variable is given where it is declared, if it is given nothing else."""
    given = re.compile(rb"\s*(?:=\s*([^;,]*)[;,]|[({]([^;]*?)[)}]\s*[;,])").match(code, at)
    later = re.compile(rb"(?<![\w.>])" + word + rb"\s*(?:\.\s*[xyz]\s*)?(?:[-+*/%|&^<>]{0,2}=(?!=)|\+\+|--)")
    taken = re.compile(rb"&\s*" + word + rb"\b")
    if given is None or later.search(code, given.end(), end) or taken.search(code, start, end):
        return None
    return given.group(1) or given.group(2) or b""

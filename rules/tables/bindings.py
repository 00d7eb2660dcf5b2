"""The Cython declarations (.pxd) of AMD's Python bindings -> names of a ROCm release whose headers are not public."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headers import Declaration

if TYPE_CHECKING:
    from pathlib import Path

EXTERN = re.compile(r'cdef extern from "([^"]+)"')
FUNCTION = re.compile(r"cdef (?P<result>[\w *]+?) ?(?P<name>\w+)\((?P<parameters>.*)\) (?:except|noexcept)")
RECORD = re.compile(r"    (?:cdef|ctypedef) (?:struct|union) (\w+)")
ENUM = re.compile(r"    (?:cdef|ctypedef) enum(?: (\w+))?")
ALIAS = re.compile(r"    ctypedef (.+?) ?(\w+)$")
VARIABLE = re.compile(r"(?:    )?cdef (?:int|long|unsigned \w+|size_t|char \*|const char \*) ?(\w+)$")
MEMBER = re.compile(r"        (\w+)(?: .*)?$")


def bindings(folder: Path) -> dict[str, Declaration]:
    """Name -> its declaration; constants have no value there, records no fields."""
    found: dict[str, Declaration] = {}
    for path in sorted(folder.rglob("cy*.pxd")):
        header, in_enum = "", False
        for line in path.read_text().splitlines():
            if match := EXTERN.match(line):
                header = match[1]
                continue
            new = _declared(line, header, in_enum=in_enum)
            if line.strip() and not line.startswith("        "):
                in_enum = bool(ENUM.match(line))
            for item in new:
                found.setdefault(item.name, item)
    return found


def _declared(line: str, header: str, *, in_enum: bool) -> list[Declaration]:
    if match := FUNCTION.match(line):
        parameters = ", ".join(_type_of(p) for p in match["parameters"].split(",") if p)
        return [Declaration(match["name"], "function", header, f"{match['result']} ({parameters})")]
    if match := RECORD.match(line):
        return [Declaration(match[1], "type", header, "")]
    if match := ENUM.match(line):
        return [Declaration(match[1], "type", header, "enum")] if match[1] else []
    if in_enum and (match := MEMBER.match(line)):
        return [Declaration(match[1], "constant", header, "")]
    if match := VARIABLE.match(line):
        return [Declaration(match[1], "macro", header, "")]
    if match := ALIAS.match(line):
        return [Declaration(match[2], "type", header, f"= {match[1]}")]
    return []


def _type_of(parameter: str) -> str:
    """`const void * dst` -> `const void *`."""
    return re.sub(r"\s*\w+$", "", parameter.strip()) or parameter.strip()

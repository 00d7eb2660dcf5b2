"""AMD's Python bindings -> names of a ROCm release whose headers are not public.

Their Cython declarations (.pxd) carry names and signatures; the modules themselves, which need no ROCm to be imported,
carry the values of enumerators and macros.
"""

from __future__ import annotations

import importlib
import re
import sys
from dataclasses import replace
from enum import IntEnum
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


MODULES = ("hip", "hiprtc", "hipblas", "hipblaslt", "hipfft", "hiprand", "hipsolver", "hipsparse", "hipsparselt")


def bindings(folder: Path) -> dict[str, Declaration]:
    """Name -> its declaration; records have no fields there."""
    numbers = values(folder)
    return {
        name: replace(item, text=str(numbers[name])) if item.kind in {"constant", "macro"} and name in numbers else item
        for name, item in declared(folder).items()
    }


def values(folder: Path) -> dict[str, int]:
    """The numbers that the importable modules below `folder` know; none if they are for another Python."""
    found: dict[str, int] = {}
    sys.path.insert(0, str(folder))
    try:
        for name in MODULES:
            try:
                module = importlib.import_module(f"rocm.bindings.{name}")
            except ImportError:
                continue
            for key, value in vars(module).items():
                if isinstance(value, type) and issubclass(value, IntEnum):
                    found |= {member: int(number) for member, number in value.__members__.items()}
                elif isinstance(value, int) and not isinstance(value, bool):
                    found[key] = value
    finally:
        sys.path.remove(str(folder))
    return found


def declared(folder: Path) -> dict[str, Declaration]:
    """Name -> what the .pxd files say; constants have no value there."""
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

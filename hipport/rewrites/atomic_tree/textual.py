"""The same atomics as text shows them, in kernels that clang cannot read whole: told, never rewritten."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import calls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.calls import CallSite
    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit

_NAMES = re.compile(
    rb"(?<![\w.])(?:atomic(?:Add|Sub|Min|Max|Or|And)|gpuAtomicAdd(?:NoReturn)?|gpuAtomicIncrement)(?!\w)"
)
_ADDRESS = re.compile(rb"&\s*(\w+)\s*\[\s*\d+\s*\]|(\w+)(?:\s*\.\s*data\s*\(\s*\))?")
_STATEMENT = re.compile(rb"(?:[;{})]|\belse)\s*(?:(?:at|c10|fbgemm_gpu)\s*::\s*(?:native\s*::\s*)?)?\Z")
_FIRST = re.compile(rb"\s*\)*\s*==\s*0[uUlL]*\s*[)&;?]")
_CONDITION = re.compile(rb"\b(?:if|while)\s*(?:constexpr\s*)?\(")
_NUMBER = rb"\b\w*(?:[lL]ane|tid|[tT]hread|[rR]ank|[lL]ocal_?[iI]d)\w*\s*(?:\(\s*\))?|\blid"
_ONE = re.compile(
    rb"(?:threadIdx\s*\.\s*\w|" + _NUMBER + rb")\s*==|==\s*(?:threadIdx|\w*(?:[lL]ane|tid)\w*|lid\b)|!\s*threadIdx"
    rb"|\bthread0\b|\b(?:is_)?leader\b|elect"
)


def find(unit: Unit, function: Function) -> Iterator[tuple[CallSite, str]]:
    """The atomics on one address of a kernel's parameter, whose result is unused and that no condition keeps to one."""
    code = unit.text.code
    for site, address in _of_parameters(unit, function):
        statement = _STATEMENT.search(code, function.body, site.start)
        if statement and re.match(rb"\s*;", code[site.end : site.end + 20]):
            yield site, address


def claims(unit: Unit, function: Function) -> Iterator[tuple[CallSite, str]]:
    """Those that only ask whether they are the first: `atomicAdd(&n[0], 1) == 0`."""
    code = unit.text.code
    for site, address in _of_parameters(unit, function):
        value = site.arguments[1] if len(site.arguments) > 1 else (0, 0)
        changes = site.name.endswith("Increment") or code[value[0] : value[1]].strip() not in (b"", b"0")
        if changes and _FIRST.match(code, site.end) and not _asked_of_one(code, function.body, site.start):
            yield site, address


def _of_parameters(unit: Unit, function: Function) -> Iterator[tuple[CallSite, str]]:
    """The atomics on one address of a kernel's parameter, which no condition around keeps to one thread."""
    code = unit.text.code
    head = code[function.start : function.body]
    for site in calls.find(unit.text, _NAMES):
        if not function.body <= site.start < function.end or not unit.live(site.start) or not site.arguments:
            continue
        address = unit.text.code[site.arguments[0][0] : site.arguments[0][1]]
        named = _ADDRESS.fullmatch(address.strip())
        name = (named.group(1) or named.group(2)) if named else b""
        if not name or not re.search(rb"(?<!\w)" + name + rb"\s*[,)]", head):
            continue
        moved = re.compile(rb"(?<![\w.>])" + name + rb"\s*(?:[-+]?=(?!=)|\+\+)|\+\+\s*" + name + rb"(?!\w)")
        if not moved.search(code, function.body, function.end) and not _kept(code, function.body, site):
            yield site, "".join(address.decode("utf-8", "replace").split())


def _asked_of_one(code: bytes, begin: int, at: int) -> bool:
    """Whether the condition that a call stands in asks before it for one thread of a block or warp."""
    start = max(code.rfind(mark, begin, at) for mark in (b";", b"{", b"}"))
    return _ONE.search(code, max(start, begin), at) is not None


def _kept(code: bytes, begin: int, site: CallSite) -> bool:
    """Whether a condition around a call lets one thread of a block or warp through."""
    conditions = []
    for match in _CONDITION.finditer(code, begin, site.start):
        close = _close(code, match.end() - 1)
        after = close + 1 + len(code[close + 1 :]) - len(code[close + 1 :].lstrip()) if close >= 0 else -1
        if close < 0 or close > site.start:
            continue
        opened = code[after : after + 1] == b"{"
        end = _close(code, after) if opened else code.find(b";", after)
        if end < 0 or end >= site.start:
            conditions.append(code[match.end() : close])
    return any(_ONE.search(condition) for condition in conditions)


def _close(code: bytes, start: int) -> int:
    """Where the bracket at `start` closes, or -1."""
    depth = 0
    for match in re.compile(rb"[(){}\[\]]").finditer(code, start):
        depth += 1 if match.group() in b"({[" else -1
        if depth == 0:
            return match.start()
    return -1

"""Compiler output -> diagnostics and kernel remarks."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of a compiler.

    `target` names those that it was compiled for, where the compiler tells (`gfx942`, `host`, or several with commas).
    `origin` is the CUDA place that a port's source map gives, or empty.
    """

    file: str
    line: int
    column: int
    severity: str
    message: str
    flag: str = ""
    target: str = ""
    origin: str = ""

    @property
    def where(self) -> str:
        """`file:line:column`, the CUDA place if there is one; the column only where it is known."""
        if self.origin or not self.file:
            return self.origin
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"


_SEVERITY = r"(?P<severity>fatal error|fatal|error|warning)"
_CLANG = re.compile(
    rf"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): {_SEVERITY}: (?P<text>.*?)(?: \[(?P<flag>-W[^\]]+)\])?$"
)
_NVCC = re.compile(rf"^(?P<file>[^\s(][^(\n]*)\((?P<line>\d+)\): {_SEVERITY}\s?(?:#(?P<flag>[\w-]+))?: (?P<text>.*)$")
# `clang++: error: ...`, `lld: error: ...`, `nvcc fatal   : ...`, `ptxas error   : ...`, `error: ...`
_BARE = re.compile(rf"^(?:(?:[\w.+/-]*(?:clang|lld|zig)[\w.+-]*: )|nvcc |ptxas )?{_SEVERITY}\s*: (?P<text>.*)$")
_SUMMARY = re.compile(r"^\d+ (?:warning|error)s?.* generated when compiling for (?P<target>[\w:+-]+)\.$")
_REMARK = re.compile(
    r"^(?P<file>[^\n]*?):(?P<line>\d+):\d+: remark: +"
    r"(?P<key>[A-Za-z][^:\[]*?)(?: \[[^\]]*\])?: (?P<value>.*?) \[-Rpass"
)


def diagnostics(log: str) -> tuple[Diagnostic, ...]:
    """The errors and warnings of a compiler's log, in order; what several targets share comes once."""
    found: list[Diagnostic] = []
    open_from = 0
    for line in log.splitlines():
        summary = _SUMMARY.match(line)
        if summary:
            found[open_from:] = [replace(item, target=summary["target"]) for item in found[open_from:]]
            open_from = len(found)
            continue
        item = _diagnostic(line)
        if item is not None:
            found.append(item)
    return _merged(found)


def _merged(found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    merged: dict[Diagnostic, list[str]] = {}
    for item in found:
        names = merged.setdefault(replace(item, target=""), [])
        if item.target and item.target not in names:
            names.append(item.target)
    return tuple(replace(item, target=",".join(names)) for item, names in merged.items())


def _diagnostic(line: str) -> Diagnostic | None:
    match = _CLANG.match(line)
    if match:
        return _placed(match, int(match["column"]))
    match = _NVCC.match(line)
    if match:
        return _placed(match, 0)
    match = _BARE.match(line)
    return Diagnostic("", 0, 0, _severity(match["severity"]), match["text"]) if match else None


def _placed(match: re.Match[str], column: int) -> Diagnostic:
    severity, text = _severity(match["severity"]), match["text"].strip()
    return Diagnostic(match["file"], int(match["line"]), column, severity, text, match["flag"] or "")


def _severity(text: str) -> str:
    return "warning" if text == "warning" else "error"


@dataclass(frozen=True, slots=True)
class KernelRemark:
    """The numbers that clang's kernel-resource-usage remark gives for one kernel, by the remark's own words."""

    name: str
    file: str
    line: int
    values: dict[str, int]


def kernel_remarks(log: str) -> tuple[KernelRemark, ...]:
    """The kernel-resource-usage remarks of a log."""
    found: list[KernelRemark] = []
    for line in log.splitlines():
        match = _REMARK.match(line) if ": remark: " in line else None
        if not match:
            continue
        if match["key"] == "Function Name":
            found.append(KernelRemark(match["value"], match["file"], int(match["line"]), {}))
        elif found and match["value"].isdigit():
            found[-1].values[match["key"].strip()] = int(match["value"])
    return tuple(found)

"""Compiler output -> diagnostics and kernel remarks."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of a compiler.

    `target` is the one it was compiled for, where the compiler tells; `origin` is the
    CUDA file and line that a port's source map gives for the place, or empty.
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
        """`file:line:column`, the CUDA place if there is one."""
        if self.origin:
            return self.origin
        return f"{self.file}:{self.line}:{self.column}" if self.file else ""


_CLANG = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): (?P<severity>fatal error|error|warning): (?P<text>.*?)"
    r"(?: \[(?P<flag>-W[^\]]+)\])?$"
)
_TOOLS = r"(?:[\w.+/-]*clang[\w.+-]*|lld|ld\.lld|zig|nvcc fatal\s*|ptxas(?: fatal)?\s*)"
_BARE = re.compile(rf"^{_TOOLS}\s*: ?(?P<severity>fatal error|error|warning)?:? ?(?P<text>.*)$")
_NOWHERE = re.compile(r"^(?P<severity>fatal error|error|warning): (?P<text>.*)$")
_SUMMARY = re.compile(r"^\d+ (?:warning|error)s?.* generated when compiling for (?P<target>[\w:+-]+)\.$")
_NVCC = re.compile(
    r"^(?P<file>[^\s(][^(\n]*)\((?P<line>\d+)\): (?P<severity>fatal error|error|warning)"
    r"\s?(?:#(?P<flag>[\w-]+))?: (?P<text>.*)$"
)
_REMARK = re.compile(
    r"^(?P<file>[^\n]*?):(?P<line>\d+):\d+: remark: +(?P<key>[A-Za-z][^:\[]*?)(?: \[[^\]]*\])?: (?P<value>.*?) \[-Rpass"
)


def diagnostics(log: str) -> tuple[Diagnostic, ...]:
    """The errors and warnings of a compiler's log, in order; the same message for host and device comes once."""
    found: list[Diagnostic] = []
    open_from = 0
    for line in log.splitlines():
        summary = _SUMMARY.match(line)
        if summary:
            name = summary["target"]
            found[open_from:] = [_for_target(item, name) for item in found[open_from:]]
            open_from = len(found)
            continue
        item = _diagnostic(line)
        if item is not None:
            found.append(item)
    merged: dict[tuple[str, int, int, str, str], Diagnostic] = {}
    for item in found:
        key = (item.file, item.line, item.column, item.severity, item.message)
        merged.setdefault(key, item)
    return tuple(merged.values())


def _for_target(item: Diagnostic, name: str) -> Diagnostic:
    return Diagnostic(item.file, item.line, item.column, item.severity, item.message, item.flag, name)


def _diagnostic(line: str) -> Diagnostic | None:
    match = _CLANG.match(line)
    if match:
        severity = match["severity"].replace("fatal error", "error")
        return Diagnostic(
            match["file"], int(match["line"]), int(match["column"]), severity, match["text"], match["flag"] or ""
        )
    match = _NVCC.match(line)
    if match:
        severity = match["severity"].replace("fatal error", "error")
        return Diagnostic(match["file"], int(match["line"]), 0, severity, match["text"].strip(), match["flag"] or "")
    match = _BARE.match(line) or _NOWHERE.match(line)
    if match and match["severity"]:
        return Diagnostic("", 0, 0, match["severity"].replace("fatal error", "error"), match["text"])
    return None


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
        if ": remark: " not in line:
            continue
        match = _REMARK.match(line)
        if not match:
            continue
        if match["key"] == "Function Name":
            found.append(KernelRemark(match["value"], match["file"], int(match["line"]), {}))
        elif found and match["value"].isdigit():
            found[-1].values[match["key"].strip()] = int(match["value"])
    return tuple(found)

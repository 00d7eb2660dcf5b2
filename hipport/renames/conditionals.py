"""Preprocessor conditionals: where each place lies, and which regions HIP never compiles.

A file that has a branch of its own for HIP keeps its CUDA branch as it is: what sits there is no work for a port.
Conditions are judged in three values, because most macros are unknown: true, false, or None.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from hipport.patterns import pattern

# What only a compiler for HIP (or its headers) defines.
HIP_COMPILER = frozenset(
    {b"__HIPCC__", b"__HIP__", b"__HIP_PLATFORM_AMD__", b"__HIP_PLATFORM_HCC__", b"__HCC__", b"__HIPCC_RTC__"}
)
# Defined in one pass of two, for one architecture, or with a value to compare: a sign of HIP, but no known truth.
HIP_SIGNS = frozenset({b"__HIP_DEVICE_COMPILE__", b"HIP_VERSION", b"HIP_VERSION_MAJOR", b"__AMDGCN__", b"__HIP_ARCH__"})
_HIP_BUILD = pattern(rb"(?:[A-Z0-9]+_)*(?:USE|ENABLE|ENABLED|WITH|HAVE|HAS|BUILD|FOR|ON|IS)_?(?:ROCM|HIP|AMDGPU)")
_HIP_BUILD_LATE = pattern(rb"(?:[A-Z0-9]+_)+(?:ROCM|HIP)(?:_(?:ENABLED|BUILD|BACKEND))?|ROCM_BUILD|USE_AMD")
CUDA_COMPILER = frozenset(
    {
        b"__CUDACC__", b"__NVCC__", b"__CUDA_ARCH__", b"CUDA_VERSION", b"CUDART_VERSION", b"__CUDACC_VER_MAJOR__",
        b"__CUDACC_VER_MINOR__", b"__CUDACC_VER_BUILD__", b"__CUDACC_RTC__", b"__CUDA__",
    }
)  # fmt: skip
CUDA_BUILD = frozenset(
    {b"USE_CUDA", b"WITH_CUDA", b"HAVE_CUDA", b"ENABLE_CUDA", b"CUDA_ENABLED", b"BUILD_CUDA", b"GPU_CUDA"}
)

_DIRECTIVE = pattern(rb"#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b([^\n]*)")
_HIP_INCLUDE = pattern(rb"#[ \t]*include[ \t]*<(?:hip|hipcub|hipblas|hiprand|hipfft|rocprim)/")
_DEFINES = pattern(rb"\s*(?:#[ \t]*pragma[ \t]+once\s*)?#[ \t]*define[ \t]+(\w+)")
_TOKEN = pattern(rb"[A-Za-z_]\w*|\d\w*|&&|\|\||[<>=!]=|.", re.DOTALL)


class Branch(NamedTuple):
    """One branch of a conditional. `start` to `end` is its body; `words` those of its condition at `condition`."""

    start: int
    end: int
    condition: tuple[int, int]
    keyword: bytes
    chain: int


class Conditionals(NamedTuple):
    """The conditionals of a file. Dead regions are sorted and disjoint."""

    branches: tuple[Branch, ...] = ()
    dead_starts: tuple[int, ...] = ()
    dead_ends: tuple[int, ...] = ()
    serves_hip: bool = False  # some branch of the file is for HIP
    cuda_is_off: bool = False  # and tests for the CUDA compiler are therefore meant for CUDA alone
    starts: tuple[int, ...] = ()

    def path(self, position: int) -> tuple[int, ...]:
        """The indices of the branches around a place, outermost first."""
        upto = bisect_right(self.starts, position)
        return tuple(i for i in range(upto) if position < self.branches[i].end)


def is_guard(code: bytes, branch: Branch) -> bool:
    """Whether a branch is an include guard: `#ifndef X`, maybe `#pragma once`, then `#define X`."""
    if branch.keyword != b"ifndef":
        return False
    match = _DEFINES.match(code, branch.start)
    return match is not None and match[1] == code[branch.condition[0] : branch.condition[1]].strip()


def is_hip_macro(name: bytes) -> bool:
    """Whether a macro means that HIP is compiled for."""
    if name in HIP_COMPILER or name in HIP_SIGNS:
        return True
    return bool(_HIP_BUILD.fullmatch(name) or _HIP_BUILD_LATE.fullmatch(name))


def read_conditionals(code: bytes, words: set[bytes], data: bytes = b"") -> Conditionals:
    """All conditionals of `code`, and the regions that are dead under HIP where the file has a branch for HIP.

    `data` is the file itself, for the names of its headers.
    """
    found = [m for m in _DIRECTIVE.finditer(code) if _starts_line(code, m.start())]
    if not found:
        return Conditionals()
    branches = _branches(code, found)
    starts = tuple(branch.start for branch in branches)
    if not (b"HIP" in code or b"ROCM" in code or b"hip" in data or b"AMD" in code or b"__HCC__" in code):
        return Conditionals(branches=branches, starts=starts)
    signs = {word for word in words if b"HIP" in word or b"ROCM" in word or b"AMD" in word or b"HCC" in word}
    macros = {name for name in signs if is_hip_macro(name)} - _own_guards(code, signs)
    tested = {w for b in branches for w in re.findall(rb"[A-Za-z_]\w*", code[b.condition[0] : b.condition[1]])} & macros
    includes_hip = any(code[m.start()] == 35 for m in _HIP_INCLUDE.finditer(data))
    if not tested and not includes_hip:
        return Conditionals(branches=branches, starts=starts)
    compiler = includes_hip or bool(tested & (HIP_COMPILER | HIP_SIGNS))
    dead = _dead_regions(code, branches, tested, cuda_is_off=compiler)
    return Conditionals(
        branches,
        tuple(start for start, _ in dead),
        tuple(end for _, end in dead),
        serves_hip=True,
        cuda_is_off=compiler,
        starts=starts,
    )


def _starts_line(code: bytes, position: int) -> bool:
    line = code[code.rfind(b"\n", 0, position) + 1 : position]
    return not line or line.isspace()


def _own_guards(code: bytes, names: set[bytes]) -> set[bytes]:
    """Names that the file tests only to define them: include guards and defaults."""
    return {
        name
        for name in names - HIP_COMPILER
        if re.search(rb"#[ \t]*ifndef[ \t]+" + name + rb"\s*\n\s*#[ \t]*define[ \t]+" + name + rb"\b", code)
    }


def _branches(code: bytes, found: list[re.Match[bytes]]) -> tuple[Branch, ...]:
    branches: list[Branch] = []
    open_: list[tuple[re.Match[bytes], int]] = []
    chains = 0
    for match in found:
        keyword = match[1]
        if keyword in (b"if", b"ifdef", b"ifndef"):
            chains += 1
            open_.append((match, chains))
            continue
        if not open_:
            continue
        begun, chain = open_.pop()
        branches.append(Branch(begun.end(), match.start(), begun.span(2), begun[1], chain))
        if keyword != b"endif":
            open_.append((match, chain))
    branches += [Branch(begun.end(), len(code), begun.span(2), begun[1], chain) for begun, chain in open_]
    return tuple(sorted(branches, key=lambda branch: branch.start))


def _dead_regions(
    code: bytes, branches: tuple[Branch, ...], tested: set[bytes], *, cuda_is_off: bool
) -> list[tuple[int, int]]:
    chains: dict[int, list[Branch]] = {}
    for branch in branches:
        chains.setdefault(branch.chain, []).append(branch)
    dead: list[tuple[int, int]] = []
    for chain in chains.values():
        texts = [code[b.condition[0] : b.condition[1]] for b in chain]
        names = {w for text in texts for w in re.findall(rb"[A-Za-z_]\w*", text)}
        off = (CUDA_COMPILER if cuda_is_off or names & tested else frozenset()) | (
            CUDA_BUILD if names & tested else frozenset()
        )
        taken: bool | None = False
        for branch, text in zip(chain, texts, strict=True):
            holds = _holds(branch.keyword, text, tested, off)
            if taken is True or holds is False:
                dead.append((branch.start, branch.end))
            elif holds is True and taken is False:
                taken = True
            elif holds is None:
                taken = None if taken is False else taken
            elif holds is True:
                taken = True  # an unknown branch came first: what follows this one is dead in any case
    return _merged(dead)


def _merged(regions: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(regions):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _holds(keyword: bytes, text: bytes, on: set[bytes], off: frozenset[bytes]) -> bool | None:
    if keyword == b"else":
        return True
    if keyword in (b"ifdef", b"elifdef"):
        return _defined(text.strip(), on, off)
    if keyword in (b"ifndef", b"elifndef"):
        value = _defined(text.strip(), on, off)
        return None if value is None else not value
    return Condition(text, on, off).value()


def _defined(name: bytes, on: set[bytes], off: frozenset[bytes]) -> bool | None:
    if name in on and name not in HIP_SIGNS:
        return True
    if name == b"HIP_VERSION" and name in on:
        return True
    return False if name in off else None


class Condition:
    """A preprocessor condition in three values; what it does not understand is unknown."""

    def __init__(self, text: bytes, on: set[bytes], off: frozenset[bytes]) -> None:
        self._tokens = [t for t in _TOKEN.findall(text) if not t.isspace()]
        self._at = 0
        self._on = on
        self._off = off

    def value(self) -> bool | None:
        """The value of the whole condition."""
        result = self._either()
        return result if self._at == len(self._tokens) else None

    def _peek(self) -> bytes:
        return self._tokens[self._at] if self._at < len(self._tokens) else b""

    def _next(self) -> bytes:
        token = self._peek()
        self._at += 1
        return token

    def _either(self) -> bool | None:
        result = self._both()
        while self._peek() == b"||":
            self._at += 1
            right = self._both()
            result = True if result or right else (None if None in (result, right) else False)
        return result

    def _both(self) -> bool | None:
        result = self._compared()
        while self._peek() == b"&&":
            self._at += 1
            right = self._compared()
            result = False if result is False or right is False else (None if None in (result, right) else True)
        return result

    def _compared(self) -> bool | None:
        """An operand, or a comparison: a macro that HIP never defines counts as 0 there, every other is unknown."""
        first = self._at
        result = self._operand()
        rest: list[bytes] = []
        depth = 0
        while self._at < len(self._tokens):
            token = self._peek()
            if depth == 0 and token in (b"&&", b"||", b")", b"?", b":"):
                break
            depth += (token == b"(") - (token == b")")
            rest.append(self._next())
        if not rest:
            return result
        tokens = self._tokens[first : self._at]
        return _compare_zero(tokens) if len(tokens) == 3 and tokens[0] in self._off else None

    def _operand(self) -> bool | None:
        token = self._next()
        if token == b"!":
            value = self._operand()
            return None if value is None else not value
        if token == b"(":
            value = self._either()
            return value if self._next() == b")" else None
        if token == b"defined":
            name = self._next()
            if name == b"(":
                name = self._next()
                self._next()
            return _defined(name, self._on, self._off)
        return _defined(token, self._on, self._off) if token[:1].isalpha() or token[:1] == b"_" else None


def _compare_zero(tokens: list[bytes]) -> bool | None:
    try:
        number = int(tokens[2].rstrip(b"uUlL"), 0)
    except ValueError:
        return None
    table = {b">": number < 0, b">=": number <= 0, b"<": number > 0, b"<=": number >= 0, b"==": number == 0}
    return {**table, b"!=": number != 0}.get(tokens[1])

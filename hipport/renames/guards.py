"""Preprocessor tests that ask for CUDA: which of them HIP must answer too, and how.

`__CUDACC__` becomes `__HIPCC__`. `__CUDA_ARCH__` asks for device code (then `__HIP_DEVICE_COMPILE__` is the same
question) or for a feature of an NVIDIA generation: what came before sm_70 (double atomics, half arithmetic) AMD has,
what came later (other barriers, tensor cores, asynchronous copies) has other names there, so those tests stay false.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Finding, Safety, Status
from hipport.patterns import pattern
from hipport.renames.arch_guards import EMPTY, gives_up, left_empty, left_nothing
from hipport.renames.conditionals import CUDA_BUILD
from hipport.renames.occurrences import occurrences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.renames.conditionals import Branch
    from hipport.renames.reading import Reading

_SAME_QUESTION = {
    b"__CUDACC__": (b"__HIPCC__", Safety.SAFE),
    b"__NVCC__": (b"__HIPCC__", Safety.REVIEW),
    b"__CUDACC_RTC__": (b"__HIPCC_RTC__", Safety.SAFE),
}
_VERSIONS = (b"CUDA_VERSION", b"CUDART_VERSION")
_COMPILER_VERSIONS = (b"__CUDACC_VER_MAJOR__", b"__CUDACC_VER_MINOR__", b"__CUDACC_VER_BUILD__")
_ARCH = b"__CUDA_ARCH__"
_ARCH_LIST = b"__CUDA_ARCH_LIST__"
_SPECIFIC = frozenset(
    {
        b"__CUDA_ARCH_SPECIFIC__", b"__CUDA_ARCH_FAMILY_SPECIFIC__",
        *(b"__CUDA_ARCH_FEAT_SM%d_ALL" % number for number in (90, 100, 101, 103, 110, 120, 121)),
    }
)  # fmt: skip
MACROS = frozenset({*_SAME_QUESTION, *_VERSIONS, *_COMPILER_VERSIONS, _ARCH, _ARCH_LIST, *_SPECIFIC})
_BY_HAND = "where AMD should have the code, test __HIPCC__ too"

_AMD_HAS_BEFORE = 700  # sm_70; see the module's docstring
_HIP_MIRRORS_UPTO = 12000  # the CUDA version whose API HIP follows; later ones added what HIP lacks
_NUMBER = pattern(rb"\d+")
_COMPARED = pattern(rb"\s*(>=|<=|==|!=|>|<)\s*(\d+)[uUlL]*(?![\w.])(?![ \t]*[-+*/%<>])")
_COMPARED_BEFORE = pattern(rb"(?<![\w.])(?<![-+*/%])(\d+)[uUlL]*\s*(>=|<=|==|!=|>|<)\s*$")
_CALCULATED = pattern(rb"[ \t]*(?:[-+*/%^]|[<>=!]=|[<>]|&(?!&)|\|(?!\|))")
_CALCULATED_BEFORE = pattern(rb"(?:[-+*/%^]|[<>=!]=|[<>]|(?<!&)&|(?<!\|)\|)\s*$")
_FLIPPED = {b">": b"<", b"<": b">", b">=": b"<=", b"<=": b">=", b"==": b"==", b"!=": b"!="}
_DEFINED = pattern(rb"defined\s*\(?\s*$")
_NV_PRAGMA = pattern(rb"#[ \t]*pragma[ \t]+(?:nv_|diag_|hd_warning)|__nv_")
_NV_ALONE = pattern(rb"(?:\s*#[ \t]*pragma[ \t]+(?:nv_|diag_|hd_warning)[^\n]*\n)+\s*#?")  # clang would warn of it


def find_guards(reading: Reading) -> Iterator[Finding]:
    """Findings about every test for CUDA that HIP compiles."""
    present = reading.words & MACROS
    if present:
        for position, name in occurrences(reading, present):
            if not reading.is_dead(position):
                finding = _judged(reading, position, name)
                if finding is not None:
                    yield finding
    if reading.words & CUDA_BUILD:
        yield from _build_switches(reading)


def _judged(reading: Reading, position: int, name: bytes) -> Finding | None:
    start = reading.code.rfind(b"\n", 0, position) + 1
    line = reading.code[start:position].lstrip()
    if line.startswith(b"#"):
        keyword = line[1:].split(None, 1)[0] if line[1:].split() else b""
        if keyword in (b"define", b"undef"):
            if len(line[1:].split()) > 1:
                return _in_code(reading, position, name)  # in the value of another macro
            hip = _SAME_QUESTION.get(name)  # defined by hand, for an editor or a host compiler
            return None if hip is None else _renamed(reading, position, name, hip[0], Safety.REVIEW)
        branch = _branch(reading, position)
        if branch is not None and keyword in (b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef"):
            handled = reading.conditionals.cuda_is_off or _asks_for_hip(reading, branch)
            return None if handled else _in_condition(reading, position, name, branch)
    return _in_code(reading, position, name)


def _branch(reading: Reading, position: int) -> Branch | None:
    for branch in reading.conditionals.branches:
        if branch.condition[0] <= position < branch.condition[1]:
            return branch
    return None


def _asks_for_hip(reading: Reading, branch: Branch) -> bool:
    """Whether a branch of the same conditional names HIP already."""
    return reading.conditionals.serves_hip and any(
        re.search(rb"HIP|ROCM|AMDGCN", reading.code[b.condition[0] : b.condition[1]])
        for b in reading.conditionals.branches
        if b.chain == branch.chain
    )


def _in_condition(reading: Reading, position: int, name: bytes, branch: Branch) -> Finding | None:
    if name in _SAME_QUESTION:
        hip, safety = _SAME_QUESTION[name]
        if name == b"__CUDACC__" and _NV_ALONE.fullmatch(reading.code, branch.start, branch.end):
            return None
        if name == b"__NVCC__" and _NV_PRAGMA.search(reading.code, branch.start, branch.end):
            return _left(reading, position, name, "guards what only nvcc understands; it stays false on AMD")
        return _renamed(reading, position, name, hip, safety)
    if name == _ARCH:
        return _architecture(reading, position, branch)
    if name in _VERSIONS:
        return _version(reading, position, name, branch)
    if name in _SPECIFIC:
        told = re.search(rb"__CUDA_ARCH__\s*[<>=!]", _condition(reading, branch)) or not left_empty(reading, branch)
        return None if told else _left(reading, position, name, f"is not defined on AMD: {EMPTY}", _BY_HAND)
    return _zero(reading, position, name, branch)


def _architecture(reading: Reading, position: int, branch: Branch) -> Finding | None:
    end = position + len(_ARCH)
    tested = _comparison(reading, position, end)
    condition = reading.code[branch.condition[0] : branch.condition[1]]
    highest = max((int(n) for n in _compared_numbers(condition)), default=0)
    line = reading.code[reading.code.rfind(b"\n", 0, position) + 1 : position]
    if tested is None and (_CALCULATED.match(reading.code, end) or _CALCULATED_BEFORE.search(line)):
        return reading.finding(
            "guard", position, end, "`__CUDA_ARCH__` is 0 on AMD in a comparison that does not show", Safety.MANUAL,
            Status.MANUAL, "guard", next_step="compare it with a number, or test __HIP_DEVICE_COMPILE__",
        )  # fmt: skip
    if tested is None:
        if highest >= _AMD_HAS_BEFORE and gives_up(reading, branch):
            return _left(reading, position, _ARCH, "guards what gives up on old NVIDIA GPUs; it stays false on AMD")
        return _renamed(reading, position, _ARCH, b"__HIP_DEVICE_COMPILE__", Safety.SAFE)
    sign, number, start, stop = tested
    if number >= _AMD_HAS_BEFORE:
        nothing = left_nothing(reading, branch, sign, number, (start, stop))
        if nothing is not None:
            return nothing
        taken = "true" if sign in (b"<", b"<=", b"!=") else "false"
        if taken == "true" and gives_up(reading, branch) and re.search(rb"&&", _condition(reading, branch)):
            return None  # told at `defined(__CUDA_ARCH__)`, which stays false
        lost = ", and its code is left out" if taken == "false" and _alone(reading, branch) else ""
        return _left(
            reading,
            position,
            _ARCH,
            f"is compared with {number}: the test is {taken} on AMD, for host and device{lost}",
            "where AMD should have the other side, test __HIP_DEVICE_COMPILE__ too",
        )
    holds = {b">": True, b">=": True, b"==": False, b"!=": True, b"<": False, b"<=": False}[sign]
    host = {b">": number < 0, b">=": number <= 0, b"==": number == 0, b"!=": number != 0, b"<": number > 0, b"<=": True}
    if holds == host[sign]:
        return _left(
            reading, position, _ARCH, f"is compared with {number}: the test is the same on AMD, host or device"
        )
    hip = b"defined(__HIP_DEVICE_COMPILE__)" if holds else b"!defined(__HIP_DEVICE_COMPILE__)"
    device_only = number == 0 and sign == b">"
    return reading.finding(
        "guard", position, end, f"`__CUDA_ARCH__ {sign.decode()} {number}` asks for what every AMD GPU has"
        if not device_only else "`__CUDA_ARCH__` is `__HIP_DEVICE_COMPILE__`",
        Safety.SAFE if device_only else Safety.REVIEW, Status.RENAMED if device_only else Status.REVIEW, "guard",
        edits=((start, stop, hip),), next_step="" if device_only else "check that the branch fits AMD",
    )  # fmt: skip


def _alone(reading: Reading, branch: Branch) -> bool:
    """Whether no other branch stands in for this one."""
    return all(b.chain != branch.chain or b.start == branch.start for b in reading.conditionals.branches)


def _condition(reading: Reading, branch: Branch) -> bytes:
    return reading.code[branch.condition[0] : branch.condition[1]]


def _compared_numbers(condition: bytes) -> list[bytes]:
    return [n for n in _NUMBER.findall(condition) if len(n) >= 3]


def _comparison(reading: Reading, position: int, end: int) -> tuple[bytes, int, int, int] | None:
    """Operator, number and byte range of the comparison around a macro."""
    code = reading.code
    after = _COMPARED.match(code, end)
    if after:
        return after[1], int(after[2]), position, after.end()
    start = code.rfind(b"\n", 0, position) + 1
    before = _COMPARED_BEFORE.search(code[start:position])
    if before:
        return _FLIPPED[before[2]], int(before[1]), start + before.start(), end
    return None


def _version(reading: Reading, position: int, name: bytes, branch: Branch) -> Finding:
    tested = _comparison(reading, position, position + len(name))
    condition = reading.code[branch.condition[0] : branch.condition[1]]
    is_plain = tested is not None or bool(_DEFINED.search(reading.before(position))) or branch.keyword != b"if"
    numbers = [int(n) for n in _NUMBER.findall(condition) if len(n) >= 4]
    if is_plain and max(numbers, default=0) <= _HIP_MIRRORS_UPTO:
        return _renamed(reading, position, name, b"HIP_VERSION", Safety.REVIEW)
    return _zero(reading, position, name, branch)


def _zero(reading: Reading, position: int, name: bytes, branch: Branch) -> Finding:
    tested = _comparison(reading, position, position + len(name))
    if tested and tested[0] in (b">", b">=") and left_empty(reading, branch):
        return _left(reading, position, name, f"is 0 on AMD: {EMPTY}", _BY_HAND)
    return _left(reading, position, name, "is 0 on AMD: check that the branch taken then is the right one")


def _in_code(reading: Reading, position: int, name: bytes) -> Finding | None:
    if name in _SPECIFIC:
        return None
    if name in _VERSIONS:
        return _renamed(reading, position, name, b"HIP_VERSION", Safety.REVIEW)
    if name in _SAME_QUESTION:
        return _renamed(reading, position, name, *_SAME_QUESTION[name])
    return reading.finding(
        "guard", position, position + len(name), f"`{name.decode()}` has no value on AMD", Safety.MANUAL,
        Status.MANUAL, "guard", next_step="ask for the architecture at run time, or test __HIP_DEVICE_COMPILE__",
    )  # fmt: skip


def _renamed(reading: Reading, position: int, name: bytes, hip: bytes, safety: Safety) -> Finding:
    end = position + len(name)
    status = Status.RENAMED if safety is Safety.SAFE else Status.REVIEW
    return reading.finding(
        "guard", position, end, f"`{name.decode()}` is `{hip.decode()}`", safety, status, "guard",
        edits=((position, end, hip),),
        next_step="" if safety is Safety.SAFE else "check that the guarded code is meant for AMD too",
    )  # fmt: skip


def _left(reading: Reading, position: int, name: bytes, why: str, step: str = "") -> Finding:
    return reading.finding(
        "guard", position, position + len(name), f"`{name.decode()}` {why}", Safety.REVIEW, Status.REVIEW, "guard",
        next_step=step,
    )  # fmt: skip


def _build_switches(reading: Reading) -> Iterator[Finding]:
    """One finding a macro that the repository's own build sets: the HIP build must set it too."""
    for name in sorted(reading.words & CUDA_BUILD):
        tests = [
            b for b in reading.conditionals.branches
            if re.search(rb"\b" + name + rb"\b", reading.code[b.condition[0] : b.condition[1]])
            and not _asks_for_hip(reading, b) and not reading.is_dead(b.condition[0])
        ]  # fmt: skip
        if tests:
            start = tests[0].condition[0] + reading.code[tests[0].condition[0] :].find(name)
            yield reading.finding(
                "guard", start, start + len(name), f"`{name.decode()}` guards {len(tests)} region(s) of this file",
                Safety.REVIEW, Status.REVIEW, "guard", next_step=f"define {name.decode()} in the HIP build as well",
            )  # fmt: skip

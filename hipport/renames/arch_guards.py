"""Tests of `__CUDA_ARCH__` that would leave AMD nothing: an empty function, or one that gives up on old GPUs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.model import Safety, Status
from hipport.patterns import pattern

if TYPE_CHECKING:
    from hipport.model import Finding
    from hipport.renames.conditionals import Branch
    from hipport.renames.reading import Reading

_COMPARISON = rb"\(*\s*(?:__CUDA_ARCH__\s*(?:>=|<=|>|<)\s*\d+[uUlL]*|\d+[uUlL]*\s*(?:>=|<=|>|<)\s*__CUDA_ARCH__)\s*\)*"
_SOLE = pattern(rb"\s*" + _COMPARISON + rb"\s*")
_UNLESS_HOST = pattern(rb"\s*!\s*defined\s*\(?\s*__CUDA_ARCH__\s*\)?\s*\|\|\s*" + _COMPARISON + rb"\s*")
_GIVES_UP = pattern(
    rb"(?<!\w)(?:(?:assert|CUDA_KERNEL_ASSERT|CUDA_DEVICE_ASSERT|TORCH_CHECK)\s*\(\s*(?:false|0)\b|static_assert\s*\(\s*false"
    rb"|__trap\s*\(|__builtin_trap\s*\(|__assert_?fail\s*\(|__builtin_unreachable\s*\()|#\s*error\b"
)
_NVIDIA_ONLY = pattern(
    rb"(?<!\w)(?:cuda\s*::|(?:asm|__asm\w*|nvcuda|wmma|cute|cutlass|mma_sync|__pipeline_\w+|__mbarrier\w*|__cluster\w*"
    rb"|memcpy_async)(?!\w))"
)
# what shims declare: rules async-barrier, scoped-atomic, cg-reduce and missing-function
_SHIMMED = pattern(
    rb"(?<![\w:])(?:::\s*)?cuda\s*::\s*(?:atomic(?:_ref)?|memory_order\w*|barrier|aligned_size_t|memcpy_async"
    rb"|pipeline(?:_shared_state|_role|_consumer_wait_prior)?|make_pipeline|thread_scope_(?:block|thread))(?!\w)"
    rb"|(?<!\w)(?:(?:cg|cooperative_groups)\s*::\s*memcpy_async|__pipeline_(?:memcpy_async|commit|wait_prior))(?!\w)"
)
_NEGATED = pattern(rb"!\s*\(")
_NOTHING = pattern(rb"\s*(?:return\s*;\s*)?")
_DIRECTIVES = pattern(rb"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|endif)\b[^\n]*\n?", re.MULTILINE)
EMPTY = "the function's body is empty there, and it does nothing"
_REFUSES = "it only gives up there"
_FEW = 4  # statements of a side that only gives up
_BEFORE_BODY = pattern(rb"[{]\s*(?:\(\s*void\s*\)\s*\w+\s*;\s*)*\Z")
_AFTER_BODY = pattern(rb"\s*(?:\(\s*void\s*\)\s*\w+\s*;\s*)*\}")


def left_nothing(reading: Reading, branch: Branch, sign: bytes, number: int, span: tuple[int, int]) -> Finding | None:
    """The finding of a comparison with a newer architecture that gives AMD an empty or a refusing side; else None.

    `span` is the comparison. Where the other side is plain code, AMD gets that one.
    """
    is_newer = sign in (b">", b">=")
    if not _decides(reading.code[branch.condition[0] : branch.condition[1]], is_newer=is_newer):
        return None
    other = _other(reading, branch)
    if is_newer:
        given, kept = other, (branch.start, branch.end)
    else:
        given, kept = (branch.start, branch.end), other
    fault = _fault(reading, branch, given)
    if not fault:
        return None
    if is_newer and not reading.code[kept[0] : kept[1]].strip():
        return None
    test = f"`__CUDA_ARCH__ {sign.decode()} {number}` is {'false' if is_newer else 'true'} on AMD: {fault}"
    body = reading.code[kept[0] : kept[1]]
    refused = not is_newer and fault == _REFUSES and not body.strip()
    if not refused and (not body.strip() or _NVIDIA_ONLY.search(_SHIMMED.sub(b"", body))):
        return reading.finding(
            "guard", *span, test, Safety.MANUAL, Status.MANUAL, "guard",
            next_step="port the other side, then test __HIP_DEVICE_COMPILE__ for it",
        )  # fmt: skip
    hip = b"defined(__HIP_DEVICE_COMPILE__)" if is_newer else b"!defined(__HIP_DEVICE_COMPILE__)"
    return reading.finding(
        "guard", *span, test, Safety.REVIEW, Status.REVIEW, "guard",
        edits=((*span, hip),),
        next_step=f"AMD {'is not refused any more' if refused else 'gets the side for newer GPUs'}: check that it fits",
    )  # fmt: skip


def _decides(condition: bytes, *, is_newer: bool) -> bool:
    """Whether a comparison that is false (`is_newer`) or true on AMD decides the whole condition that it stands in."""
    if _SOLE.fullmatch(condition) or (is_newer and _UNLESS_HOST.fullmatch(condition)):
        return True
    return is_newer and b"||" not in condition and b"?" not in condition and not _NEGATED.search(condition)


def gives_up(reading: Reading, branch: Branch) -> bool:
    """Whether a branch only refuses: an #error, a failing assertion, a trap."""
    return _GIVES_UP.search(reading.code[branch.start : branch.end]) is not None


def _other(reading: Reading, branch: Branch) -> tuple[int, int]:
    """The side after a branch, empty where there is none."""
    later = [b for b in reading.conditionals.branches if b.chain == branch.chain and b.start > branch.start]
    return (later[0].start, later[0].end) if later else (branch.end, branch.end)


def _fault(reading: Reading, branch: Branch, given: tuple[int, int]) -> str:
    """What is wrong with the side that AMD gets; empty if it is code."""
    body = reading.code[given[0] : given[1]]
    if _NOTHING.fullmatch(body):
        return EMPTY if is_whole_body(reading, branch) else ""
    refuses = _GIVES_UP.search(body) is not None and body.count(b";") <= _FEW
    return _REFUSES if refuses else ""


def is_whole_body(reading: Reading, branch: Branch) -> bool:
    """Whether the conditional of a branch is all that a function's body has, other conditionals around it aside."""
    chain = [b for b in reading.conditionals.branches if b.chain == branch.chain]
    first, last = min(b.condition[0] for b in chain), max(b.end for b in chain)
    before = reading.code[max(0, first - 400) : reading.code.rfind(b"\n", 0, first) + 1]
    after = reading.code[reading.code.find(b"\n", last) + 1 : last + 400]
    return bool(_BEFORE_BODY.search(_DIRECTIVES.sub(b"", before)) and _AFTER_BODY.match(_DIRECTIVES.sub(b"", after)))


def left_empty(reading: Reading, branch: Branch) -> bool:
    """Whether a function has no body where the condition of a branch is false."""
    other = _other(reading, branch)
    nothing = _NOTHING.fullmatch(reading.code[other[0] : other[1]]) is not None
    return nothing and bool(reading.code[branch.start : branch.end].strip()) and is_whole_body(reading, branch)

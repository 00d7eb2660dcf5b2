"""Opcodes of memory accesses in one order, without what only a cache hears: as the rows of rules/ptx.yaml have them.

PTX ISA 8.5, 9.7.9.8 (ld), 9.7.9.11 (st), 9.7.13 (atom, red): ordering, scope, space, cache operator, operation, width,
type. Older texts write the space first; ptxas takes both.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.frontend.ptx import Instruction

_ORDERS = ("volatile", "relaxed", "acquire", "release", "acq_rel")
_SCOPES = ("cta", "cluster", "gpu", "sys")
_SPACES = ("global", "shared", "const", "local", "param")
_CACHES = ("ca", "cg", "cs", "lu", "cv", "wb", "wt")
_HINT = re.compile(r"\.(?:L[12]::(?!cache_hint)\w+(?:\.L[12]::evict\w+)?|level::\w+|nc(?=\.)|unified|weak)")
_POLICY = ".L2::cache_hint"
_TYPE = re.compile(r"(?:[usbf]\d+|b?f16)(?:x2)?")


def canonical(instruction: Instruction) -> Instruction:
    """The instruction in the order of the rules; one that accesses no memory stays as it is."""
    base = instruction.opcode.partition(".")[0]
    if instruction.opcode.startswith(("cp.async.ca", "cp.async.cg")):
        return _copy(instruction)
    if base not in ("ld", "st", "atom", "red", "prefetch") or instruction.opcode.startswith(
        ("st.async", "st.bulk", "red.async")
    ):
        return instruction
    opcode, operands = _without_hints(instruction)
    parts = opcode.replace("shared::cta", "shared").split(".")[1:]
    width = next((p for p in parts if re.fullmatch(r"v[248]", p)), "v1")
    kept = [p for p in parts if p not in (*_ORDERS, *_SCOPES, *_SPACES, *_CACHES) and p != width]
    order = next((p for p in parts if p in _ORDERS), "")
    scope = next((p for p in parts if p in _SCOPES), "")
    space = next((p for p in parts if p in _SPACES), "generic")
    cache = next((p for p in parts if p in _CACHES and not (base == "ld" and p == "ca")), "")
    if base == "ld" and cache == "cg" and ".nc" in instruction.opcode:
        cache = ""  # what is read-only needs no coherence
    if base in ("atom", "red"):
        order, scope = order or "relaxed", scope or "gpu"
        kept.sort(key=lambda p: _TYPE.fullmatch(p) is not None)  # a vector's type may come before the operation
    if base in ("ld", "st") or (base in ("atom", "red") and width != "v1"):
        kept.insert(len(kept) - 1, width)
    found = [base, order, scope, space, cache, *kept]
    return replace(instruction, opcode=".".join(p for p in found if p), operands=operands)


def _copy(instruction: Instruction) -> Instruction:
    opcode, operands = _without_hints(instruction)
    return replace(instruction, opcode=opcode.replace("shared::cta", "shared"), operands=operands)


def _without_hints(instruction: Instruction) -> tuple[str, tuple[str, ...]]:
    """The opcode without eviction, prefetch and policy, and the operands without the policy."""
    opcode, operands = _HINT.sub("", instruction.opcode), instruction.operands
    if _POLICY in opcode:
        opcode, operands = opcode.replace(_POLICY, ""), operands[:-1]
    return opcode, operands

"""The class that an instruction is counted under: enum hipport_class of abi.h."""

from __future__ import annotations

import functools

from hipport.device.isa.abi import CLASSES
from hipport.device.isa.opcodes import VECTOR
from hipport.device.isa.vector import base_name

_INDEX = {name: i for i, name in enumerate(CLASSES)}
_CROSS = (
    "v_readlane",
    "v_readfirstlane",
    "v_writelane",
    "v_permlane",
    "ds_bpermute",
    "ds_permute",
    "ds_swizzle",
    "v_mov_b32_dpp",
)
_BRANCH = ("s_branch", "s_cbranch", "s_setpc", "s_swappc", "s_call", "s_endpgm", "s_trap")


@functools.cache
def instruction_class(mnemonic: str) -> int:
    """Index into the counters."""
    return _INDEX[_name(mnemonic)]


def is_vector(mnemonic: str) -> bool:
    """Whether it works on lanes: counted for the share of active lanes."""
    return mnemonic[:2] in {"v_", "ds"} or mnemonic.startswith(
        ("global_", "flat_", "scratch_", "buffer_load", "buffer_store")
    )


def _name(mnemonic: str) -> str:
    if mnemonic.startswith(_CROSS):
        return "cross_lane"
    if mnemonic.startswith("ds_"):
        plain = mnemonic.startswith(("ds_read", "ds_write"))
        return "lds" if plain else "lds_atomic"
    if mnemonic.startswith(("global_", "flat_", "buffer_")):
        kind = "atomic" if "_atomic_" in mnemonic else "store" if "_store" in mnemonic else "load"
        return f"global_{kind}" if kind in mnemonic else "other"
    if mnemonic.startswith("scratch_"):
        return "scratch"
    if mnemonic.startswith("v_"):
        return _vector(mnemonic)
    if mnemonic.startswith("s_"):
        if mnemonic.startswith("s_barrier"):
            return "barrier"
        if mnemonic.startswith(_BRANCH):
            return "branch"
        if mnemonic.startswith(("s_load", "s_buffer", "s_store", "s_mem")):
            return "scalar_memory"
        return "other" if mnemonic.startswith(("s_waitcnt", "s_nop", "s_sleep", "s_setprio")) else "scalar"
    return "other"


def _vector(mnemonic: str) -> str:
    name = base_name(mnemonic)
    if name.startswith(("v_mfma", "v_smfmac")):
        return "matrix"
    if mnemonic.endswith("_dpp"):
        return "cross_lane"
    op = VECTOR.get(name)
    if op is not None and "transcendental" in op.notes:
        return "transcendental"
    wide = op is not None and any(t.lstrip("=").endswith("64") for t in (*op.results, *op.sources))
    return "vector_64" if wide else "vector"

"""device/native/abi.h in ctypes: what a lifted module exports and how a kernel of it is launched."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_char, c_char_p, c_int32, c_uint8, c_uint32, c_uint64, c_void_p
from enum import IntEnum, IntFlag

ABI = 1
HIDDEN = 16  # `Arg.kind` from here on: filled by the launch


class FaultKind(IntEnum):
    """What hipport_launch returns; zero is the only success."""

    OK = 0
    REFUSED = 1
    GLOBAL_BOUNDS = 10
    LDS_BOUNDS = 11
    SCRATCH_BOUNDS = 12
    CONSTANT_BOUNDS = 13
    READ_ONLY = 14
    MISALIGNED = 15
    UNINITIALISED = 16
    BARRIER = 17
    DEADLOCK = 18
    RUNAWAY = 19
    TRAP = 20
    ASSERT = 21
    BAD_JUMP = 22
    RACE = 23
    LANE = 24
    MASK = 25
    UNKNOWN_OPCODE = 30
    UNKNOWN_SERVICE = 31
    INTERNAL = 40

    @property
    def inconclusive(self) -> bool:
        """Whether it says nothing about the program: the executor lacks something."""
        return self >= FaultKind.UNKNOWN_OPCODE


class Flag(IntFlag):
    """Bits of `Launch.flags`."""

    POISON = 1
    COOPERATIVE = 2


CLASSES = (
    "scalar",
    "scalar_memory",
    "branch",
    "vector",
    "vector_64",
    "transcendental",
    "cross_lane",
    "matrix",
    "lds",
    "lds_atomic",
    "global_load",
    "global_store",
    "global_atomic",
    "scratch",
    "barrier",
    "other",
)


class Arg(Structure):
    """One slot of the kernarg segment."""

    _fields_ = (
        ("name", c_char_p),
        ("value_kind", c_char_p),
        ("offset", c_uint32),
        ("size", c_uint32),
        ("kind", c_uint32),
        ("reserved", c_uint32),
    )


class Kernel(Structure):
    """One kernel of a module."""

    _fields_ = (
        ("name", c_char_p),
        ("args", POINTER(Arg)),
        ("unknown", POINTER(c_char_p)),
        ("arg_count", c_uint32),
        ("unknown_count", c_uint32),
        ("kernarg_size", c_uint32),
        ("explicit_size", c_uint32),
        ("lds_static", c_uint32),
        ("scratch_per_lane", c_uint32),
        ("dynamic_stack", c_uint32),
        ("wave_size", c_uint32),
        ("max_block", c_uint32),
        ("required_block", c_uint32 * 3),
        ("sgprs", c_uint32),
        ("vgprs", c_uint32),
        ("agprs", c_uint32),
        ("instructions", c_uint32),
        ("code", c_void_p),
    )


class Symbol(Structure):
    """A device variable that the module defines."""

    _fields_ = (
        ("name", c_char_p),
        ("address", c_void_p),
        ("size", c_uint64),
        ("writable", c_uint32),
        ("managed", c_uint32),
    )


class ModuleHeader(Structure):
    """The exported `hipport_module`."""

    _fields_ = (
        ("abi", c_uint32),
        ("profiled", c_uint32),
        ("target", c_char_p),
        ("digest", c_char_p),
        ("kernels", POINTER(Kernel)),
        ("symbols", POINTER(Symbol)),
        ("kernel_count", c_uint32),
        ("symbol_count", c_uint32),
        ("approximate_count", c_uint32),
        ("reserved", c_uint32),
        ("approximate", POINTER(c_char_p)),
        ("code", c_void_p),
    )


class Allocation(Structure):
    """One range of host memory that kernels may touch."""

    _fields_ = (
        ("base", c_uint64),
        ("size", c_uint64),
        ("name", c_char_p),
        ("shadow", c_void_p),
        ("writable", c_uint32),
        ("reserved", c_uint32),
    )


PRINT = ctypes.CFUNCTYPE(None, c_void_p, ctypes.c_int, POINTER(c_char), c_uint64)
MALLOC = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_uint64)
FREE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)


class Launch(Structure):
    """One kernel launch."""

    _fields_ = (
        ("abi", c_uint32),
        ("kernel", c_uint32),
        ("grid", c_uint32 * 3),
        ("block", c_uint32 * 3),
        ("lds_dynamic", c_uint32),
        ("lds_limit", c_uint32),
        ("lds_banks", c_uint32),
        ("threads", c_uint32),
        ("order", c_uint32),
        ("flags", c_uint32),
        ("seed", c_uint64),
        ("budget", c_uint64),
        ("kernarg", c_void_p),
        ("kernarg_bytes", c_uint32),
        ("allocation_count", c_uint32),
        ("allocations", POINTER(Allocation)),
        ("print", PRINT),
        ("device_malloc", MALLOC),
        ("device_free", FREE),
        ("context", c_void_p),
    )


class Fault(Structure):
    """Why a launch was refused, stopped, or is inconclusive."""

    _fields_ = (
        ("kind", c_uint32),
        ("line", c_uint32),
        ("column", c_uint32),
        ("assembly_line", c_uint32),
        ("block", c_uint32 * 3),
        ("thread", c_uint32 * 3),
        ("wave", c_uint32),
        ("lane", c_int32),
        ("address", c_uint64),
        ("size", c_uint64),
        ("hip_error", c_char * 64),
        ("kernel", c_char * 256),
        ("file", c_char * 512),
        ("opcode", c_char * 64),
        ("message", c_char * 512),
    )


class Counts(Structure):
    """What one launch did, summed over its waves."""

    _fields_ = (
        ("waves", c_uint64),
        ("retired", c_uint64),
        ("instructions", c_uint64 * len(CLASSES)),
        ("vector_lanes", c_uint64),
        ("global_load_bytes", c_uint64),
        ("global_store_bytes", c_uint64),
        ("global_atomic_bytes", c_uint64),
        ("scalar_load_bytes", c_uint64),
        ("scratch_bytes", c_uint64),
        ("lds_load_bytes", c_uint64),
        ("lds_store_bytes", c_uint64),
        ("lds_accesses", c_uint64),
        ("lds_conflicts", c_uint64),
        ("global_segments", c_uint64),
        ("global_atomic_lanes", c_uint64),
        ("global_atomic_worst", c_uint64),
        ("global_atomic_worst_address", c_uint64),
        ("lds_atomic_lanes", c_uint64),
        ("lds_atomic_worst", c_uint64),
        ("approximate", c_uint8 * 64),
    )


def load(path: str) -> tuple[ctypes.CDLL, ModuleHeader]:
    """The shared object at `path` and its header; `hipport_launch` of it is typed.

    Raises:
        OSError: it cannot be loaded, or was made for another version of this interface.
    """
    library = ctypes.CDLL(path)
    header = ModuleHeader.in_dll(library, "hipport_module")
    if header.abi != ABI:
        raise OSError(f"{path}: interface version {header.abi}, not {ABI}")
    library.hipport_launch.argtypes = (POINTER(Launch), POINTER(Fault), POINTER(Counts))
    library.hipport_launch.restype = ctypes.c_int
    return library, header

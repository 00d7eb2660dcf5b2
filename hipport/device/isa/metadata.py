"""What the assembly says about its kernels: argument slots, sizes, and which registers the launch sets up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hipport.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipport.device.isa.assembly import Assembly

_KINDS = {"by_value": 0, "global_buffer": 1, "dynamic_shared_pointer": 2}
HIDDEN = 16
OTHER = 3


@dataclass(frozen=True, slots=True)
class ArgSlot:
    """One slot of the kernarg segment; offset and size in bytes, `kind` as in abi.h."""

    name: str
    value_kind: str
    offset: int
    size: int

    @property
    def kind(self) -> int:
        """Which of enum hipport_arg_kind it is."""
        return HIDDEN if self.value_kind.startswith("hidden_") else _KINDS.get(self.value_kind, OTHER)


@dataclass(frozen=True, slots=True)
class KernelInfo:
    """One kernel: what a launch must know. Sizes in bytes."""

    name: str
    args: tuple[ArgSlot, ...]
    kernarg_size: int
    lds_static: int
    scratch_per_lane: int
    dynamic_stack: bool
    wave_size: int
    max_block: int
    required_block: tuple[int, int, int]
    sgprs: int
    vgprs: int
    agprs: int
    descriptor: Mapping[str, str]

    @property
    def explicit_size(self) -> int:
        """Bytes up to the end of the last argument of the source."""
        return max((a.offset + a.size for a in self.args if a.kind != HIDDEN), default=0)


def symbol_value(text: str, symbols: Mapping[str, str], depth: int = 0) -> int:
    """The number that an expression of `.set` symbols stands for: integers, + - * ( ), max() and or()."""
    if depth > 60:
        return 0
    total = re.sub(r"[.\w$]*[A-Za-z_$][\w.$]*", lambda m: _one_symbol(m[0], symbols, depth), text)
    if not re.fullmatch(r"[\d\s+\-*/%&|(),<>=!~a-z]*", total):
        return 0
    names = {"max": max, "alignto": lambda a, b: -(-a // b) * b, "totalnumvgprs": max, "extrasgprs": lambda *_: 0}
    total = re.sub(r"\bor\(", "any_(", total)
    try:
        return int(eval(total, {"__builtins__": {}}, {**names, "any_": lambda *a: int(any(a))}))  # noqa: S307
    except (SyntaxError, NameError, TypeError, ZeroDivisionError, ValueError):
        return 0


def _one_symbol(name: str, symbols: Mapping[str, str], depth: int) -> str:
    if name in {"max", "or", "alignto", "totalnumvgprs", "extrasgprs"} or re.fullmatch(r"0x[0-9a-fA-F]+", name):
        return name if not name.startswith("0x") else str(int(name, 16))
    return f"({symbol_value(symbols[name], symbols, depth + 1)})" if name in symbols else "0"


def kernel_infos(assembly: Assembly) -> tuple[KernelInfo, ...]:
    """The kernels that the metadata lists, in its order.

    Raises:
        DataError: the metadata is not the YAML that code object version 4 to 6 has.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        tree = yaml.load(assembly.metadata, Loader=loader) or {}  # noqa: S506
    except yaml.YAMLError as error:
        raise DataError(f"the kernel metadata is not YAML: {error}") from error
    return tuple(_kernel(k, assembly) for k in tree.get("amdhsa.kernels") or ())


def _kernel(entry: Mapping[str, Any], assembly: Assembly) -> KernelInfo:
    name = str(entry[".name"])
    descriptor = assembly.descriptors.get(name, {})

    def number(key: str) -> int:
        return symbol_value(descriptor.get(key, "0"), assembly.symbols)

    args = tuple(
        ArgSlot(str(a.get(".name", "")), str(a[".value_kind"]), int(a[".offset"]), int(a[".size"]))
        for a in entry.get(".args") or ()
    )
    required = tuple(int(n) for n in entry.get(".reqd_workgroup_size") or (0, 0, 0))
    return KernelInfo(
        name=name,
        args=args,
        kernarg_size=int(entry[".kernarg_segment_size"]),
        lds_static=int(entry[".group_segment_fixed_size"]),
        scratch_per_lane=max(int(entry[".private_segment_fixed_size"]), number("private_segment_fixed_size")),
        dynamic_stack=bool(entry.get(".uses_dynamic_stack", False)),
        wave_size=int(entry[".wavefront_size"]),
        max_block=int(entry[".max_flat_workgroup_size"]),
        required_block=(required[0], required[1], required[2]),
        sgprs=int(entry.get(".sgpr_count", 0)),
        vgprs=int(entry.get(".vgpr_count", 0)),
        agprs=int(entry.get(".agpr_count", 0)),
        descriptor=descriptor,
    )

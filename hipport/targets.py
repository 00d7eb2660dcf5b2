"""rules/targets.yaml -> Target: what a GPU has, by property, each number with its source; never by product."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from hipport.errors import DataError, UsageError
from hipport.resources import compiled, data_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


class Vendor(str, Enum):
    """Who makes the GPU, which decides the compiler."""

    AMD = "amd"
    NVIDIA = "nvidia"


class UnknownFactError(DataError):
    """A number was asked for that nobody has told us: refusing is better than a guess."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One value with the keys of its sources. `value` is None where it is unknown; units are in the key's name."""

    value: Any
    source: tuple[str, ...]
    line: int
    note: str = ""
    verified: bool = True


# neutral name -> the key of each vendor's table; a name that is missing here is the same in both
_ALIASES = {
    "max_threads_per_cu": "max_threads_per_sm",
    "max_waves_per_cu": "max_warps_per_sm",
    "max_blocks_per_cu": "max_blocks_per_sm",
    "simds_per_cu": "sub_partitions_per_sm",
    "lds_per_cu_bytes": "smem_per_sm_bytes",
    "lds_max_per_block_static_bytes": "smem_static_max_per_block_bytes",
    "lds_max_per_block_dynamic_bytes": "smem_dynamic_optin_max_per_block_bytes",
    "lds_alloc_granule_bytes": "smem_alloc_granule_bytes",
    "lds_banks": "smem_banks",
}


@dataclass(frozen=True, slots=True)
class Target:
    """A GPU architecture. `facts` is keyed as in rules/targets.yaml; nested tables have dotted keys (`atomics.f32`)."""

    name: str
    vendor: Vendor
    arch: str
    facts: Mapping[str, Fact]
    where: str

    def fact(self, key: str) -> Fact:
        """The fact of that key, in AMD's or NVIDIA's spelling.

        Raises:
            UnknownFactError: the table has no such key for this target, or says that nobody knows.
        """
        own = _ALIASES.get(key, key) if self.vendor is Vendor.NVIDIA else key
        found = self.facts.get(own)
        if found is None or found.value is None:
            path, _, own_line = self.where.rpartition(":")
            raise UnknownFactError(
                f"`{key}` of {self.name} is not known",
                where=f"{path}:{found.line if found else own_line}",
                next_step="add the value with its source there; hipport does not guess hardware numbers",
            )
        return found

    def number(self, key: str) -> int:
        """The integer of that key."""
        value = self.fact(key).value
        if isinstance(value, bool) or not isinstance(value, int):
            raise UnknownFactError(f"`{key}` of {self.name} is no integer: {value!r}", where=self.where)
        return value

    def knows(self, key: str) -> bool:
        """Whether there is a value for the key."""
        own = _ALIASES.get(key, key) if self.vendor is Vendor.NVIDIA else key
        return own in self.facts and self.facts[own].value is not None

    @property
    def warp_size(self) -> int:
        """Lanes of a warp or wave as the compiler builds it by default."""
        return self.number("warp_size")

    @property
    def lds_bytes(self) -> int:
        """Bytes of LDS (shared memory) that one block may declare statically."""
        return self.number("lds_max_per_block_static_bytes")

    @property
    def lds_dynamic_bytes(self) -> int:
        """Bytes of LDS that one block may have at launch, with the opt-in where the vendor has one."""
        return self.number("lds_max_per_block_dynamic_bytes")

    @property
    def lds_per_cu_bytes(self) -> int:
        """Bytes of LDS that the blocks of one CU (SM; WGP on RDNA) share."""
        return self.number("lds_per_cu_bytes")

    @property
    def lds_granule(self) -> int:
        """Bytes to which a block's LDS is rounded up."""
        return self.number("lds_alloc_granule_bytes")

    @property
    def max_threads_per_block(self) -> int:
        """Threads that one block may have."""
        return self.number("max_threads_per_block")


_BASE = re.compile(r"(?P<base>[a-z0-9_]+?)(?P<suffix>[af]?)(?P<features>(?::[a-z0-9]+[+-])*)")


def target(name: str, path: Path | None = None) -> Target:
    """The target of that name; `gfx90a:xnack-` and `sm_90a` are looked up by their base name.

    Raises:
        UsageError: no such target; the message lists those there are.
    """
    known = load(path)
    if name in known:
        return known[name]
    match = _BASE.fullmatch(name)
    if match:
        base = match["base"]
        for candidate in (base + match["suffix"], base if base.startswith("sm_") else ""):
            if candidate in known:
                return known[candidate]
    raise UsageError(f"unknown target `{name}`", next_step=f"known targets: {', '.join(known)}")


def targets(names: str | Iterable[str], path: Path | None = None) -> tuple[Target, ...]:
    """The targets of a list (`gfx942,gfx950`), each once, in the order given."""
    words = names.split(",") if isinstance(names, str) else list(names)
    found = {word.strip(): target(word.strip(), path) for word in words if word.strip()}
    if not found:
        raise UsageError("no target is named", next_step="for example --target gfx942,gfx950")
    return tuple({value.name: value for value in found.values()}.values())


def load(path: Path | None = None) -> Mapping[str, Target]:
    """Every target of rules/targets.yaml (or of `path`) by name, in the file's order.

    Raises:
        DataError: the file does not fit its schema; with file and line.
    """
    return _loaded(path)[0]


def sources(path: Path | None = None) -> Mapping[str, str]:
    """What each source key of the table stands for."""
    return _loaded(path)[1]


@functools.cache
def _loaded(path: Path | None) -> tuple[Mapping[str, Target], Mapping[str, str]]:
    """The targets and the sources of a table; of ours in its compiled form."""
    if path is None:
        table = data_dir("rules") / "targets.yaml"
        return _opened(compiled("targets.json", [str(table), __file__], lambda: build(table)), table)
    return _opened(build(path), path)


def build(path: Path) -> bytes:
    """Read a table and check it; its compiled form is JSON: the rows of each target's facts, and the sources."""
    from hipport.target_table import read

    return json.dumps(read(path), separators=(",", ":")).encode()


def _opened(data: bytes, path: Path) -> tuple[Mapping[str, Target], Mapping[str, str]]:
    table = json.loads(data)
    found = {}
    for name, vendor, arch, line, rows in table["targets"]:
        facts = {key: Fact(_frozen(value), tuple(source), *rest) for key, value, source, *rest in rows}
        found[name] = Target(name, Vendor(vendor), arch, facts, f"{path}:{line}")
    return found, table["sources"]


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return {key: _frozen(inner) for key, inner in value.items()} if isinstance(value, dict) else value

"""rules/targets.yaml -> Target: what a GPU has, by property, each number with its source; never by product."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NoReturn

from hipport.errors import DataError, UsageError
from hipport.resources import data_dir

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
_REQUIRED = ("vendor", "arch", "warp_size", "max_threads_per_block")


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
    return _load(path or data_dir("rules") / "targets.yaml")


def sources(path: Path | None = None) -> Mapping[str, str]:
    """What each source key of the table stands for."""
    return _read(path or data_dir("rules") / "targets.yaml")[1]


@functools.cache
def _load(path: Path) -> Mapping[str, Target]:
    return _read(path)[0]


class _Reader:
    """Walks yaml nodes so that each complaint can name its line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fail(self, node: Any, what: str) -> NoReturn:
        raise DataError(what, where=f"{self.path}:{node.start_mark.line + 1}")

    def mapping(self, node: Any, what: str) -> dict[str, Any]:
        """Key -> node; a repeated key is an error (yaml would keep the last one in silence)."""
        if node is None or node.id != "mapping":
            self.fail(node, f"{what} must be a mapping")
        found: dict[str, Any] = {}
        for key, value in node.value:
            if key.value in found:
                self.fail(key, f"`{key.value}` is given twice")
            found[key.value] = value
        return found

    def plain(self, node: Any) -> Any:
        """The Python value of a node."""
        if node.id == "scalar":
            return _scalar(node)
        if node.id == "sequence":
            return tuple(self.plain(item) for item in node.value)
        return {key.value: self.plain(value) for key, value in node.value}


def _scalar(node: Any) -> Any:
    kind = node.tag.rsplit(":", 1)[-1]
    if kind == "null":
        return None
    if kind == "bool":
        return node.value.lower() in {"true", "yes", "on"}
    if kind == "int":
        return int(node.value.replace("_", ""), 0)
    if kind == "float":
        return float(node.value)
    return node.value


@functools.cache
def _read(path: Path) -> tuple[Mapping[str, Target], Mapping[str, str]]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    reader = _Reader(path)
    try:
        with path.open("rb") as stream:
            node = yaml.compose(stream, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}" if mark else str(path)
        raise DataError(f"not valid YAML: {getattr(error, 'problem', error)}", where=place) from error
    if node is None:
        raise DataError("the file is empty", where=f"{path}:1")
    top = reader.mapping(node, "the file")
    for key in ("sources", "targets"):
        if key not in top:
            reader.fail(node, f"`{key}` is missing")
    names = {key: str(value.value) for key, value in reader.mapping(top["sources"], "`sources`").items()}
    tables = reader.mapping(top["targets"], "`targets`")
    return {name: _target(reader, name, table, names) for name, table in tables.items()}, names


def _target(reader: _Reader, name: str, node: Any, names: Mapping[str, str]) -> Target:
    rows = reader.mapping(node, f"target `{name}`")
    for key in _REQUIRED:
        if key not in rows:
            reader.fail(node, f"target `{name}` has no `{key}`")
    vendor = str(rows["vendor"].value)
    if vendor not in set(Vendor):
        reader.fail(rows["vendor"], f"`vendor` of {name} must be one of {', '.join(v.value for v in Vendor)}")
    facts: dict[str, Fact] = {}
    for key, value in rows.items():
        if value.id == "scalar":
            continue  # vendor, arch and remarks: names, not numbers
        _facts(reader, key, value, names, facts)
    return Target(name, Vendor(vendor), str(rows["arch"].value), facts, f"{reader.path}:{node.start_mark.line + 1}")


def _facts(reader: _Reader, key: str, node: Any, names: Mapping[str, str], into: dict[str, Fact]) -> None:
    rows = reader.mapping(node, f"`{key}`")
    if "value" not in rows:
        for inner, value in rows.items():
            if value.id == "mapping":
                _facts(reader, f"{key}.{inner}", value, names, into)
            elif value.tag.endswith((":int", ":float")):
                reader.fail(value, f"`{key}.{inner}` is a bare number: write {{value, source}}")
        return
    into[key] = _fact(reader, key, rows, node, names)


def _fact(reader: _Reader, key: str, rows: Mapping[str, Any], node: Any, names: Mapping[str, str]) -> Fact:
    for extra in rows.keys() - {"value", "source", "note", "verified"}:
        reader.fail(rows[extra], f"`{key}` has an unknown field `{extra}`")
    value = reader.plain(rows["value"])
    if "source" not in rows or rows["source"].id != "sequence":
        reader.fail(node, f"`{key}` has no list of sources")
    source = tuple(str(item.value) for item in rows["source"].value)
    for item in rows["source"].value:
        if item.value not in names:
            reader.fail(item, f"`{key}` names the source `{item.value}`, which `sources` does not explain")
    if value is not None and not source:
        reader.fail(node, f"`{key}` has a value and no source")
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value < 0:
        reader.fail(rows["value"], f"`{key}` is negative")
    note = str(rows["note"].value) if "note" in rows else ""
    verified = reader.plain(rows["verified"]) is not False if "verified" in rows else True
    return Fact(value, source, node.start_mark.line + 1, note, verified)

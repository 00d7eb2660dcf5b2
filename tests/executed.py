"""A rewrite's case that is executed: how its `x.run.toml` is read, ported, built, and launched in one child process.

`python tests/executed.py REQUEST` is that child. The format is described in docs/rewrites.md.
"""

from __future__ import annotations

import json
import math
import mmap
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from hipport import api
from hipport.config import Config, WarpMode
from hipport.device import FaultError, Limits, arguments, cpu, device

if TYPE_CHECKING:
    from collections.abc import Mapping

BLOCKS = (1, 33, 64, 96, 256, 1000, 1024)
ORDERS = ("in", "random:7")
KEYS = {"kernel", "grid", "block", "blocks", "shared", "targets", "options", "optimize", "warp", "without", "orders"}
TABLES = {"arg", "let", "counts"}
FUNCTIONS = {f.__name__: f for f in (min, max, sum, len, abs, int, float, range, math.isqrt)}
FUNCTIONS["ceil_div"] = lambda a, b: -(-a // b)


@dataclass(frozen=True, slots=True)
class Case:
    """What an `x.run.toml` says; `path` is its own."""

    path: Path
    table: Mapping[str, Any]

    @property
    def rule(self) -> str:
        return self.path.parts[-3].replace("_", "-")

    @property
    def source(self) -> Path:
        return self.path.with_name(self.path.name.removesuffix(".run.toml") + ".cu")

    def get(self, key: str, default: Any) -> Any:
        return self.table.get(key, default)

    def names(self, block: int) -> dict[str, Any]:
        """What expressions may use: B, the names of [let] in their order, and a few functions."""
        known: dict[str, Any] = {**FUNCTIONS, "np": np, "B": block}
        for name, text in self.get("let", {}).items():
            known[name] = value(text, known)
        return known

    def launch(self, block: int) -> dict[str, Any]:
        """Grid, block and dynamic LDS for a block of so many threads."""
        known = self.names(block)
        return {
            "grid": value(self.get("grid", 2), known),
            "block": value(self.get("block", "B"), known),
            "shared": value(self.get("shared", 0), known),
        }

    def rows(self, block: int) -> list[dict[str, Any]]:
        """The [[arg]] tables with `shape` and `value` worked out, and without `want`."""
        known = self.names(block)
        out = []
        for row in self.get("arg", []):
            plain = {key: entry for key, entry in row.items() if key != "want"}
            for key in {"shape", "value", "values", "low", "high"} & set(plain):
                plain[key] = value(plain[key], known)
            out.append(plain)
        return out


class Built(NamedTuple):
    """A port's text and its module: the path of a shared object for `target`."""

    text: Path
    target: str
    module: str


def read(path: Path) -> Case:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    unknown = set(table) - KEYS - TABLES
    assert not unknown, f"{path}: unknown {', '.join(sorted(unknown))}"
    assert "kernel" in table, f"{path}: no kernel is named"
    return Case(path, table)


def value(text: Any, known: Mapping[str, Any]) -> Any:
    """An expression (text) or numbers as they are; a list entry by entry."""
    if isinstance(text, list):
        return [value(one, known) for one in text]
    return eval(text, dict(known)) if isinstance(text, str) else text  # noqa: S307 - our own files


def ported(case: Case, scratch: Path, *, rule: bool) -> Path:
    """The case's port with every rule, or with every rule but its own."""
    config = Config(
        optimize=case.get("optimize", True),
        warp=WarpMode(case.get("warp", "subwarp")),
        ignore=() if rule else (case.rule,),
    )
    out = scratch / f"{case.source.stem}_{'with' if rule else 'without'}.hip"
    api.port(case.source, out, config=config)
    return out


def build(case: Case, source: Path, target: str) -> str:
    """The module of a port for a target: the path of its shared object."""
    module: Any = device(f"isa:{target}").build(
        source, options=tuple(case.get("options", ())), profile="counts" in case.table
    )
    return str(module.path)


def launched(case: Case, modules: Mapping[str, Built], scratch: Path) -> list[dict[str, Any]]:
    """One row for each block size, variant and order: outputs that differ, a fault, counts. Runs in one child."""
    asked = scratch / "asked.json"
    named = {word: (one.target, one.module) for word, one in modules.items()}
    asked.write_text(json.dumps({"case": str(case.path), "modules": named}), encoding="utf-8")
    words = [sys.executable, __file__, str(asked)]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-4000:]
    rows: list[dict[str, Any]] = json.loads(asked.with_suffix(".out").read_text(encoding="utf-8"))
    return rows


def _here(request: dict[str, Any], handle: int, limits: Limits) -> tuple[dict[str, Any], str]:
    """A launch in this process, which is a child already."""
    import ctypes

    from hipport.device import child

    del limits
    with mmap.mmap(handle, request["bytes"]) as shared:
        anchor = ctypes.c_char.from_buffer(shared)
        result = child._launch(request, ctypes.addressof(anchor))
        del anchor
    return result, ""


def _run(case: Case, module: cpu.IsaModule, block: int, order: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Arrays by name after a launch, its counts, and the fault that ended it."""
    args = arguments.of_rows(case.rows(block), case.path)
    counts: dict[str, Any] = {}
    fault = ""
    limits = Limits(threads=1, order=order)
    kernel = replace(module, executor=replace(module.executor, limits=limits))[case.table["kernel"]]
    try:
        counts = dict(kernel(**case.launch(block), args=[a.value for a in args]).counts)
    except FaultError as error:
        fault = f"{error.fault.kind}: {error}"
    arrays = {a.name or f"argument {at}": arguments.decoded(a) for at, a in enumerate(args, 1) if a.array is not None}
    return arrays, counts, fault


def _difference(case: Case, got: Mapping[str, Any], want: Mapping[str, Any]) -> list[str]:
    """The arrays that differ, each with its first place; bits count, unless the argument states a tolerance."""
    said = []
    rows = {row.get("name") or f"argument {at}": row for at, row in enumerate(case.get("arg", []), 1)}
    for name, wanted in want.items():
        loose = {key: float(rows[name].get(key, 0.0)) for key in ("rtol", "atol")}
        a, b = np.asarray(got[name]), np.broadcast_to(np.asarray(wanted), np.shape(got[name]))
        equal = (a == b) | ((a != a) & (b != b))  # noqa: PLR0124 - NaN is as good as NaN
        off = ~(np.isclose(a, b, **loose, equal_nan=True) if any(loose.values()) else equal)
        if off.any():
            at = tuple(int(i) for i in np.argwhere(off)[0])
            said.append(f"{name}{list(at)} is {a[at]}, not {b[at]} ({int(off.sum())} of {off.size} differ)")
    return said


def _wanted(case: Case, block: int) -> dict[str, Any]:
    """The outputs that the file itself states, from the inputs."""
    args = arguments.of_rows(case.rows(block), case.path)
    inputs = {a.name: arguments.decoded(a) if a.array is not None else a.value for a in args if a.name}
    known = {**case.names(block), **inputs}
    return {row["name"]: value(row["want"], known) for row in case.get("arg", []) if "want" in row}


def _module(target: str, path: str) -> cpu.IsaModule:
    executor: Any = device(f"isa:{target}")
    return cpu.IsaModule(executor, Path(path))


def main(words: list[str]) -> None:
    """Launch every variant with every block size in every order; write what came of it."""
    asked = Path(words[0])
    request = json.loads(asked.read_text(encoding="utf-8"))
    case = read(Path(request["case"]))
    cpu.in_child = _here
    modules = {name: _module(target, path) for name, (target, path) in request["modules"].items()}
    rows = []
    for block in case.get("blocks", BLOCKS):
        plain = _run(case, modules["without"], block, "in") if "without" in modules else None
        stated = _wanted(case, block)
        for order in case.get("orders", ORDERS):
            arrays, counts, fault = _run(case, modules["with"], block, order)
            row = {"block": block, "order": order, "fault": fault, "counts": counts, "stated": [], "differs": []}
            if not fault:
                row["stated"] = _difference(case, arrays, stated)
            if plain and not (fault or plain[2]):
                row["differs"] = _difference(case, arrays, plain[0])
            rows.append({**row, "plain_fault": plain[2] if plain else "", "plain_counts": plain[1] if plain else {}})
    asked.with_suffix(".out").write_text(json.dumps(rows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

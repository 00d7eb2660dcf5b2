"""verify.toml -> cases: what is run on both sides, with what, and how close the outputs must be."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.diffing.contract import Contract

if TYPE_CHECKING:
    from collections.abc import Mapping

_LIMIT = 64 << 20  # bytes of a folder that are read for its digest
SKIPPED = {".git", ".hipport", "__pycache__", ".venv", "build", "node_modules"}
SIZES = (1, 31, 32, 33, 63, 64, 65, 127, 1000, 4099)  # the last is the large one


class CaseKind(str, Enum):
    """What a case runs."""

    KERNEL = "kernel"
    PROGRAM = "program"
    TORCH = "torch"


class Role(str, Enum):
    """What a kernel does with an argument. What an OUT array holds before the launch must not matter."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"
    VALUE = "value"


FAMILIES = ("normal", "small", "large", "integer", "constant", "sorted", "special", "adversarial")
LAYOUTS = ("contiguous", "padded", "transposed", "sliced")
MAPS = ("auto", "thread", "row", "block", "warp")


@dataclass(frozen=True, slots=True)
class Arg:
    """One parameter of a kernel; `shape`, `value`, `low`, `high` are expressions over the case's sizes.

    `dtype` is a numpy name, bfloat16, an fp8 format, or a structure: `sum:float64,low:float32`. `fill` is `family`
    (as the point says), `zeros`, `ones`, `range` or a number.
    """

    name: str
    role: Role
    dtype: str = ""
    shape: tuple[str | int, ...] = ()
    value: str | int | float | None = None
    fill: str | float = "family"
    low: str | int = 0
    high: str | int = 100
    layouts: bool = False
    map: str = "auto"
    unordered: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `line` is where it stands in the file; `folder` is the file's.

    A kernel case has `kernel`, `grid`, `block`, `shared`, `args`; a program case `program` (words), `make`, `files`,
    `ignore`, `rtol`; a torch case `module` (a Python file with inputs, run and perhaps backward) and `extension`.
    `instantiate` names the template's arguments: `<float>`. `oracle` is `file.py:function`.
    """

    name: str
    kind: CaseKind
    folder: Path
    line: int
    source: str
    port: str = ""
    kernel: str = ""
    instantiate: str = ""
    grid: tuple[str | int, ...] = (1,)
    block: tuple[str | int, ...] = (256,)
    shared: str | int = 0
    cooperative: bool = False
    args: tuple[Arg, ...] = ()
    sizes: tuple[Mapping[str, int], ...] = ()
    let: Mapping[str, str | int] = field(default_factory=dict)
    families: tuple[str, ...] = ("normal",)
    layouts: tuple[str, ...] = ("contiguous",)
    seeds: tuple[int, ...] = (1,)
    contract: Contract = field(default_factory=Contract)
    length: str | int = 0
    oracle: str = ""
    options: tuple[str, ...] = ()
    kernels_only: bool = False
    program: tuple[str, ...] = ()
    make: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rtol: float = 0.0
    module: str = ""
    extension: tuple[str, ...] = ()
    file: str = "verify.toml"

    @property
    def where(self) -> str:
        """`verify.toml:12`."""
        return f"{self.folder / self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Point:
    """One set of inputs of a case: sizes, family, layout and seed."""

    sizes: Mapping[str, int]
    family: str = "normal"
    layout: str = "contiguous"
    seed: int = 1

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from others, in whatever order its sizes were written."""
        return (*sorted(self.sizes.items()), self.family, self.layout, self.seed)

    @property
    def label(self) -> str:
        """`n=33 normal`."""
        sizes = " ".join(f"{name}={size}" for name, size in self.sizes.items())
        words = [sizes, self.family, self.layout if self.layout != "contiguous" else ""]
        words.append(f"seed {self.seed}" if self.seed != 1 else "")
        return " ".join(word for word in words if word)


def points(case: Case, *, full: bool = False) -> tuple[Point, ...]:
    """The inputs that a case is run on: every size once, and every family, layout and seed at two of the sizes.

    `full` takes every combination.
    """
    sizes = case.sizes or ({},)
    if full:
        return tuple(
            Point(size, family, layout, seed)
            for size in sizes
            for family in case.families
            for layout in case.layouts
            for seed in case.seeds
        )
    first, layout, seed = case.families[0], case.layouts[0], case.seeds[0]
    found = [Point(size, first, layout, seed) for size in sizes]
    for size in (sizes[len(sizes) // 2], sizes[-1]):
        found += [Point(size, family, layout, seed) for family in case.families[1:]]
        found += [Point(size, first, other, seed) for other in case.layouts[1:]]
        found += [Point(size, first, layout, other) for other in case.seeds[1:]]
    unique: dict[str, Point] = {}
    for point in found:
        unique.setdefault(point.label, point)
    return tuple(unique.values())


def names_of(case: Case, point: Point) -> dict[str, Any]:
    """The names that expressions may use at a point: its sizes, and `let` in its order."""
    from hipport.diffing.expressions import evaluate

    names: dict[str, Any] = dict(point.sizes)
    for name, text in case.let.items():
        names[name] = evaluate(text, names)
    return names


def files_of(folder: Path) -> list[Path]:
    """The files below a folder that belong to it; links are not followed."""
    found: list[Path] = []
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        found += [Path(base, name) for name in sorted(names) if not Path(base, name).is_symlink()]
    return found


def digest_of(folder: Path, also: str = "") -> str:
    """Of every file of a folder, by name and content (hex)."""
    total = hashlib.sha256(also.encode())
    size = 0
    for path in sorted(files_of(folder)):
        data = path.read_bytes()
        size += len(data)
        total.update(f"{path.relative_to(folder).as_posix()}\0{len(data)}\0".encode())
        total.update(data if size < _LIMIT else data[:4096])
    return total.hexdigest()

"""The planted-fault zoo and the clean zoo: each faulty kernel is stopped at its line, no clean one is stopped.

A kernel's `//!` lines are TOML: grid, block, shared, budget and the [[arg]] tables of docs/run.md. A `// fault: KIND`
comment marks each line that may be blamed.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hipport.device import FaultError, Fidelity, Limits, device
from hipport.device.arguments import read
from hipport.errors import UntestedError
from hipport.toolchain import find

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ZOO = Path(__file__).resolve().parent
EACH = 4  # every fourth animal also runs on the older target


def kernels(kind: str) -> list[Path]:
    return sorted((ZOO / kind).glob("*.hip"))


def runs(kind: str) -> list[Any]:
    paths = kernels(kind)
    rows = [(path, "gfx950") for path in paths] + [(path, "gfx942") for path in paths[::EACH]]
    return [pytest.param(path, target, id=f"{path.stem}-{target}") for path, target in rows]


@dataclass(frozen=True)
class Animal:
    path: Path
    settings: dict[str, Any]
    header: str
    marks: dict[int, str]


def animal(path: Path) -> Animal:
    lines = path.read_text(encoding="utf-8").splitlines()
    header = "\n".join(line.removeprefix("//!").strip() for line in lines if line.startswith("//!"))
    marks = {n: m[1] for n, line in enumerate(lines, 1) if (m := re.search(r"// fault: (\w+)", line))}
    return Animal(path, tomllib.loads(header), header, marks)


def launch(path: Path, target: str, scratch: Path) -> Any:
    try:
        find(target)
    except UntestedError as error:
        pytest.skip(f"no compiler for {target}: {error.what}")
    what = animal(path)
    args = scratch / "args.toml"
    args.write_text(what.header[what.header.find("[[arg]]") :], encoding="utf-8")
    limits = Limits(seconds=60, threads=2, budget=what.settings.get("budget", 0))
    kernel = device(f"isa:{target}", limits=limits).build(path)["k"]
    return kernel(
        grid=what.settings["grid"],
        block=what.settings["block"],
        shared=what.settings.get("shared", 0),
        args=[argument.value for argument in read(args)],
    )


def test_the_zoos_are_as_large_as_announced() -> None:
    assert len(kernels("faulty")) >= 20
    assert len(kernels("clean")) >= 20
    assert all(animal(path).marks for path in kernels("faulty"))
    assert not any(animal(path).marks for path in kernels("clean"))


@pytest.mark.amd
@pytest.mark.parametrize(("path", "target"), runs("faulty"))
def test_a_planted_fault_is_found_at_its_line(path: Path, target: str, tmp_path: Path) -> None:
    with pytest.raises(FaultError) as caught:
        launch(path, target, tmp_path)
    fault, marks = caught.value.fault, animal(path).marks
    assert fault.kind in marks.values(), fault.message
    assert Path(fault.file).name == path.name
    assert marks.get(fault.line) == fault.kind, f"line {fault.line}: {fault.message}"
    assert fault.kernel == "k"


@pytest.mark.amd
@pytest.mark.parametrize(("path", "target"), runs("clean"))
def test_a_clean_kernel_is_not_stopped(path: Path, target: str, tmp_path: Path) -> None:
    launched = launch(path, target, tmp_path)
    assert launched.fidelity in {Fidelity.EXACT, Fidelity.APPROXIMATE}

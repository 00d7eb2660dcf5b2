"""The wave executor as a sanitizer: planted faults at their lines, and what looks like one and is none."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from hipport.device import FaultError, InconclusiveError, Limits, device
from hipport.device.arguments import read
from hipport.device.wave.compiler import cxx_compiler
from hipport.errors import UntestedError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from hipport.device.executor import Module

ZOO = Path(__file__).resolve().parents[1] / "zoo"
LIMITS = Limits(seconds=60)
# lanes are threads of their own here, as on an NVIDIA GPU: a lock inside a wave is no fault
ELSEWHERE = {"lock_inside_a_wave"}
KINDS = {"constant_bounds": "global_bounds"}  # the machine's scalar loads have no counterpart in the source


@pytest.fixture(scope="session", autouse=True)
def _needs_a_compiler() -> None:
    try:
        cxx_compiler()
    except UntestedError as error:
        pytest.skip(error.what)


def kernels(path: Path) -> list[str]:
    return re.findall(r"^__global__ void (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)


def marks(path: Path, kernel: str) -> dict[int, str]:
    """The lines that may be blamed, of one kernel and of the functions before it."""
    found: dict[int, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := re.search(r"// fault: (\w+)", line):
            found[number] = match[1]
        if match := re.match(r"__global__ void (\w+)", line):
            if match[1] == kernel and not line.endswith("{"):
                return found
            found = {}
        if line == "}" and found and _kernel_above(path, number) == kernel:
            return found
    return found


def _kernel_above(path: Path, number: int) -> str:
    above = path.read_text(encoding="utf-8").splitlines()[:number]
    names = re.findall(r"^(?:__global__ void|__device__ \w+) (\w+)", "\n".join(above), re.MULTILINE)
    return names[-1] if names else ""


@lru_cache(maxsize=8)
def built(path: Path, width: int) -> Module:
    return device(f"wave:{width}", limits=LIMITS).build(path)


@pytest.mark.parametrize("kernel", kernels(ZOO / "wave" / "faulty.cu"))
def test_a_planted_fault_is_found_at_its_line(kernel: str) -> None:
    path = ZOO / "wave" / "faulty.cu"
    out = np.arange(64, dtype=np.float32)
    with pytest.raises(FaultError) as caught:
        built(path, 32)[kernel](grid=1, block=64, shared=256, args=[out])
    fault, wanted = caught.value.fault, marks(path, kernel)
    assert wanted.get(fault.line) == fault.kind, f"{fault.kind} at line {fault.line}: {fault.message}; wanted {wanted}"
    assert Path(fault.file).name == path.name
    assert fault.kernel == kernel
    assert fault.lane == fault.thread[0] % 32


CLEAN = [
    (kernel, order)
    for n, kernel in enumerate(kernels(ZOO / "wave" / "clean.cu"))
    for order in ("in", "random:3")[: 1 + n % 2]
]


@pytest.mark.parametrize(("kernel", "order"), CLEAN)
def test_what_only_looks_like_a_fault_is_let_be(kernel: str, order: str) -> None:
    out = np.arange(128, dtype=np.float32)
    module = built(ZOO / "wave" / "clean.cu", 32)
    limits = Limits(seconds=60, order=order)
    module = type(module)(device("wave:32", limits=limits), module.path, module.source)  # type: ignore[attr-defined, call-arg]
    module[kernel](grid=2, block=64, shared=256, args=[out])
    assert not (out == np.arange(128)).all()


def test_a_mask_of_32_lanes_is_told_on_a_wave_of_64() -> None:
    out = np.arange(64, dtype=np.float32)
    with pytest.raises(FaultError) as caught:
        built(ZOO / "wave" / "faulty.cu", 64)["shuffle_from_a_lane_elsewhere"](grid=1, block=64, args=[out])
    assert caught.value.fault.kind == "mask"


def test_assembly_that_is_not_modelled_says_nothing_about_the_program(tmp_path: Path) -> None:
    path = tmp_path / "ptx.cu"
    path.write_text(
        "__global__ void known(unsigned* p) {\n"
        '  unsigned lane, below; asm("mov.u32 %0, %%laneid;" : "=r"(lane));\n'
        '  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));\n'
        "  p[threadIdx.x] = below + lane; }\n"
        "__global__ void unknown(unsigned* p) {\n"
        '  asm volatile("cp.async.wait_all;" ::: "memory"); p[0] = 1; }\n',
        encoding="utf-8",
    )
    out = np.zeros(32, np.uint32)
    built(path, 32)["known"](grid=1, block=32, args=[out])
    assert (out == [(1 << i) - 1 + i for i in range(32)]).all()
    with pytest.raises(InconclusiveError, match=r"PTX `cp\.async\.wait_all`"):
        built(path, 32)["unknown"](grid=1, block=32, args=[out])


# --- the zoo of the isa executor, one module for all of it


def animals(kind: str) -> list[Path]:
    return [path for path in sorted((ZOO / kind).glob("*.hip")) if path.stem not in ELSEWHERE]


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Module:
    lines = ["#include <hip/hip_runtime.h>", "#include <hip/hip_fp16.h>"]
    for path in (*animals("clean"), *animals("faulty")):
        lines += [f"namespace {path.parent.name}_{path.stem} {{", f'#include "{path}"', "}"]
    source = tmp_path_factory.mktemp("zoo") / "all.hip"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return device("wave:64", limits=LIMITS).build(source)


def launch(zoo: Module, path: Path, scratch: Path) -> Any:
    lines = path.read_text(encoding="utf-8").splitlines()
    header = "\n".join(line.removeprefix("//!").strip() for line in lines if line.startswith("//!"))
    settings = tomllib.loads(header)
    (scratch / "args.toml").write_text(header[header.find("[[arg]]") :], encoding="utf-8")
    limits = Limits(seconds=60, budget=settings.get("budget", 0))
    module = type(zoo)(device("wave:64", limits=limits), zoo.path, zoo.source)  # type: ignore[attr-defined, call-arg]
    return module[f"{path.parent.name}_{path.stem}::k"](
        grid=settings["grid"],
        block=settings["block"],
        shared=settings.get("shared", 0),
        args=[argument.value for argument in read(scratch / "args.toml")],
    )


@pytest.mark.parametrize("path", animals("faulty"), ids=lambda path: path.stem)
def test_the_zoos_faults_are_found_in_the_source_as_well(zoo: Module, path: Path, tmp_path: Path) -> None:
    with pytest.raises(FaultError) as caught:
        launch(zoo, path, tmp_path)
    fault = caught.value.fault
    lines = path.read_text(encoding="utf-8").splitlines()
    wanted = {n: m[1] for n, line in enumerate(lines, 1) if (m := re.search(r"// fault: (\w+)", line))}
    wanted = {line: KINDS.get(kind, kind) for line, kind in wanted.items()}
    assert wanted.get(fault.line) == fault.kind, f"{fault.kind} at line {fault.line}: {fault.message}"
    assert Path(fault.file).name == path.name


@pytest.mark.parametrize("path", animals("clean")[::2], ids=lambda path: path.stem)
def test_the_zoos_clean_kernels_are_let_be(zoo: Module, path: Path, tmp_path: Path) -> None:
    launch(zoo, path, tmp_path)

"""`isa:` devices from Python: arrays in place, scalars by type, printf, refusals, limits, counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import hipport
from hipport.device import FaultError, InconclusiveError, Limits, RefusedError, default_spec, device
from hipport.errors import HipportError, UntestedError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.device.executor import Module
    from hipport.toolchain.compiler import Compiler

SOURCE = """
template <class T, int N> struct Pair { T x[N]; };
template <class T>
__global__ void axpy(T a, const T* x, T* y, int n, Pair<float, 2> shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i] + T(shift.x[i & 1]);
}
template __global__ void axpy<float>(float, const float*, float*, int, Pair<float, 2>);
template __global__ void axpy<double>(double, const double*, double*, int, Pair<float, 2>);

__global__ void say(const char* word, _Float16 h, bool yes) {
  if (threadIdx.x == 1) printf("%c%c %g %d\\n", word[0], word[1], float(h), yes);
}
__global__ void __launch_bounds__(64) narrow(int* p) { p[threadIdx.x] = 1; }
__global__ void forever(volatile int* p) { while (p[0] == 0) { } }
"""


@pytest.fixture(scope="module")
def module(amd: Compiler, tmp_path_factory: pytest.TempPathFactory) -> Module:
    del amd
    path = tmp_path_factory.mktemp("kernels") / "k.cu"
    path.write_text(SOURCE, encoding="utf-8")
    return device("isa:gfx950", limits=Limits(seconds=60)).build(path, profile=True)


@pytest.mark.amd
@pytest.mark.parametrize(("name", "dtype"), [("axpy<float>", np.float32), ("axpy<double>", np.float64)])
def test_arrays_change_in_place_and_scalars_take_the_parameters_types(module: Module, name: str, dtype: type) -> None:
    x, y = np.arange(100, dtype=dtype), np.ones(100, dtype)
    done = module[name](grid=2, block=64, args=[2, x, y, 100, np.float32([0, 0.5]).tobytes()])
    assert (y == 1 + 2 * np.arange(100) + 0.5 * (np.arange(100) % 2)).all()
    assert done.counts["instructions"]["global_store"] == 2
    assert done.counts["global_store_bytes"] == y.nbytes


@pytest.mark.amd
def test_parts_of_one_array_and_overlapping_views(module: Module) -> None:
    whole = np.arange(64, dtype=np.float32)
    module["axpy<float>"](grid=1, block=64, args=[1.0, whole[:32], whole[32:], 32, bytes(8)])
    assert (whole[32:] == np.arange(32, 64) + np.arange(32)).all()
    with pytest.raises(FaultError, match="argument"):
        module["axpy<float>"](grid=1, block=64, args=[1.0, whole[:32], whole[32:], 33, bytes(8)])


@pytest.mark.amd
def test_read_only_arrays_stay(module: Module) -> None:
    fixed = np.zeros(64, np.int32)
    fixed.flags.writeable = False
    with pytest.raises(FaultError) as caught:
        module["narrow"](grid=1, block=64, args=[fixed])
    assert caught.value.fault.kind == "read_only"


@pytest.mark.amd
def test_what_a_kernel_prints_comes_back(module: Module) -> None:
    done = module["say"](grid=1, block=2, args=[np.frombuffer(b"ok", np.uint8), 1.5, True])
    assert done.printed == "ok 1.5 1\n"


@pytest.mark.amd
@pytest.mark.parametrize(
    ("grid", "block", "error"),
    [
        (1, 128, "hipErrorLaunchFailure"),
        (1, 2048, "hipErrorInvalidConfiguration"),
        (0, 64, "hipErrorInvalidConfiguration"),
        ((1 << 30, 1), 64, "hipErrorInvalidConfiguration"),
    ],
)
def test_limits_of_the_machine_are_hips_own_errors(module: Module, grid: object, block: int, error: str) -> None:
    with pytest.raises(RefusedError) as caught:
        module["narrow"](grid=grid, block=block, args=[np.zeros(64, np.int32)])
    assert caught.value.fault.hip_error == error


@pytest.mark.amd
def test_arguments_that_do_not_fit_are_told(module: Module) -> None:
    with pytest.raises(UsageError, match=r"takes 5 arguments \(float, float const\*, float\*, int, "):
        module["axpy<float>"](grid=1, block=64, args=[1.0])
    with pytest.raises(UsageError, match="needs an array"):
        module["narrow"](grid=1, block=64, args=[7])


@pytest.mark.amd
def test_an_endless_kernel_ends_at_a_limit(module: Module) -> None:
    path = module.path  # type: ignore[attr-defined]
    quick = type(module)(type(module.executor)(module.executor.target, Limits(seconds=2)), path)  # type: ignore[attr-defined]
    with pytest.raises(InconclusiveError, match="limit of 2 s"):
        quick["forever"](grid=1, block=64, args=[np.zeros(1, np.int32)])
    short = type(module)(type(module.executor)(module.executor.target, Limits(budget=100_000)), path)  # type: ignore[attr-defined]
    with pytest.raises(FaultError) as caught:
        short["forever"](grid=1, block=64, args=[np.zeros(1, np.int32)])
    assert caught.value.fault.kind == "runaway"


@pytest.mark.amd
def test_a_source_that_does_not_compile_shows_the_compilers_error(amd: Compiler, tmp_path: Path) -> None:
    del amd
    path = tmp_path / "bad.hip"
    path.write_text("__global__ void k(int* p) { p[0] = nothing; }\n", encoding="utf-8")
    with pytest.raises(HipportError, match=r"bad\.hip:1: use of undeclared identifier 'nothing'"):
        device("isa:gfx942").build(path)


@pytest.mark.amd
@pytest.mark.torch
def test_torch_tensors_are_used_in_place(module: Module) -> None:
    try:
        import torch
    except (ImportError, OSError) as error:
        pytest.skip(f"no PyTorch: {error}")
    x, y = torch.arange(64, dtype=torch.float32), torch.ones(64)
    module["axpy<float>"](grid=1, block=64, args=[3.0, x, y, 64, bytes(8)])
    assert torch.equal(y, 1 + 3 * torch.arange(64))
    with pytest.raises(UsageError, match="contiguous CPU tensor"):
        module["axpy<float>"](grid=1, block=64, args=[3.0, x[::2], y, 32, bytes(8)])


def test_devices_that_are_not_there_yet_say_so() -> None:
    for name in ("gfx90a", "gfx1100", "gfx1201"):
        with pytest.raises(UntestedError, match=f"isa:{name} is not there yet"):
            hipport.device(f"isa:{name}")
    with pytest.raises(UntestedError, match=r"isa:gfx950@nowhere\.invalid"):
        device("isa:gfx950@nowhere.invalid")
    with pytest.raises(UsageError, match="no device"):
        device("gpu")
    with pytest.raises(UsageError, match="unknown target"):
        device("isa:gfx000")


def test_without_a_gpu_the_default_is_the_first_target_that_is_modelled() -> None:
    assert default_spec(("gfx90a", "gfx950", "gfx942")) in {"isa:gfx950", "hip"}

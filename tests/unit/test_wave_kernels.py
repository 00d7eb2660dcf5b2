"""`wave:` devices: CUDA and HIP source on the CPU, beside what a real NVIDIA GPU gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from hipport.device import FaultError, Fidelity, Limits, device
from hipport.device.wave.compiler import cxx_compiler
from hipport.errors import UntestedError, UsageError

if TYPE_CHECKING:
    from hipport.device.executor import Module

SOURCE = """
template <class T, int N> struct Pair { T x[N]; };
template <class T>
__global__ void axpy(T a, const T* x, T* y, int n, Pair<float, 2> shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i] + T(shift.x[i & 1]);
}
template __global__ void axpy<float>(float, const float*, float*, int, Pair<float, 2>);
namespace deep { namespace inner {
__global__ void say(const char* word, float h, bool yes) {
  if (threadIdx.x == 1) printf("%c%c %g %d\\n", word[0], word[1], h, yes);
}
} }
__global__ void exponentials(const float* x, float* y) { y[threadIdx.x] = expf(x[threadIdx.x]); }
"""


@pytest.fixture(scope="session", autouse=True)
def _needs_a_compiler() -> None:
    try:
        cxx_compiler()
    except UntestedError as error:
        pytest.skip(error.what)


@pytest.fixture(scope="module", params=[32, 64])
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Module:
    path = tmp_path_factory.mktemp("kernels") / "k.cu"
    path.write_text(SOURCE, encoding="utf-8")
    return device(f"wave:{request.param}", limits=Limits(seconds=60)).build(path)


def test_kernels_are_listed_by_the_names_that_people_type(module: Module) -> None:
    assert set(module.kernels) == {"axpy<float>", "deep::inner::say", "exponentials"}


@pytest.mark.parametrize(("name", "dtype"), [("axpy<float>", np.float32), ("axpy<double>", np.float64)])
def test_arrays_change_in_place_also_through_an_instance_made_on_demand(module: Module, name: str, dtype: type) -> None:
    x: np.ndarray = np.arange(100, dtype=dtype)
    y: np.ndarray = np.ones(100, dtype)
    done = module[name](grid=2, block=64, args=[2, x, y, 100, np.array([0, 0.5], np.float32).tobytes()])
    assert (y == 1 + 2 * np.arange(100) + 0.5 * (np.arange(100) % 2)).all()
    assert done.fidelity is Fidelity.APPROXIMATE  # a GPU's compiler may join a * x and the sum
    assert [text[:9] for text in done.approximate] == ["a * b + c"]


def test_what_a_kernel_prints_comes_back(module: Module) -> None:
    done = module["say"](grid=1, block=2, args=[np.frombuffer(b"ok", np.uint8), 1.5, True])
    assert done.printed == "ok 1.5 1\n"


def test_functions_that_differ_from_the_machines_are_named(module: Module) -> None:
    x, y = np.linspace(-2, 2, 32, dtype=np.float32), np.zeros(32, np.float32)
    done = module["exponentials"](grid=1, block=32, args=[x, y])
    assert done.fidelity is Fidelity.APPROXIMATE
    assert done.approximate == ("expf: 3 ulp",)
    assert np.allclose(y, np.exp(x), rtol=1e-6)


def test_arguments_and_names_that_do_not_fit_are_told(module: Module) -> None:
    with pytest.raises(UsageError, match=r"takes 5 arguments \(float, float const\*, float\*, int, "):
        module["axpy<float>"](grid=1, block=64, args=[1.0])
    with pytest.raises(UsageError, match="no kernel"):
        module["axpy<nothing>"]
    with pytest.raises(FaultError, match="2048 threads"):
        module["exponentials"](grid=1, block=2048, args=[np.zeros(4, np.float32)] * 2)
    with pytest.raises(UsageError, match="wave:32 or wave:64"):
        device("wave:16")

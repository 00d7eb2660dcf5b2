"""`cuda`: a kernel on a real NVIDIA GPU through a generated driver."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hipport.device import Fidelity, device
from hipport.errors import HipportError, UntestedError

pytestmark = pytest.mark.gpu
SOURCE = Path(__file__).resolve().parent / "kernels" / "row_softmax.cu"


@pytest.fixture(scope="module")
def cuda():
    try:
        return device("cuda")
    except UntestedError as error:
        pytest.skip(error.what)


def softmax(x: np.ndarray, scale: float) -> np.ndarray:
    e = np.exp(scale * x.astype(np.float64) - (scale * x).max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


@pytest.mark.parametrize(("name", "dtype"), [("row_softmax<float>", np.float32), ("row_softmax<double>", np.float64)])
def test_arrays_are_used_in_place(cuda, name: str, dtype: type) -> None:
    x = np.random.default_rng(1).standard_normal((64, 20000)).astype(dtype)
    y = np.zeros_like(x)
    done = cuda.build(SOURCE)[name](grid=64, block=256, shared=80000, args=[x, y, 20000, 0.5, None])
    assert done.device == "cuda"
    assert done.fidelity is Fidelity.EXACT
    assert np.allclose(y, softmax(x, 0.5), rtol=1e-4, atol=1e-9)


def test_the_gpus_own_error_is_passed_on(cuda) -> None:
    with pytest.raises(HipportError, match="DeviceSynchronize"):
        cuda.build(SOURCE)["out_of_bounds"](grid=1, block=1, args=[np.zeros(4, np.int32)])


def test_a_kernel_that_is_not_there_does_not_compile(cuda) -> None:
    with pytest.raises(HipportError, match="does not compile"):
        cuda.build(SOURCE)["nothing"](grid=1, block=1, args=[])

"""PyTorch in a process without a GPU, answering an extension's Python code as one with a GPU would."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def is_gpu(value: Any) -> bool:
    """Whether it names a GPU: "cuda", "cuda:0", torch.device("cuda")."""
    import torch

    if isinstance(value, str):
        return value.partition(":")[0] in {"cuda", "hip"}
    return isinstance(value, torch.device) and value.type == "cuda"


@contextmanager
def as_cpu() -> Iterator[None]:
    """Tensors asked for on a GPU are made on the CPU, and say that they are on a GPU."""
    import torch
    from torch.overrides import TorchFunctionMode

    class OnCpu(TorchFunctionMode):  # type: ignore[misc, unused-ignore]  # Any where torch is not installed
        """Every device that names a GPU becomes the CPU."""

        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            del types
            words = {name: "cpu" if is_gpu(value) else value for name, value in (kwargs or {}).items()}
            return func(*("cpu" if is_gpu(value) else value for value in args), **words)

    tensor: Any = torch.Tensor
    cuda: Any = torch.cuda
    tensor.is_cuda = property(lambda _: True)
    tensor.cuda = lambda self, *_, **__: self
    cuda.is_available = lambda: True
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.synchronize = lambda *_, **__: None
    cuda.empty_cache = lambda: None
    cuda.set_device = lambda *_: None
    with OnCpu():
        yield

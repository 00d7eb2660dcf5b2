"""PyTorch's CUDA extensions with no GPU: host code against PyTorch's CPU build, kernels on isa or wave.

extension = build_extension("row_softmax", "isa:gfx950")      # a folder with a setup.py, or a list of sources
done = run_case(extension, Path("case.py"), seed=3)           # in a process of its own: forward and backward
"""

from __future__ import annotations

from hipport.device.torch_extension.building import Extension, build_extension
from hipport.device.torch_extension.case import Asked, CaseRun, answered, run_case
from hipport.device.torch_extension.session import Session

__all__ = ["Asked", "CaseRun", "Extension", "Session", "answered", "build_extension", "run_case"]

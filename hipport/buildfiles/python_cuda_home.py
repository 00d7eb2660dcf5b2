"""Gates on cpp_extension's CUDA_HOME, which is None on ROCm."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from hipport.buildfiles.findings import edited, left

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.buildfiles.python_source import PythonSource
    from hipport.model import Finding

_RULE = "cuda-home-gate"


def find(py: PythonSource, node: cst.Name) -> Iterator[Finding]:
    """What one use of CUDA_HOME needs: gates also ask for HIP, other uses are named."""
    parent = py.parent(node)
    if isinstance(parent, (cst.ImportAlias, cst.AssignTarget, cst.Attribute, cst.Param)) or py.guarded(node):
        return
    if isinstance(parent, cst.Arg) and parent.keyword is node:
        return
    whole: cst.CSTNode = parent if isinstance(parent, cst.Comparison) and parent.left is node else node
    text = py.source(whole)
    gate = _is_gate(py, whole)
    bound, _ = py.torch_import(node)
    if re.fullmatch(r"CUDA_HOME\s+is\s+None", text) and bound:
        new = f"({text} and not torch.version.hip)"
    elif bound and (re.fullmatch(r"CUDA_HOME\s*(?:is\s+not|!=)\s*None", text) or (whole is node and gate)):
        new = f"({text} or torch.version.hip)"
    else:
        step = "branch on torch.version.hip; cpp_extension.ROCM_HOME is ROCm's folder"
        what = "this gate is closed there" if gate or whole is not node else "what is made of it fails there"
        yield left(_RULE, py.span(whole), f"CUDA_HOME is None on ROCm: {what}", step)
        return
    yield edited(_RULE, py.span(whole), new, "CUDA_HOME is None on ROCm: the gate also asks for HIP")


def _is_gate(py: PythonSource, node: cst.CSTNode) -> bool:
    """Whether an expression is a condition: of if, while, assert, not, and, or, a conditional expression."""
    parent = py.parent(node)
    if isinstance(parent, (cst.If, cst.IfExp, cst.While)):
        return parent.test is node
    if isinstance(parent, (cst.BooleanOperation, cst.Assert)):
        return True
    return isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not)

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


def find(py: PythonSource) -> Iterator[Finding]:
    """What the uses of CUDA_HOME need.

    A gate alone is opened for HIP. Where the file also makes something of CUDA_HOME (a path, an argument) the gates
    stay closed, since what is behind them may need it; only uses that no gate protects are named then.
    """
    uses = [n for n in py.nodes() if isinstance(n, cst.Name) and n.value == "CUDA_HOME" and _is_use(py, n)]
    wholes = [_whole(py, use) for use in uses]
    gates = [w for w in wholes if _is_gate(py, w)]
    others = [w for w in wholes if w not in gates and not py.guarded(w)]
    for gate in gates:
        if not py.guarded(gate):
            yield from _gate(py, gate, opened=not others)
    for use in others:
        if not any(_protects(py, gate, use) for gate in gates):
            step = "branch on torch.version.hip; cpp_extension.ROCM_HOME is ROCm's folder"
            yield left(_RULE, py.span(use), "CUDA_HOME is None on ROCm: what is made of it fails there", step)


def _is_use(py: PythonSource, node: cst.Name) -> bool:
    parent = py.parent(node)
    if isinstance(parent, (cst.ImportAlias, cst.AssignTarget, cst.Attribute, cst.Param)):
        return False
    return not (isinstance(parent, cst.Arg) and parent.keyword is node)


def _whole(py: PythonSource, node: cst.Name) -> cst.CSTNode:
    """The comparison that a use is the left side of, or the use itself."""
    parent = py.parent(node)
    return parent if isinstance(parent, cst.Comparison) and parent.left is node else node


def _gate(py: PythonSource, gate: cst.CSTNode, *, opened: bool) -> Iterator[Finding]:
    text = py.source(gate)
    if isinstance(gate, cst.Name) or re.fullmatch(r"CUDA_HOME\s*(?:is\s+not|!=)\s*None", text):
        new = f"({text} or torch.version.hip)"
    elif re.fullmatch(r"CUDA_HOME\s*(?:is|==)\s*None", text):
        new = f"({text} and not torch.version.hip)"
    else:
        new = ""
    if new and opened and py.torch_import(gate)[0]:
        yield edited(_RULE, py.span(gate), new, "CUDA_HOME is None on ROCm: the gate also asks for HIP")
    elif new and not _about_paths(py, gate):
        step = "ask for `torch.version.hip` too, where what it gates is for both"
        yield left(_RULE, py.span(gate), "CUDA_HOME is None on ROCm: this gate is closed there", step)


def _about_paths(py: PythonSource, gate: cst.CSTNode) -> bool:
    """Whether a gate's own condition goes on to use the folder: being closed on ROCm is right then."""
    for parent in py.parents(gate):
        if isinstance(parent, (cst.If, cst.IfExp, cst.While)):
            return py.source(parent.test).count("CUDA_HOME") > 1 or (
                isinstance(parent, cst.IfExp) and "CUDA_HOME" in py.source(parent.body)
            )
    return False


def _protects(py: PythonSource, gate: cst.CSTNode, use: cst.CSTNode) -> bool:
    """Whether a use stands in the condition or the body that a gate decides about."""
    for parent in py.parents(gate):
        if isinstance(parent, (cst.If, cst.IfExp, cst.While, cst.BooleanOperation)):
            span, inner = py.span(parent), py.span(use)
            if span.start <= inner.start and inner.end <= span.end:
                return True
    return False


def _is_gate(py: PythonSource, node: cst.CSTNode) -> bool:
    """Whether an expression is a condition: of if, while, assert, not, and, or, a conditional expression."""
    parent = py.parent(node)
    if isinstance(parent, (cst.If, cst.IfExp, cst.While)):
        return parent.test is node
    if isinstance(parent, (cst.BooleanOperation, cst.Assert)):
        return True
    if isinstance(node, cst.Comparison) and isinstance(parent, (cst.Assign, cst.Return, cst.Arg)):
        return True
    return isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not)

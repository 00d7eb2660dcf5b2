"""Gates in Python on a compute capability or an architecture list (L09): named, never edited."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from hipport.buildfiles.findings import left
from hipport.buildfiles.python_hip import HIP_WORDS
from hipport.model import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.model import Finding, SourceFile

CAPABILITY_RULE = "capability-gate"
_CAPABILITY = (
    "on AMD a compute capability is the gfx version (gfx90a is 9.0, gfx942 9.4, gfx1100 11.0): "
    "this gate chooses by the wrong number"
)
_CAPABILITY_STEP = "branch on torch.version.hip first, then decide by torch.cuda.get_device_properties(i).gcnArchName"
_ASKS = re.compile(r"get_device_capability\s*\(|get_device_properties\([^)]*\)\s*\.\s*(?:major|minor)\b")
_PROPERTY = re.compile(r"\bprops?\w*\.(?:major|minor)\b|properties\w*\.(?:major|minor)\b")
_FUNCTION = re.compile(r"hip|rocm|amd", re.IGNORECASE)


def find(source: SourceFile) -> Iterator[Finding]:
    """The gates that no condition on HIP decides already; a file that Python does not read gives nothing."""
    try:
        tree = ast.parse(source.data)
    except (SyntaxError, ValueError, RecursionError):
        return
    yield from _Gates(source, tree).findings(tree)


class _Gates:
    """The gates of one file, with the places of its nodes in bytes."""

    def __init__(self, source: SourceFile, tree: ast.Module) -> None:
        self.path = source.path
        self.lines = source.data.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.tainted = {
            name
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and _ASKS.search(ast.unparse(node.value))
            for target in node.targets
            for name in _bound(target)
        }

    def findings(self, tree: ast.Module) -> Iterator[Finding]:
        said: set[int] = set()
        todo: list[tuple[ast.AST, bool]] = [(tree, False)]
        while todo:
            node, guarded = todo.pop()
            if not guarded and isinstance(node, ast.expr) and node.lineno not in said and self._gate(node):
                said.add(node.lineno)
                message = f"`{_short(ast.unparse(node))}`: {_CAPABILITY}"
                yield left(CAPABILITY_RULE, self._span(node), message, _CAPABILITY_STEP)
            elif not guarded and isinstance(node, ast.Constant) and node.value == "TORCH_CUDA_ARCH_LIST":
                message = "TORCH_CUDA_ARCH_LIST names NVIDIA architectures: on ROCm torch reads PYTORCH_ROCM_ARCH"
                step = 'set PYTORCH_ROCM_ARCH, for example "gfx942;gfx950", where the extension is built'
                yield left("torch-arch-list", self._span(node), message, step)
            todo += reversed(list(_below(node, guarded)))

    def _span(self, node: ast.expr) -> Span:
        start = self.starts[node.lineno - 1] + node.col_offset
        end = self.starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or node.col_offset)
        return Span(self.path, start, end)

    def _gate(self, node: ast.expr) -> bool:
        """Whether an expression compares a capability, or builds an architecture's name from one."""
        if isinstance(node, ast.Compare):
            text = ast.unparse(node)
            numbers = any(isinstance(n, ast.Constant) and isinstance(n.value, (int, float)) for n in ast.walk(node))
            return numbers and bool(_ASKS.search(text) or _PROPERTY.search(text) or self.tainted & _names(node))
        if isinstance(node, ast.JoinedStr):
            text = ast.unparse(node)
            return re.search(r"(?:sm|compute)_?\{", text) is not None and bool(self.tainted & _names(node))
        return False


def _below(node: ast.AST, guarded: bool) -> Iterator[tuple[ast.AST, bool]]:
    """A node's children, each with whether a condition on HIP decides about it."""
    if isinstance(node, (ast.If, ast.IfExp)):
        asks = guarded or HIP_WORDS.search(ast.unparse(node.test)) is not None
        for child in ast.iter_child_nodes(node):
            yield child, asks
        return
    if isinstance(node, ast.BoolOp):
        asks = guarded or re.search(r"\bhip\b|is_hip|rocm", ast.unparse(node), re.IGNORECASE) is not None
        for child in ast.iter_child_nodes(node):
            yield child, asks
        return
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        guarded = guarded or _FUNCTION.search(node.name) is not None
        for child in ast.iter_child_nodes(node):
            yield child, guarded
            if isinstance(child, ast.If) and _leaves(child) and HIP_WORDS.search(ast.unparse(child.test)):
                guarded = True
        return
    for child in ast.iter_child_nodes(node):
        yield child, guarded


def _leaves(node: ast.If) -> bool:
    return isinstance(node.body[-1], (ast.Return, ast.Raise, ast.Continue))


def _bound(target: ast.expr) -> set[str]:
    """The variables that an assignment binds."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return {p.id if isinstance(p, ast.Name) else p.attr for p in parts if isinstance(p, (ast.Name, ast.Attribute))}


def _names(node: ast.expr) -> set[str]:
    found = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return found | {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "..."

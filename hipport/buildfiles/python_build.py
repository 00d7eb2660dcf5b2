"""Python files: extension builds get a branch for ROCm, and gates on compute capability are named."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from hipport.buildfiles import flags, python_gates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hipport.config import Config
    from hipport.model import Finding, SourceFile

_BUILD = re.compile(
    rb"cpp_extension|CUDAExtension|load_inline|extra_cuda_cflags|[\"']nvcc[\"']|-gencode|-use_fast_math|CUDA_HOME"
)
_GATE = re.compile(
    rb"get_device_capability|get_arch_list|get_device_properties|compute_capability|TORCH_CUDA_ARCH_LIST"
)
_CALLS = {"CUDAExtension", "load_inline", "CUDA_HOME"}
_IMPORTS = {"cpp_extension", "CUDAExtension", "BuildExtension", "CUDA_HOME", "load", "load_inline"}
_KEYWORDS = {"extra_cuda_cflags", "cuda_sources"}


def find(source: SourceFile, config: Config, renamed: Mapping[str, str]) -> Iterator[Finding]:
    """What a Python file needs on ROCm; files that neither build nor gate on CUDA give nothing."""
    if _GATE.search(source.data):
        yield from python_gates.find(source)
    if _BUILD.search(source.data) and _builds(source.data):
        from hipport.buildfiles.python_extension import find as extension

        yield from extension(source, config, renamed)


def _builds(data: bytes) -> bool:
    """Whether the code itself, not its comments, builds an extension; yes where Python cannot read it."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return True
    return any(_about_builds(node) for node in ast.walk(tree))


def _about_builds(node: ast.AST) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return any(a.name.split(".")[-1] in _IMPORTS for a in node.names)
    if isinstance(node, ast.Name):
        return node.id in _CALLS
    if isinstance(node, ast.Attribute):
        return node.attr in _CALLS
    if isinstance(node, ast.keyword):
        return node.arg in _KEYWORDS
    if isinstance(node, ast.Dict):
        return any(isinstance(key, ast.Constant) and key.value == "nvcc" for key in node.keys)
    if isinstance(node, (ast.List, ast.Tuple)):
        words = [e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
        return any(u.option.action not in {"library", "define"} for u in flags.uses(words, owned=False))
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == "nvcc"

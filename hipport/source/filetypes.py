"""What a source file is, by its name."""

from __future__ import annotations

CUDA_SUFFIXES = frozenset({".cu"})
HEADER_SUFFIXES = frozenset(
    {".cuh", ".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".inc", ".ipp", ".tpp", ".tcc", ".txx", ".impl"}
)
CODE_SUFFIXES = CUDA_SUFFIXES | HEADER_SUFFIXES | {".c", ".cc", ".cpp", ".cxx", ".c++", ".hip"}
# A file that a generator fills in; what it becomes is named by the suffix before this one.
TEMPLATE_SUFFIXES = (".j2", ".jinja", ".jinja2", ".in", ".tmpl", ".tpl", ".mako")


def untemplated(name: str) -> tuple[str, str]:
    """`k.cu.j2` -> (`k.cu`, `.j2`); the second part is empty for a file that is no template."""
    lower = name.lower()
    for suffix in TEMPLATE_SUFFIXES:
        if lower.endswith(suffix) and "." in lower[: -len(suffix)].strip("."):
            return name[: -len(suffix)], name[-len(suffix) :]
    return name, ""


def suffix_of(path: str) -> str:
    """The last suffix of a path in lower case, its template suffix left out: `.cu` for `k.cu.j2`."""
    stem, dot, suffix = untemplated(path.rsplit("/", 1)[-1])[0].rpartition(".")
    return (dot + suffix).lower() if stem else ""


def is_code(path: str) -> bool:
    """Whether a path is that of C, C++, CUDA or HIP code, or of a template of such code."""
    return suffix_of(path) in CODE_SUFFIXES


def is_header(path: str) -> bool:
    """Whether a path is that of code which others include."""
    return suffix_of(path) in HEADER_SUFFIXES


def is_cuda(path: str) -> bool:
    """Whether nvcc would take a path for CUDA code by its suffix alone."""
    return suffix_of(path) in CUDA_SUFFIXES


def hip_name(path: str) -> str:
    """The path of a CUDA source's port: `a/k.cu.j2` -> `a/k.hip.j2`."""
    plain, template = untemplated(path)
    return plain[: -len(".cu")] + ".hip" + template

"""What the build files of a tree tell about its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hipport.buildfiles.kinds import BuildKind, kind_of
from hipport.patterns import pattern
from hipport.source import discover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.source.discover import Tree

# Macros that only a build sets, by which sources choose their AMD branch. PyTorch's builds set USE_ROCM.
MACROS = frozenset(
    {b"USE_ROCM", b"USE_HIP", b"USE_AMD", b"ENABLE_ROCM", b"ENABLE_HIP", b"BUILD_HIP", b"WITH_HIP", b"WITH_ROCM"}
)
_MACRO = pattern(rb"(?<!\w)D?(" + b"|".join(sorted(MACROS)) + rb")\b")
_TORCH = pattern(rb"cpp_extension|CUDAExtension|find_package\s*\(\s*[Tt]orch")
_KINDS = frozenset({BuildKind.PYTHON, BuildKind.MAKE, BuildKind.CMAKE, BuildKind.BAZEL, BuildKind.MESON})
_LARGEST = 300_000  # bytes; build scripts are small


class BuildFacts(NamedTuple):
    """`torch`: a Python file builds an extension with torch, which hipifies its sources again on ROCm.

    `unset`: the macros of MACROS that no build file names, where there are build files and torch does not set them.
    """

    torch: bool = False
    unset: frozenset[bytes] = frozenset()


def read(tree: Tree) -> BuildFacts:
    """The facts of a tree; vendored build files count for nothing."""
    torch = extension = built = False
    named: set[bytes] = set()
    for kind, data in _texts(tree):
        found = _TORCH.search(data) is not None
        torch |= found
        extension |= found and kind is BuildKind.PYTHON
        built |= kind is not BuildKind.PYTHON
        named.update(_MACRO.findall(data))
    return BuildFacts(extension, MACROS - named if built and not torch else frozenset())


def _texts(tree: Tree) -> Iterator[tuple[BuildKind, bytes]]:
    for entry in tree.entries:
        kind = kind_of(entry.path)
        if kind not in _KINDS or entry.size > _LARGEST or entry.vendored:
            continue
        try:
            yield kind, discover.read(tree.root, entry.path).data
        except OSError:  # it vanished, or may not be read: the port says so where it reads it
            continue

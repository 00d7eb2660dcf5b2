"""Where CUDA lies on a machine, and the names of ported sources in build files."""

from __future__ import annotations

import re
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ROCM_ROOT = "/opt/rocm"
CUDA_ROOT = re.compile(r"(?:/usr/local|/opt|/usr/lib)/(?:nvidia/)?cuda(?:-[\d.]+)?(?![\w.-])(?:/targets/x86_64-linux)?")
# names of variables that hold the folder of a CUDA toolkit
ROOT_NAME = re.compile(
    r"(?:CUDA|NVIDIA|NV|CU)_?(?:HOME|PATH|DIR|ROOT|ROOT_DIR|TOOLKIT|TOOLKIT_PATH|TOOLKIT_ROOT_DIR|TOOLKIT_ROOT|"
    r"INSTALL_PATH|INSTALL_DIR|SDK_PATH|BASE|PREFIX|TK_PATH|LOCATION)"
)
# what follows a toolkit's folder and lies elsewhere in ROCm
AFTER_ROOT = re.compile(r"/lib(?:64|/x64|/x86_64-linux-gnu)?(?:/stubs)?(?![\w-])")
NO_COUNTERPART = re.compile(r"/(?:samples|extras|nvvm|compute-sanitizer|common|C/common|sdk)\b")
SUFFIX = re.compile(r"\.cu(?![\w])")


class Sources:
    """The ported sources as one build file sees them.

    `renamed` maps paths relative to the root; `folder` is the build file's own.
    """

    __slots__ = ("_by_name", "_folder", "_renamed", "uniform")

    def __init__(self, renamed: Mapping[str, str], buildfile: str) -> None:
        self._renamed = renamed
        self._folder = dirname(buildfile)
        self._by_name: dict[str, set[str]] = {}
        for old, new in renamed.items():
            self._by_name.setdefault(basename(old), set()).add(basename(new))
        cuda = [(old, new) for old, new in renamed.items() if old.endswith(".cu")]
        # every .cu became the .hip of the same stem, so that a pattern can follow
        self.uniform = bool(cuda) and all(new == old[:-3] + ".hip" for old, new in cuda)

    def new_name(self, written: str) -> str | None:
        """What a path in the build file becomes, or None where it stays or cannot be told.

        A path with a variable in it counts as renamed if every ported file of that name is.
        """
        if not written.endswith((".cu", ".cuh")):
            return None
        name = basename(written)
        direct = self._renamed.get(normpath(join(self._folder, written)))
        if direct is not None:
            return written[: len(written) - len(name)] + basename(direct)
        if "$" not in written and "{" not in written:
            return None
        names = self._by_name.get(name, set())
        return written[: len(written) - len(name)] + next(iter(names)) if len(names) == 1 else None

    def known(self, name: str) -> bool:
        """Whether some ported source ends in that path, and all that do became `.hip`."""
        matches = [new for old, new in self._renamed.items() if old == name or old.endswith("/" + name)]
        return bool(matches) and all(new.endswith(".hip") for new in matches)

"""What every compiler of ours is: the Protocol, and the values that it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hipport.toolchain.diagnostics import Diagnostic
    from hipport.toolchain.resources import KernelResources


class Level(str, Enum):
    """How far code is proved on a machine, each beyond the one before. Compare with `rank`."""

    NONE = "none"
    PARSED = "parsed"
    TYPE_CHECKED = "type-checked"
    COMPILED = "compiled"  # with resources and LDS
    RUN = "run"

    @property
    def rank(self) -> int:
        """0 for none up to 4 for run."""
        return list(Level).index(self)


class Kind(str, Enum):
    """What a compilation leaves behind."""

    ASSEMBLY = "asm"  # AMDGPU assembly, or PTX
    LLVM = "llvm"  # optimized LLVM IR of one target, as text
    OBJECT = "object"  # host and device code, to be linked
    CODE_OBJECT = "codeobject"  # device code alone: one ELF (or cubin) for one target
    CHECK = "check"  # nothing: types only


@dataclass(frozen=True, slots=True)
class Compiled:
    """One compilation of one file.

    `output` is None where it failed or nothing is written; `log` is the whole log's text.
    `kernels` is empty for assembly and for a type check; an object has the kernels of each of its targets.
    """

    source: Path
    ok: bool
    compiler: str
    targets: tuple[str, ...]
    output: Path | None
    command: tuple[str, ...]
    seconds: float
    log: str
    log_path: Path | None
    diagnostics: tuple[Diagnostic, ...] = ()
    kernels: tuple[KernelResources, ...] = ()


class Compiler(Protocol):
    """One compiler of this machine."""

    @property
    def name(self) -> str:
        """What it is, for a person: `clang 22.1.8`."""

    @property
    def place(self) -> str:
        """Where it is: a program's path, or `in process`."""

    @property
    def language(self) -> str:
        """`hip` or `cuda`."""

    @property
    def lacks(self) -> tuple[str, ...]:
        """What code it cannot build, in words: missing headers and libraries."""

    def level(self, target: str) -> Level:
        """How far it takes code for that target."""

    def compile(
        self,
        source: Path,
        target: str | Sequence[str],
        *,
        kind: Kind | str = Kind.CODE_OBJECT,
        output: Path | None = None,
        options: Sequence[str] = (),
        limit: float = 600.0,
        log: Path | None = None,
    ) -> Compiled:
        """Compile one file; a failed compilation is a value, with its log, and no exception.

        Args:
            source: a HIP (or CUDA) file.
            target: one target for asm and codeobject; one or more for object.
            kind: what to write.
            output: where to; by default beside the source, named `<stem>.<target>.<s|o|co>`.
            options: words added to the command line: `-I`, `-D`, `-O1`, `-std=c++20`, ...
            limit: seconds.
            log: where the log is kept; by default in the user's cache.
        """

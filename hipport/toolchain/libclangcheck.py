"""libclang, in process: types of HIP code where no compiler is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.errors import UsageError
from hipport.frontend.typecheck import available, type_check
from hipport.toolchain.compiler import Compiled, Kind, Level
from hipport.toolchain.diagnostics import Diagnostic
from hipport.toolchain.process import COMPILE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.toolchain.places import Prefix


@dataclass(frozen=True, slots=True)
class LibclangCheck:
    """libclang with HIP's headers. It is a Compiler that only checks; it runs in this process, so no limit holds."""

    name: str
    rocm: Path
    lacks: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """No program."""
        return "in process"

    @property
    def language(self) -> str:
        """HIP."""
        return "hip"

    def level(self, target: str) -> Level:
        """Types, for every AMD GPU."""
        return Level.TYPE_CHECKED if target.startswith("gfx") else Level.NONE

    def words(self, target: str | None, options: Sequence[str]) -> list[str]:
        """The words of one side: the device of `target`, or the host for None."""
        side = ["--cuda-device-only", f"--offload-arch={target}"] if target else ["--cuda-host-only"]
        words = ["-x", "hip", *side, "-nogpulib", f"--rocm-path={self.rocm}", "-isystem", str(self.rocm / "include")]
        words += ["-D__HIP_PLATFORM_AMD__=1", "-ferror-limit=0", "-Wshorten-64-to-32", *options]
        return words if any(option.startswith("-std=") for option in options) else [*words, "-std=c++17"]

    def compile(
        self,
        source: Path,
        target: str | Sequence[str],
        *,
        kind: Kind | str = Kind.CHECK,
        output: Path | None = None,
        options: Sequence[str] = (),
        limit: float = COMPILE_SECONDS,
        log: Path | None = None,
    ) -> Compiled:
        """See Compiler; `kind` must be check."""
        del output, limit
        if Kind(kind) is not Kind.CHECK:
            raise UsageError(f"{self.name} only checks types", next_step="hipport toolchain install")
        names = (target,) if isinstance(target, str) else tuple(target)
        started = time.monotonic()
        found: dict[Diagnostic, None] = {}
        seen: set[tuple[str, int, int, str]] = set()
        for name in (*names, None):
            for p in type_check(Path(source), self.words(name, options)):
                if (p.file, p.line, p.column, p.message) not in seen:
                    seen.add((p.file, p.line, p.column, p.message))
                    side = name or "host"
                    found[Diagnostic(p.file, p.line, p.column, p.severity, p.message, p.flag, side)] = None
        text = "".join(f"{d.where}: {d.severity}: {d.message} [{d.flag}]\n" for d in found)
        if log:
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_text(text, encoding="utf-8")
        return Compiled(
            source=Path(source),
            ok=not any(item.severity == "error" for item in found),
            compiler=self.name,
            targets=names,
            output=None,
            command=(self.name, *self.words(names[0], options), str(source)),
            seconds=time.monotonic() - started,
            log=text,
            log_path=log,
            diagnostics=tuple(found),
        )


def find(prefix: Prefix | None) -> LibclangCheck | None:
    """Libclang with the prefix's headers; None without either."""
    version = available() if prefix and (prefix.rocm / "include/hip/hip_runtime.h").is_file() else ""
    return LibclangCheck(f"libclang {version}", prefix.rocm, prefix.lacks) if prefix and version else None

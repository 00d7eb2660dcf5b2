"""The source that a device is given for a case: itself, or with the template's instance spelled out."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.diffing.cases import Case


@contextmanager
def buildable(case: Case, source: Path, spec: str) -> Iterator[Path]:
    """A file to build for a device. A GPU's driver names the kernel itself; machine code needs the instance."""
    if not case.instantiate or not spec.startswith("isa:"):
        yield source
        return
    instance = f"{case.kernel}{case.instantiate}"
    with tempfile.TemporaryDirectory(prefix="hipport-") as scratch:
        wrapped = Path(scratch) / f"{source.stem}.hip"
        wrapped.write_text(
            f'#include "{source.resolve()}"\ntemplate __global__ decltype({instance}) {instance};\n', encoding="utf-8"
        )
        yield wrapped

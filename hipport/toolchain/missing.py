"""A header that is not found, where ROCm has it: what code that means, and how to get it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.toolchain.diagnostics import Diagnostic
from hipport.toolchain.recipe import load_recipe

if TYPE_CHECKING:
    from collections.abc import Iterable

_NOT_FOUND = re.compile(r"'([^']+)' file not found")


def missing_headers(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """One message a missing header that belongs to ROCm; headers of the project itself say nothing here."""
    errors = [(item, match[1]) for item in found if (match := _NOT_FOUND.search(item.message))]
    if not errors:
        return ()
    known = load_recipe().code_by_header
    folders = {header.partition("/")[0]: what for header, what in known.items() if not header.startswith("hip/")}
    messages = []
    for item, header in errors:
        what = known.get(header) or folders.get(header.partition("/")[0])
        if what and "cuda" not in header.split("/"):  # CUDA's side of a library that ROCm has too: `thrust/system/cuda`
            text = f"this toolchain lacks {what}: hipport toolchain install --from debian, or a ROCm installation"
            messages.append(Diagnostic(item.file, item.line, 0, "error", text, "missing-header", item.target))
    return tuple(messages)

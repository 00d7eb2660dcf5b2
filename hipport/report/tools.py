"""What a machine compiles with, as text or JSON (docs/toolchain.md)."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hipport.toolchain.discovery import Tools

SCHEMA = 1


def tools_text(tools: Tools) -> str:
    """Tools first, then a line for each target."""
    lines = [f"private toolchain: {tools.prefix} ({tools.route or 'not installed: hipport toolchain install'})"]
    lines += [f"  {t.name}: {t.place or 'not here'}" for t in tools.tools]
    width = max((len(level.target) for level in tools.levels), default=0)
    for level in tools.levels:
        by = f" by {level.compiler}" if level.compiler else ""
        lines.append(f"{level.target.ljust(width)}  {level.level.value}{by}")
    lacks = dict.fromkeys(lack for level in tools.levels for lack in level.lacks)
    if lacks:
        lines.append(f"cannot build here: {', '.join(lacks)}")
    return "\n".join(lines) + "\n"


def tools_json(tools: Tools) -> str:
    """The same under a versioned schema."""
    return json.dumps({"schema": SCHEMA, **asdict(tools)}, indent=2) + "\n"

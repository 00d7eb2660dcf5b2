"""The build hook: compiles the rules into the wheel, where site-packages may be read-only and YAML is slow to read."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = "hipport/_data/rules/compiled.tsv"


class CompiledRules(BuildHookInterface[Any]):
    """Adds the compiled rules to a wheel; an editable install compiles into .cache/ when it first runs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile and add; an error in a rule stops the build with its file and line."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from hipport.renames.compiled import build

            data = build(root / "rules")
        finally:
            sys.path.remove(str(root))
        target = Path(tempfile.mkdtemp()) / "compiled.tsv"
        target.write_bytes(data)
        build_data["force_include"][str(target)] = COMPILED

"""The build hook: compiles the rules into the wheel, where site-packages may be read-only and YAML is slow to read."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

RULES = "hipport/_data/rules"


class CompiledRules(BuildHookInterface[Any]):
    """Adds the compiled rules and targets to a wheel; a checkout compiles into .cache/ when it first runs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile and add; an error in a rule stops the build with its file and line."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from hipport import targets
            from hipport.renames import compiled

            made = {
                "compiled.tsv": compiled.build(root / "rules"),
                "targets.json": targets.build(root / "rules" / "targets.yaml"),
            }
        finally:
            sys.path.remove(str(root))
        folder = Path(tempfile.mkdtemp())
        for name, data in made.items():
            (folder / name).write_bytes(data)
            build_data["force_include"][str(folder / name)] = f"{RULES}/{name}"

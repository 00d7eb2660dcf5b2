"""Every benchmark of this folder, each in a process of its own: `python -m tests.bench [FOLDER]`.

FOLDER holds CUDA sources (HeCBench's src, say) and is handed to those benchmarks that take a folder; one that cannot
do without is left out when none is given.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def usage(path: Path) -> str:
    """What a benchmark's first line says it takes: `[FOLDER]`, `[TARGET]`, a needed path, or nothing."""
    doc = ast.get_docstring(ast.parse(path.read_bytes())) or ""
    match = re.search(rf"python -m tests\.bench\.{path.stem}\s+([^`\s]+)`", doc.split("\n\n")[0])
    return match[1] if match else ""


def main(words: list[str]) -> int:
    failed = []
    for path in sorted(HERE.glob("[a-z]*.py")):
        takes = usage(path)
        if takes and not takes.startswith("[") and not words:
            print(f"== {path.stem}: left out, it needs {takes}", flush=True)
            continue
        given = words[:1] if takes == "[FOLDER]" or (takes and not takes.startswith("[")) else []
        print(f"== {path.stem}", flush=True)
        if subprocess.run([sys.executable, "-m", f"tests.bench.{path.stem}", *given], check=False).returncode:
            failed.append(path.stem)
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

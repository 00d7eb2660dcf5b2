"""HeCBench's CUDA programs ported by hipify-perl, to be built and run as hipport's port is. Not part of CI.

    python -m tests.corpus.hipify_perl HIPIFY/bin/hipify-perl SRC PORT OUT [--names a,b]

PORT is hipport's port of SRC, made with `--json --output PORT.findings.json`. hipify-perl ports no build files, so OUT
takes PORT's Makefiles, and each source under the name that hipport gave it as well as its own.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_SOURCES = {".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".c", ".inc"}


def ported(script: Path, source: Path, places: list[Path]) -> str:
    """Port one file to several places; what hipify-perl says where it fails."""
    words = ["perl", str(script), "-quiet-warnings", f"-o={places[0]}", str(source)]
    ran = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    if ran.returncode or not places[0].is_file():
        shutil.copyfile(source, places[0])
    for place in places[1:]:
        shutil.copyfile(places[0], place)
    return ran.stderr if ran.returncode else ""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("src", type=Path)
    parser.add_argument("port", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--names", default="")
    given = parser.parse_args(words)
    report = json.loads(given.port.with_name(f"{given.port.name}.findings.json").read_text(encoding="utf-8"))
    names = given.names.split(",") if given.names else [p.name.removesuffix("-cuda") for p in given.src.glob("*-cuda")]
    wanted = {"include", *(f"{name}-cuda" for name in names)}
    for name in sorted(wanted):
        if (given.port / name).is_dir():
            shutil.copytree(given.port / name, given.out / name, symlinks=True)
    work = []
    for file in report["files"]:
        path, target = file["path"], file["target"] or file["path"]
        if path.partition("/")[0] in wanted and Path(path).suffix in _SOURCES and file["outcome"] == "ported":
            work.append((given.src / path, [given.out / place for place in dict.fromkeys((target, path))]))
    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda row: ported(given.script, *row), work))
    print(f"{len(work)} files, {sum(map(bool, said))} failed", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

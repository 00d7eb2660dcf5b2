"""HeCBench, ported and compiled: `python -m tests.bench.compile HECBENCH/src [--every N] [--port DIR] [--json FILE]`.

Every device source with a `main` of an X-cuda program is ported with its whole tree, and compiled (host and device
code) for gfx942 and gfx950 with the program's own -I, -D and -std words. A file that needs a header which neither the
tree, the system nor ROCm has (MPI, GSL, ...) is left out of the share and counted apart.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from hipport import api
from hipport.toolchain.recipe import load_recipe

TARGETS = "gfx942,gfx950"
_MAIN = re.compile(rb"^\s*(?:int|auto|void)?\s*main\s*\(", re.MULTILINE)
_WORD = re.compile(r"-[ID]\s*[\w./+=-]+|-std=\S+")
_HEADERS = {".h", ".hpp", ".hh", ".cuh", ".inc"}
_SOURCES = {".hip", ".cpp", ".cc", ".cu"}
_DEVICE = re.compile(rb"#\s*include\s*[<\"]hip|<<<")
# the first that matches the first error is the file's class
_CLASSES = (
    ("a mask of 32 bits", r"mask must be a 64-bit"),
    ("warpSize where a constant is needed", r"warpSize"),
    ("inline assembly", r"\basm\b|constraint|inline asm"),
    ("LDS over the budget", r"LDS|local memory"),
    ("a CUDA name is left", r"'(?:cu|CU|nv|cub::|__nv|thrust::cuda|cooperative_groups)\w*"),
    ("an undeclared name", r"undeclared|unknown type name|no (?:type|member|template) named"),
    ("no overload fits", r"no matching|call to .* is ambiguous|no viable|cannot initialize|incompatible"),
    ("the compiler failed or took too long", r"^the compiler was ended|unable to execute|PLEASE submit"),
)


@dataclass(frozen=True, slots=True)
class Result:
    """One main file: `cause` is empty where it compiles, and `third-party header` leaves it out of the share."""

    file: str
    cause: str
    message: str
    seconds: float


def port(source: Path, out: Path) -> None:
    """Port the CUDA side of the tree, with the headers that its programs share."""
    with tempfile.TemporaryDirectory() as scratch:
        for folder in (*source.glob("*-cuda"), source / "include"):
            if folder.is_dir():
                shutil.copytree(folder, Path(scratch) / folder.name, symlinks=True)
        words = ["port", scratch, "-o", str(out), "--target", TARGETS, "-q"]
        subprocess.run([sys.executable, "-m", "hipport", *words], check=False)


def words_of(program: Path, out: Path) -> list[str]:
    """The -I, -D and -std words of a program's Makefiles, its folders of headers, and that of shared headers."""
    found: list[str] = []
    for makefile in program.glob("Makefile*"):
        found += [w.replace(" ", "") for w in _WORD.findall(makefile.read_text(encoding="utf-8", errors="replace"))]
    words = [f"-I{program}", f"-I{out / 'include'}"]
    headers = {path.parent for path in program.rglob("*") if path.suffix in _HEADERS and path.is_file()}
    words += [f"-I{folder}" for folder in sorted(headers)]
    placed = (f"-I{(program / w[2:]).resolve()}" if w.startswith("-I") else w for w in dict.fromkeys(found))
    return [*words, *placed]


def result(path: Path, out: Path, limit: float) -> Result:
    program = next(parent for parent in path.parents if parent.parent == out)
    (built,) = api.compile_files([path], TARGETS, kind="object", options=words_of(program, out), limit=limit)
    name = path.relative_to(out).as_posix()
    errors = [d for d in built.diagnostics if d.severity == "error"]
    if built.ok:
        return Result(name, "", "", built.seconds)
    if not errors:
        return Result(name, "the compiler failed or took too long", built.log[-200:], built.seconds)
    told = next((d.message for d in errors if "file not found" in d.message), errors[0].message)
    return Result(name, cause(told), told, built.seconds)


def cause(message: str) -> str:
    header = re.search(r"'([^']+)' file not found", message)
    if header:
        folders = {known.partition("/")[0] for known in load_recipe().code_by_header}
        ours = header[1].partition("/")[0] in folders or re.match(r"cu|nv|cooperative|mma\.h|device_", header[1])
        return f"no header {header[1]}" if ours else "third-party header"
    return next((name for name, pattern in _CLASSES if re.search(pattern, message)), "another error")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take each N-th program")
    parser.add_argument("--port", type=Path, help="a port that is there already, or where to make it")
    parser.add_argument("--only", default="", help="only files whose path matches")
    parser.add_argument("--limit", type=float, default=300.0)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = (asked.port or Path(scratch) / "port").resolve()
        if not out.is_dir():
            port(asked.source, out)
        programs = sorted(out.glob("*-cuda"))[:: asked.every]
        files = [p for program in programs for p in sorted(program.rglob("*")) if p.suffix in _SOURCES and p.is_file()]
        results = []
        for path in files:
            data = path.read_bytes()
            if re.search(asked.only, path.as_posix()) and _MAIN.search(data) and _DEVICE.search(data):
                results.append(result(path, out, asked.limit))
                print(f"{len(results)} {results[-1]}", file=sys.stderr, flush=True)
    show(results, len(programs))
    if asked.json:
        rows = [{"file": r.file, "cause": r.cause, "message": r.message, "seconds": r.seconds} for r in results]
        asked.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


def show(results: list[Result], programs: int) -> None:
    absent = [r for r in results if r.cause == "third-party header"]
    counted = [r for r in results if r.cause != "third-party header"]
    good = [r for r in counted if not r.cause]
    print(f"{programs} programs, {len(results)} main files, {len(absent)} need an absent third-party header")
    print(f"compile for {TARGETS}: {len(good)} of {len(counted)} ({100 * len(good) / max(len(counted), 1):.1f} %)")
    for name, count in Counter(r.cause for r in counted if r.cause).most_common():
        print(f"  {count:4d}  {name}")


if __name__ == "__main__":
    main()

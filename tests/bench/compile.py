"""HeCBench, ported and compiled: `python -m tests.bench.compile HECBENCH/src [--every N] [--port DIR] [--json FILE]`.

Every device source with a `main` of an X-cuda program is ported with its whole tree, and compiled (host and device
code) for gfx942 and gfx950 with the program's own -I, -D and -std words. A file that needs a header which neither the
tree, the system nor ROCm has (MPI, GSL, ...) is left out of the share and counted apart. One that does not compile was
told where the port left, or asks to review, something on the first error's line, or names what the error names.
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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport import api
from hipport.toolchain.recipe import load_recipe

if TYPE_CHECKING:
    from hipport.toolchain.diagnostics import Diagnostic

TARGETS = "gfx942,gfx950"
_MAIN = re.compile(rb"^\s*(?:int|auto|void)?\s*main\s*\(", re.MULTILINE)
_WORD = re.compile(r"-[ID]\s*[^\s;]+|-std=\S+|-fgpu-rdc")
_VARIABLE = re.compile(r"^(\w+)[ \t]*[:?]?=[ \t]*([^\n]*?)[ \t]*$", re.MULTILINE)
_HEADERS = {".h", ".hpp", ".hh", ".cuh", ".inc"}
_SOURCES = {".hip", ".cpp", ".cc", ".cu"}
_DEVICE = re.compile(rb"#\s*include\s*[<\"]hip|<<<")
_TELLING = {"manual", "unsupported", "unparsed", "review"}
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
    where: str = ""
    told: bool = False


def port(source: Path, out: Path) -> None:
    """Port the CUDA side of the tree, with the headers that its programs share; its findings go beside the port."""
    with tempfile.TemporaryDirectory() as scratch:
        for folder in (*source.glob("*-cuda"), source / "include"):
            if folder.is_dir():
                shutil.copytree(folder, Path(scratch) / folder.name, symlinks=True)
        words = [
            "port",
            scratch,
            "-o",
            str(out),
            "--target",
            TARGETS,
            "-q",
            "--json",
            "--output",
            str(findings_of(out)),
        ]
        subprocess.run([sys.executable, "-m", "hipport", *words], check=False)


def findings_of(out: Path) -> Path:
    """Where the findings of a port are kept."""
    return out.with_name(f"{out.name}.findings.json")


def left_for_a_person(out: Path) -> dict[str, list[tuple[str, int, str]]]:
    """Program -> (file, line, message) of what its port left or asks to review."""
    found: dict[str, list[tuple[str, int, str]]] = {}
    if not findings_of(out).is_file():
        return found
    for file in json.loads(findings_of(out).read_text(encoding="utf-8"))["files"]:
        rows = [f for f in file["findings"] if f["status"] in _TELLING]
        found.setdefault(file["path"].partition("/")[0], []).extend(
            (file["path"], f["line"], f["message"]) for f in rows
        )
    return found


def told(error: Diagnostic, left: list[tuple[str, int, str]]) -> bool:
    """Whether a finding of the program lies on the error's line, or names what the error names."""
    place = error.origin.rpartition(":")[0]
    names = set(re.findall(r"'(\w+)", error.message))
    return any(f"{path}:{line}" == place or names & set(re.findall(r"\w+", said)) for path, line, said in left)


def expanded(makefile: str) -> str:
    """A Makefile with its variables put in, as far as they are plain."""
    values = dict(_VARIABLE.findall(makefile))
    for _ in range(3):
        makefile = re.sub(r"\$[({](\w+)[)}]", lambda use: values.get(use[1], use[0]), makefile)
    return makefile


def words_of(program: Path, out: Path) -> list[str]:
    """The -I, -D and -std words of a program's Makefiles, its folders of headers, and that of shared headers."""
    found: list[str] = []
    for makefile in program.glob("Makefile*"):
        text = expanded(makefile.read_text(encoding="utf-8", errors="replace"))
        found += [word.replace(" ", "") for word in _WORD.findall(text) if "$" not in word]
    words = [f"-I{program}", f"-I{out / 'include'}"]
    headers = {path.parent for path in program.rglob("*") if path.suffix in _HEADERS and path.is_file()}
    words += [f"-I{folder}" for folder in sorted(headers)]
    placed = (f"-I{(program / w[2:]).resolve()}" if w.startswith("-I") else w for w in dict.fromkeys(found))
    return [*words, *placed]


def result(path: Path, out: Path, limit: float, left: dict[str, list[tuple[str, int, str]]]) -> Result:
    program = next(parent for parent in path.parents if parent.parent == out)
    options = words_of(program, out)
    (built,) = api.compile_files([path], TARGETS, kind="object", options=options, limit=limit, jobs=1)
    name = path.relative_to(out).as_posix()
    errors = [d for d in built.diagnostics if d.severity in {"error", "fatal error"}]
    if built.ok:
        return Result(name, "", "", built.seconds)
    if not errors:
        return Result(name, "the compiler failed or took too long", built.log[-200:], built.seconds)
    first = next((d for d in errors if "file not found" in d.message), errors[0])
    known = left.get(program.name, [])
    return Result(name, cause(first.message), first.message, built.seconds, first.where, told(first, known))


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
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = (asked.port or Path(scratch) / "port").resolve()
        if not out.is_dir():
            port(asked.source, out)
        programs = sorted(out.glob("*-cuda"))[:: asked.every]
        results = compiled([p for p in mains(programs) if re.search(asked.only, p.as_posix())], out, asked)
    show(results, len(programs))
    if asked.json:
        asked.json.write_text(json.dumps([asdict(r) for r in results], indent=1), encoding="utf-8")


def mains(programs: list[Path]) -> list[Path]:
    """The device sources with a `main`."""
    files = [p for program in programs for p in sorted(program.rglob("*")) if p.suffix in _SOURCES and p.is_file()]
    texts = {path: path.read_bytes() for path in files}
    return [path for path, data in texts.items() if _MAIN.search(data) and _DEVICE.search(data)]


def compiled(files: list[Path], out: Path, asked: Any) -> list[Result]:
    left = left_for_a_person(out)

    def one(path: Path) -> Result:
        made = result(path, out, asked.limit, left)
        print(made, file=sys.stderr, flush=True)
        return made

    with ThreadPoolExecutor(asked.jobs) as pool:
        return list(pool.map(one, files))


def show(results: list[Result], programs: int) -> None:
    absent = [r for r in results if r.cause == "third-party header"]
    counted = [r for r in results if r.cause != "third-party header"]
    good = [r for r in counted if not r.cause]
    print(f"{programs} programs, {len(results)} main files, {len(absent)} need an absent third-party header")
    print(f"compile for {TARGETS}: {len(good)} of {len(counted)} ({100 * len(good) / max(len(counted), 1):.1f} %)")
    for name, count in Counter(r.cause for r in counted if r.cause).most_common():
        known = sum(r.told for r in counted if r.cause == name)
        print(f"  {count:4d}  {name} ({known} of them told by the port)")


if __name__ == "__main__":
    main()

"""hipport on FBGEMM's own wave-width fixes: `python -m tests.bench.fbgemm_history FBGEMM_GIT_DIR`.

Method. For each commit that mended the width of a wave, each CUDA source or header that it changed is read before and
after it, with the headers of the same revision that it includes. *Flagged*: before, a warp finding lies on a line that
the commit changed. *Clean*: after, none lies on a line that the commit wrote. Files in which the commit changed no
line about warps are left out. The targets are gfx942 and gfx1100: d8f6d05b1 is about a build for both.
"""

from __future__ import annotations

import difflib
import json
import posixpath
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from hipport.frontend import units
from hipport.model import SourceFile
from hipport.rewrites import rule
from hipport.targets import targets

COMMITS = {
    "9663f240d": "ballot truncated to 32 bits (#5830)",
    "d8f6d05b1": "wave sizes 32 and 64 in one build (#5739)",
    "8e809e255": "device constant in host launches (#6031)",
    "08797c026": "device constant in host code of the caches (#6037)",
}
FAMILIES = {"warp", "cooperative_groups", "ptx"}
SUFFIXES = (".cu", ".cuh", ".h")
WORDS = (
    "WarpSize",
    "warp_size",
    "Mask",
    "mask",
    "ballot",
    "popc",
    "ffs",
    "0xFFFFFFFF",
    "0xffffffff",
    "shfl",
    "any_sync",
)


def git(folder: str, *words: str) -> str:
    ran = subprocess.run(["git", "--git-dir", folder, *words], capture_output=True, check=False)
    return ran.stdout.decode("utf-8", "replace")


def extracted(folder: str, revision: str, target: Path) -> Path:
    """FBGEMM's GPU sources at one revision."""
    place = target / revision.replace("^", "-parent")
    place.mkdir()
    archive = subprocess.Popen(["git", "--git-dir", folder, "archive", revision, "fbgemm_gpu"], stdout=subprocess.PIPE)
    subprocess.run(["tar", "x", "-C", str(place)], stdin=archive.stdout, check=True)
    archive.wait()
    return place


def chain(root: Path, path: str) -> list[SourceFile]:
    """A file and what it includes of FBGEMM."""
    found: dict[str, bytes] = {path: (root / path).read_bytes()}
    todo = [path]
    while todo:
        here = todo.pop()
        for operand in re.findall(rb'^\s*#\s*include\s*[<"]([^>"]+)[>"]', found[here], re.MULTILINE):
            for base in ("fbgemm_gpu/include/", "fbgemm_gpu/", here.rsplit("/", 1)[0] + "/"):
                name = posixpath.normpath(base + operand.decode())
                if name not in found and (root / name).is_file():
                    found[name] = (root / name).read_bytes()
                    todo.append(name)
                    break
    return [SourceFile(name, body) for name, body in found.items()]


def findings(files: list[SourceFile], path: str) -> list[tuple[int, int, str]]:
    read = units.read(files)
    if path not in read:
        return []
    one = read[path]
    count = lambda at: one.text.data.count(b"\n", 0, at)  # noqa: E731
    found = rule.find(one, targets(["gfx942", "gfx1100"]))
    return [
        (count(f.span.start), count(f.span.end) + 1, f.rule)
        for f in found
        if f.family in FAMILIES and f.rule != "wave-width"
    ]


def changed(before: str, after: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    old, new = before.split("\n"), after.split("\n")
    codes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    hot = [c for c in codes if c[0] != "equal" and any(w in line for line in old[c[1] : c[2]] for w in WORDS)]
    return [(a, b) for _, a, b, _, _ in hot], [(c, d) for _, _, _, c, d in hot]


def hits(found: list[tuple[int, int, str]], ranges: list[tuple[int, int]]) -> list[str]:
    return [r for s, e, r in found if any(s < max(b, a + 1) and a < e for a, b in ranges)]


def measure(folder: str, scratch: Path) -> dict[str, object]:
    rows: list[dict[str, object]] = []
    for commit, title in COMMITS.items():
        roots = [extracted(folder, f"{commit}{side}", scratch) for side in ("^", "")]
        names = git(folder, "show", "--name-only", "--format=", commit).split()
        for name in names:
            if not name.endswith(SUFFIXES):
                continue
            before, after = (git(folder, "show", f"{commit}{side}:{name}") for side in ("^", ""))
            old, new = changed(before, after)
            if not old or not before:
                continue
            flagged = hits(findings(chain(roots[0], name), name), old)
            left = hits(findings(chain(roots[1], name), name), new)
            rows.append({"commit": commit, "title": title, "file": name, "flagged": sorted(set(flagged)), "left": left})
    return {
        "files": len(rows),
        "flagged before": round(sum(bool(r["flagged"]) for r in rows) / max(1, len(rows)), 3),
        "clean after": round(sum(not r["left"] for r in rows) / max(1, len(rows)), 3),
        "by commit": {
            c: dict(
                Counter(
                    ("flagged" if r["flagged"] else "missed") + ("" if not r["left"] else ", not clean")
                    for r in rows
                    if r["commit"] == c
                )
            )
            for c in COMMITS
        },
        "rows": rows,
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        print(json.dumps(measure(sys.argv[1], Path(made)), indent=1))

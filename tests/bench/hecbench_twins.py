"""hipport's warp findings against HeCBench's hand-made HIP twins: `python -m tests.bench.hecbench_twins HECBENCH/src`.

Method. For each program X with X-cuda and X-hip, each file that both have is compared line by line after names are
made equal (cuda -> hip, cub -> hipcub), comments and white space go, and `__shfl_*_sync(mask, ...)` and its kin lose
`_sync` and the mask. A difference is a *width site* where the twin took away a word about the width of a warp
(32, 64, 31, 63, 5, 6, 16, a name with warp or lane, a 64-bit bit function or mask, a warp function, a tile), it is no
launch and no mere removal of a mask constant or of `__syncwarp`, and its program uses warp functions. A program
counts with at least one width site. A site's *function* is the device or host function around it on the CUDA side.

- flagged sites: a finding (a fault, or an offer of speed) lies on the site's lines;
- flagged functions: a finding lies in a function with a width site. A subwarp port leaves `/ 32` as it is where the
  twin widens it, so the function is what both have changed;
- precision: the share of findings that lie in a changed function or on a line that the twin changed (mask drops too);
- left alone: files with warp words and no width site; flagged if a finding about correctness lies on a line that
  the twin left as it is (names, launches and masks aside). Offers of speed are counted apart.
"""

from __future__ import annotations

import difflib
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from hipport.frontend import units
from hipport.frontend.closure import Mode
from hipport.frontend.text import blank
from hipport.model import Purpose, SourceFile
from hipport.rewrites import rule
from hipport.targets import targets

if TYPE_CHECKING:
    from hipport.frontend.unit import Unit

SUFFIXES = {".cu", ".cuh", ".h", ".hpp", ".inl", ".inc", ".cpp", ".cc"}
MASKED = re.compile(r"__(shfl\w*?|ballot|any|all)_sync\s*\(\s*(?:[^,()]|\([^()]*\))*,\s*")
WORD = re.compile(r"0[xX][\da-fA-F]+\w*|\w+|[^\w\s]")
WIDTH = re.compile(
    r"(?:32|64|31|63|33|65|5|6|16|0x1f|0x3f)[uUlL]*|\w*[wW][aA][rR][pP]\w*|WS|ws|\w*[lL]ane\w*|__(?:popc|ffs|clz|brev)(?:ll)?"
    r"|0[xX][fF]{8,16}[uUlL]*|1[uU]?[lL]{1,2}|__(?:ballot|any|all|shfl)\w*|__match\w*|__reduce_\w+_sync|reduce|cg_reduce"
)
CROSSING = re.compile(
    rb"__shfl|__ballot|__any|__all|__match_|__activemask|__reduce_\w+_sync|Warp(?:Reduce|Scan)|tiled_partition|laneid"
)
WARPISH = re.compile(
    rb"__shfl|__ballot|__any|__all|__syncwarp|(?i:warp)|threadIdx\.x\s*(?:%|&|/|>>)\s*(?:32|31|5|0x1f)\b|lane"
)
FAMILIES = {"warp", "cooperative_groups", "ptx"}
LAUNCH = re.compile(r"<<<|>>>|hipLaunchKernelGGL|HIP_KERNEL_NAME")
MASK_ONLY = re.compile(
    r"(?:#define|const|constexpr|static|unsigned|int|auto|uint32_t)[\w\s]*\b\w*(?i:mask|warp|full)\w*\b[\s=]*\(?(?:0[xX][fF]{8}|~0)[uU]?\)?;?\s*"
)
SYNCWARP = re.compile(r"\s*(?:__syncwarp\s*\(.*\)|WARP_SYNC\(.*\))\s*;\s*|\s*")


def normal(line: str) -> str:
    line = re.sub(r"\bcuda", "hip", re.sub(r"\bcub::", "hipcub::", line))
    line = re.sub(r"\bcuda_runtime(_api)?\.h", "hip/hip_runtime.h", line)
    return re.sub(r"\s+", "", MASKED.sub(r"__\1(", line))


def lines(path: Path) -> list[str]:
    return blank(path.read_bytes()).decode("latin-1").split("\n")


def words(text: list[str]) -> Counter[str]:
    return Counter(w for line in text for w in WORD.findall(MASKED.sub(r"__\1(", line)))


def is_width(old: list[str], new: list[str]) -> bool:
    if any(LAUNCH.search(line) for line in old + new):
        return False
    if not any(line.strip() for line in new) and all(
        SYNCWARP.fullmatch(line) or MASK_ONLY.fullmatch(line.strip()) for line in old
    ):
        return False
    before, after = words(old), words(new)
    return any(WIDTH.fullmatch(w) for w in before - after)


def differences(cuda: Path, hip: Path) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """(all changed line ranges, those that are width sites), on the CUDA side, half-open, counted from 0."""
    old, new = lines(cuda), lines(hip)
    matcher = difflib.SequenceMatcher(
        None, [normal(line) for line in old], [normal(line) for line in new], autojunk=False
    )
    raw = difflib.SequenceMatcher(
        None,
        [re.sub(r"\s", "", re.sub(r"\bcuda", "hip", line)) for line in old],
        [re.sub(r"\s", "", line) for line in new],
        autojunk=False,
    )
    changed = [(a, b) for tag, a, b, _, _ in raw.get_opcodes() if tag != "equal"]
    sites = [(a, b) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal" and is_width(old[a:b], new[c:d])]
    return changed, sites


def files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.suffix in SUFFIXES and p.is_file() and p.stat().st_size < 1_000_000)


def spans_of(one: Unit) -> list[tuple[int, int, str]]:
    code = one.text.data
    return [
        (code.count(b"\n", 0, f.start), code.count(b"\n", 0, f.end) + 1, f.name) for f in (*one.functions, *one.hosts)
    ]


def mean(programs: dict[str, dict[str, int]], key: str, of: str) -> float:
    shares = [p[key] / p[of] for p in programs.values() if p.get(of)]
    return round(sum(shares) / max(1, len(shares)), 3)


def measure(source: Path, mode: Mode) -> dict[str, object]:
    chosen = targets(["gfx942", "gfx950"])
    programs: dict[str, dict[str, int]] = {}
    right = total = 0
    alone = alone_flagged = alone_offered = 0
    blamed: list[str] = []
    wrong: Counter[str] = Counter()
    missed: list[str] = []
    for cuda in sorted(source.glob("*-cuda")):
        hip = cuda.with_name(cuda.name[:-5] + "-hip")
        if not hip.is_dir():
            continue
        paths = files(cuda)
        crossing = any(CROSSING.search(p.read_bytes()) for p in paths)
        read = units.read([SourceFile(str(p.relative_to(cuda)), p.read_bytes()) for p in paths], mode)
        score = Counter[str]()
        for path in paths:
            name = str(path.relative_to(cuda))
            twin = hip / name
            one = read.get(name)
            if one is None or not twin.is_file():
                continue
            changed, sites = differences(path, twin)
            found = [
                (one.text.data.count(b"\n", 0, f.span.start), one.text.data.count(b"\n", 0, f.span.end) + 1, f)
                for f in rule.find(one, chosen)
                if f.family in FAMILIES
            ]
            functions = spans_of(one)
            touched = {f for a, b in sites for f in functions if f[0] < max(b, a + 1) and a < f[1]}
            sites = sites if crossing else []
            score["sites"] += len(sites)
            hits = [any(s < max(b, a + 1) and a < e for s, e, _ in found) for a, b in sites]
            score["flagged sites"] += sum(hits)
            faults = [(s, e) for s, e, f in found if f.purpose is Purpose.CORRECTNESS]
            score["sites with a fault"] += sum(any(s < max(b, a + 1) and a < e for s, e in faults) for a, b in sites)
            edited = [(s, e) for s, e, f in found if f.edits and f.purpose is Purpose.CORRECTNESS]
            changes = [any(s < max(b, a + 1) and a < e for s, e in edited) for a, b in sites]
            score["rewritten sites"] += sum(changes)
            missed += [f"{cuda.name[:-5]}/{name}:{a + 1}" for (a, b), hit in zip(sites, hits, strict=True) if not hit]
            score["functions"] += len(touched)
            score["flagged functions"] += sum(any(s < f[1] and f[0] < e for s, e, _ in found) for f in touched)
            score["files"] += 1
            if WARPISH.search(one.text.code) and not sites:
                alone += 1
                unasked = [f for s, e, f in found if not any(s < max(b, a + 1) and a < e for a, b in changed)]
                blames = [f"{f.rule}:{f.span.start}" for f in unasked if f.purpose is Purpose.CORRECTNESS]
                alone_flagged += bool(blames)
                alone_offered += bool(unasked) and not blames
                if blames:
                    blamed.append(f"{cuda.name[:-5]}/{name} {blames[:3]}")
            score["found"] += len(found)
            for s, e, finding in found:
                hit = any(s < f[1] and f[0] < e for f in touched) or any(
                    s < max(b, a + 1) and a < e for a, b in changed
                )
                score["right"] += hit
                if not hit:
                    wrong[f"{cuda.name[:-5]}/{name}: {finding.rule}"] += 1
        if score["sites"]:
            programs[cuda.name[:-5]] = dict(score)
        right, total = right + score["right"], total + score["found"]
    return {
        "mode": mode.value,
        "programs": len(programs),
        "sites": sum(p["sites"] for p in programs.values()),
        "mean share of flagged sites": mean(programs, "flagged sites", "sites"),
        "mean share of sites with a fault, offers apart": mean(programs, "sites with a fault", "sites"),
        "mean share of rewritten sites": mean(programs, "rewritten sites", "sites"),
        "functions": sum(p["functions"] for p in programs.values()),
        "mean share of flagged functions": mean(programs, "flagged functions", "functions"),
        "findings": total,
        "precision": round(right / max(1, total), 3),
        "files left alone": alone,
        "of them flagged": alone_flagged,
        "of them with an offer only": alone_offered,
        "flagged though left alone": blamed,
        "table": programs,
        "missed": missed,
        "not on a change": dict(wrong.most_common(40)),
    }


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), Mode(sys.argv[2] if len(sys.argv) > 2 else "subwarp")), indent=1))

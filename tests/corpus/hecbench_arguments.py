"""A HeCBench program's own words from its Makefile, and smaller ones for an executor that is no GPU."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

_REPEAT = re.compile(r"repeat|iter|trial|pass(es)?$|nruns?|num_?runs|loops?|steps?|times|reps?$|count$", re.IGNORECASE)
_USAGE = re.compile(r"[Uu]sage[^<\[\"\n]*\"?[^<\[\"\n]*((?:\s*[<\[][^>\]\n]+[>\]])+)")
WORDS = Path(__file__).with_name("hecbench_words.tsv")  # program, tab, words that end in seconds
SOURCES = {".cu", ".cpp", ".c", ".h", ".hip", ".cc"}


def run_words(folder: Path) -> list[list[str]]:
    """The argument lists of `make run`, in order; [[]] where it gives none."""
    for name in ("Makefile", "makefile", "GNUmakefile"):
        path = folder / name
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")
        variables = dict(re.findall(r"^(\w+)[ \t]*[:?]?=[ \t]*(.*?)[ \t]*$", text, re.MULTILINE))
        match = re.search(r"^run\s*:.*\n((?:[\t ].*\n?)+)", text, re.MULTILINE)
        if not match:
            continue
        lines = [_expanded(line.strip(), variables) for line in match[1].splitlines()]
        words = [_arguments(line) for line in lines if "./" in line and not line.startswith("#")]
        found = [row for row in words if row is not None]
        if found:
            return found
    return [[]]


def _expanded(line: str, variables: dict[str, str]) -> str:
    for _ in range(3):
        line = re.sub(r"\$[({](\w+)[)}]", lambda m: variables.get(m[1], ""), line)
    return line


def _arguments(line: str) -> list[str] | None:
    line = re.split(r"[|>;&]", line.lstrip("@-"))[0]
    try:
        words = shlex.split(line)
    except ValueError:
        return None
    for at, word in enumerate(words):
        if word.startswith("./"):
            return words[at + 1 :]
    return None


def repeat_positions(folder: Path, count: int) -> set[int]:
    """Which arguments say how often something is done again, by the program's usage line; the last one by custom."""
    beside = folder.with_name(folder.name.removesuffix("-hip") + "-cuda")
    for path in [*sorted(folder.rglob("*")), *sorted(beside.rglob("*"))]:
        if path.suffix not in SOURCES or not path.is_file():
            continue
        match = _USAGE.search(path.read_text(encoding="utf-8", errors="replace"))
        if match:
            names = re.findall(r"[<\[]([^>\]]+)[>\]]", match[1])
            return {at for at, name in enumerate(names) if _REPEAT.search(name.strip()) and at < count}
    return set()


def _smaller(word: str, divide: int, least: int) -> str:
    if not re.fullmatch(r"\d+", word) or int(word) <= least:
        return word
    value = int(word)
    reduced = max(least, value // divide)
    if value & (value - 1) == 0:  # a power of two stays one
        reduced = 1 << (reduced.bit_length() - 1)
    elif value % 100 == 0 and reduced > 100:  # round numbers stay round
        reduced = reduced // 100 * 100
    return str(reduced)


def known_words() -> dict[str, list[str]]:
    """Program (no ending) -> words with which it is known to end soon."""
    rows = (line.partition("\t") for line in WORDS.read_text(encoding="utf-8").splitlines())
    return {name: words.split() for name, _, words in rows}


def attempts(folder: Path) -> list[list[str]]:
    """Argument lists to try, the likeliest to work first, each once: known ones, repeats cut to 1, then sizes cut."""
    words = run_words(folder)[0]
    known = known_words().get(folder.name.rpartition("-")[0])
    repeats = repeat_positions(folder, len(words))
    once = [("1" if at in repeats and re.fullmatch(r"\d+", word) else word) for at, word in enumerate(words)]
    few = [("2" if at in repeats and re.fullmatch(r"\d+", word) else word) for at, word in enumerate(words)]
    rows = [once]
    for divide, least in ((16, 64), (256, 64), (4096, 32)):
        rows.append([word if at in repeats else _smaller(word, divide, least) for at, word in enumerate(once)])
    rows.append([word if at in repeats else _smaller(word, 64, 64) for at, word in enumerate(few)])
    ordered = [rows[2], rows[1], rows[0], rows[3], rows[4]] if rows[0] != rows[1] else [rows[0], rows[4]]
    if words and re.fullmatch(r"\d+", words[-1]):  # by custom the last says how often
        ordered += [[*(_smaller(word, 64, 2048) for word in words[:-1]), "1"], [*words[:-1], "1"]]
    ordered.append(words)
    ordered = [known, *ordered] if known is not None else ordered
    return [list(row) for row in dict.fromkeys(map(tuple, ordered))]

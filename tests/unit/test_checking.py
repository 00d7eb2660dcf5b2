"""What a check makes of findings: severity, selection, excuses, baseline."""

from __future__ import annotations

import random

import pytest

from hipport.checking import baseline, suppress
from hipport.checking.locate import locate
from hipport.checking.severity import Selection, Severity, severity
from hipport.errors import DataError
from hipport.model import Finding, Purpose, Safety, SourceFile, Span, Status


def source(text: str | bytes, path: str = "a.cu") -> SourceFile:
    return SourceFile(path, text if isinstance(text, bytes) else text.encode())


def finding(src: SourceFile, word: str, rule: str = "ballot-width", nth: int = 0, **changes: object) -> Finding:
    start = -1
    for _ in range(nth + 1):
        start = src.data.index(word.encode(), start + 1)
    values = {
        "rule": rule,
        "span": Span(src.path, start, start + len(word)),
        "message": f"`{word}` is wrong",
        "safety": Safety.REVIEW,
        "status": Status.REVIEW,
        "family": "warp",
    }
    return Finding(**{**values, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("safety", "status", "purpose", "level"),
    [
        (Safety.SAFE, Status.RENAMED, Purpose.CORRECTNESS, Severity.NOTE),
        (Safety.REVIEW, Status.REVIEW, Purpose.CORRECTNESS, Severity.WARNING),
        (Safety.REVIEW, Status.REVIEW, Purpose.PERFORMANCE, Severity.NOTE),
        (Safety.MANUAL, Status.MANUAL, Purpose.CORRECTNESS, Severity.ERROR),
        (Safety.MANUAL, Status.MANUAL, Purpose.PERFORMANCE, Severity.NOTE),
        (Safety.REVIEW, Status.UNSUPPORTED, Purpose.CORRECTNESS, Severity.ERROR),
    ],
)
def test_severity(safety: Safety, status: Status, purpose: Purpose, level: Severity) -> None:
    src = source("x")
    assert severity(finding(src, "x", safety=safety, status=status, purpose=purpose)) is level


def test_safe_renames_fail_only_when_selected() -> None:
    src = source("cudaMalloc")
    safe = finding(src, "cudaMalloc", "api-name", safety=Safety.SAFE, status=Status.RENAMED, family="runtime")
    assert not Selection().fails(safe)
    for word in ("rename", "runtime", "api-name"):
        chosen = Selection(select=frozenset({word}))
        assert chosen.shows(safe)
        assert chosen.fails(safe)
    assert not Selection(select=frozenset({"warp"})).shows(safe)
    assert not Selection(ignore=frozenset({"runtime"})).shows(safe)


def test_columns_count_characters_and_bytes_where_the_file_is_not_utf8() -> None:
    utf8 = source("/* äöü */ bad\r\n  bad")
    first, second = locate(utf8, [finding(utf8, "bad"), finding(utf8, "bad", nth=1)])
    assert (first.line, first.column, first.end_column, first.excerpt) == (1, 11, 14, "/* äöü */ bad")
    assert (second.line, second.column) == (2, 3)
    latin = source("/* \xe4 */ bad".encode("latin-1"))
    assert locate(latin, [finding(latin, "bad")])[0].column == 9


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("bad(); // hipport: ignore[ballot-width] the mask is 32 wide\n", 0),
        ("bad(); /* hipport: ignore[warp] */\n", 0),
        ("// hipport: ignore[ballot-width] known\nbad();\n", 0),
        ("// hipport: ignore[ballot-width] known\n// and more words\nbad();\n", 0),
        ("// hipport: ignore[other-rule, ballot-width]\nbad();\n", 0),
        ("# hipport: ignore[ballot-width]\nbad()\n", 0),
        ("bad(); // hipport: ignore[other-rule]\n", 2),  # the finding, and the unused excuse
        ("bad(); // hipport: ignore\n", 2),  # names no rule
        ("bad();\n\n// hipport: ignore[ballot-width]\n", 2),
    ],
)
def test_excuses(text: str, standing: int) -> None:
    src = source(text)
    left, excused = suppress.apply(src, [finding(src, "bad")])
    assert (len(left), len(excused)) == (standing, 0 if standing else 1)


def test_an_unused_excuse_is_no_fault_when_not_every_rule_has_run() -> None:
    src = source("x; // hipport: ignore[ballot-width]\n")
    assert suppress.apply(src, [], complete=False) == ((), ())
    (complaint,), _ = suppress.apply(src, [])
    assert complaint.rule == "unused-ignore"


def test_a_baseline_knows_300_findings_after_they_moved_and_shows_the_two_new_ones() -> None:
    chance = random.Random(7)  # noqa: S311 - a repeatable shuffle
    lines = [f"  bad({chance.randrange(60)}); // {chance.randrange(3)}" for _ in range(300)]
    src = source("\n".join(lines) + "\n")
    known = baseline.load(baseline.dump(locate(src, every_bad(src))), where="b.json")
    assert sum(known.values()) == 300
    chance.shuffle(lines)
    moved = ["// new head", *(line.replace("bad", "  bad") for line in lines)]
    moved.insert(100, "bad(1000);")  # a new line, and one more of a line that is known
    moved.insert(200, lines[5])
    again = source("\r\n".join(moved))
    fresh = baseline.new(locate(again, every_bad(again)), known)
    assert [found.excerpt.strip() for found in fresh] == ["bad(1000);", lines[5].strip()]


def every_bad(src: SourceFile) -> list[Finding]:
    return [finding(src, "bad", nth=n) for n in range(src.data.count(b"bad"))]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"schema": "hipport.baseline/9", "findings": []}',
        '{"schema": "hipport.baseline/1", "findings": [{}]}',
    ],
)
def test_a_damaged_baseline_is_named(text: str) -> None:
    with pytest.raises(DataError, match=r"b\.json"):
        baseline.load(text, where="b.json")

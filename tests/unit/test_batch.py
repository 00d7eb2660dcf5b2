"""Effort, verdicts, the store, and the batch report's formats."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from hipport.batch import effort
from hipport.batch.facts import BatchReport, FileFacts, RepositoryFacts
from hipport.batch.store import Store
from hipport.errors import DataError
from hipport.report import batch_formats

if TYPE_CHECKING:
    from pathlib import Path

SAFE = ("runtime", "api-name", "renamed", "safe", "correctness")
REVIEW = ("warp", "ballot-width", "review", "review", "correctness")
ADVICE = ("atomics", "hot-atomic", "review", "review", "performance")
MANUAL = ("ptx", "ptx-asm", "manual", "manual", "correctness")
RECORD = {
    "rule": "ptx-asm", "severity": "error", "path": "k.cu", "line": 3, "column": 5, "message": "</script><b>`asm`",
    "next_step": "rewrite it", "excerpt": '  asm("");',
}  # fmt: skip


def facts(name: str, *files: tuple[str, dict[tuple[str, str, str, str, str], int]], error: str = "") -> RepositoryFacts:
    made = tuple(FileFacts(path, 10, Counter(counts), (RECORD,) if MANUAL in counts else ()) for path, counts in files)
    return RepositoryFacts(name, made, error)


def report(*repositories: RepositoryFacts) -> BatchReport:
    rows = tuple(effort.row(repository, effort.WEIGHTS) for repository in repositories)
    return BatchReport(rows, effort.WEIGHTS, ("gfx942", "gfx950"), "7.2")


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ({}, "no CUDA"),
        ({SAFE: 5}, "builds as is"),
        ({SAFE: 5, ADVICE: 1}, "builds as is"),
        ({SAFE: 5, REVIEW: 1}, "review"),
        ({REVIEW: 1, MANUAL: 2}, "blocked"),
    ],
)
def test_verdicts(counts: dict[tuple[str, str, str, str, str], int], verdict: str) -> None:
    row = effort.row(facts("r", ("k.cu", counts)), effort.WEIGHTS)
    assert row.verdict == verdict
    assert row.blockers == (("ptx",) if verdict == "blocked" else ())


def test_effort_is_the_sum_that_the_docstring_promises() -> None:
    weights = {**effort.WEIGHTS, "review": 4.0, "manual": 20.0, "renamed": 0.0, "performance": 1.0}
    row = effort.row(facts("r", ("a.cu", {REVIEW: 3, SAFE: 9}), ("b.cu", {REVIEW: 1, ADVICE: 1})), weights)
    assert row.effort == pytest.approx(4 * (1 + 0.25 * 2) + 4 + 1)
    assert [hot.path for hot in row.hot] == ["a.cu", "b.cu"]


def test_one_repository_that_fails_is_a_row_with_its_reason() -> None:
    made = report(facts("good", ("k.cu", {SAFE: 1})), facts("bad", error="it is no folder"))
    assert [row.verdict for row in made.rows] == ["builds as is", "failed"]
    assert "it is no folder" in batch_formats.to_csv(made)


def test_csv_has_a_row_a_repository_and_runs_no_formula() -> None:
    made = report(facts("=cmd()", ("k.cu", {MANUAL: 1})), facts("b"))
    rows = list(csv.DictReader(io.StringIO(batch_formats.to_csv(made))))
    assert [row["repository"] for row in rows] == ["'=cmd()", "b"]
    assert rows[0]["manual"] == "1"
    assert rows[0]["blockers"] == "ptx"


def test_json_and_markdown_agree_on_the_sums() -> None:
    made = report(facts("a|b", ("k.cu", {MANUAL: 2, SAFE: 3})), facts("c", ("k.cu", {SAFE: 4})))
    body = json.loads(batch_formats.to_json(made))
    assert body["statuses"] == {"manual": 2, "renamed": 7}
    text = batch_formats.to_markdown(made)
    assert "a\\|b" in text
    assert next(line for line in text.splitlines() if "**all**" in line).split("|")[5].strip() == "7"


def test_store_resumes_an_unfinished_run_and_compares_with_a_finished_one(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "runs.db"
    first = facts("a", ("k.cu", {REVIEW: 1, MANUAL: 1}))
    with Store(path) as store:
        run = store.begin({"rocm": "7.2"}, resume=False)
        store.save(run, "sig", first)
    with Store(path) as store:  # as if the first process had been killed
        assert store.begin({"rocm": "6.0"}, resume=True) != run
        assert store.begin({"rocm": "7.2"}, resume=True) == run
        assert store.done(run) == {("a", "sig"): first}
        store.finish(run)
        again = store.begin({"rocm": "7.2"}, resume=True)
        assert again > run
        assert store.before(again) == {"a": first}


def test_a_file_that_is_no_store_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_text("hello, this is not a database\n" * 50)
    with pytest.raises(DataError, match=r"x\.db"):
        Store(path)


def test_html_is_one_file_whose_data_cannot_end_the_script() -> None:
    page = batch_formats.to_html(report(facts("</script><script>alert(1)", ("k.cu", {MANUAL: 1}))))
    assert page.count("</script>") == 2
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")

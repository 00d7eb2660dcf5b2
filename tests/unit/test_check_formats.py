"""A check's answer in every format: valid where a schema exists, and safe with hostile names."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest

from hipport.checking.answer import CheckAnswer, Problem
from hipport.checking.locate import locate
from hipport.checking.severity import Selection
from hipport.errors import ExitCode
from hipport.model import Edit, Finding, Safety, SourceFile, Span, Status
from hipport.report import annotations, check_records, check_text, sarif

HOSTILE = "dir/ev\x1b[31mil\n::error::%,name \udcff.cu"


def answer(path: str = "k.cu") -> CheckAnswer:
    src = SourceFile(path, "int ä;\n\tunsigned m = __ballot_sync(~0u, p);\n".encode())
    start = src.data.index(b"__ballot")
    span = Span(path, start, start + 13)
    wrong = Finding(
        "ballot-width", span, "`m` keeps 32 of 64 ballot bits", Safety.REVIEW, Status.REVIEW, "warp",
        edits=(Edit(span, b"hipport::ballot"),), next_step="read it", targets=("gfx942",),
    )  # fmt: skip
    manual = Finding("no-api", Span(path, 0, 3), '<int> & "co"', Safety.MANUAL, Status.MANUAL, "runtime")
    return CheckAnswer(locate(src, [wrong, manual]), Selection(), files=1, renames=3, problems=())


def test_text_shows_place_excerpt_carets_and_next_step() -> None:
    text = check_text.render(answer())
    assert "k.cu:2:15: warning: ballot-width `m` keeps 32 of 64 ballot bits" in text
    lines = text.splitlines()
    excerpt = next(i for i, line in enumerate(lines) if "__ballot_sync" in line)
    caret = lines[excerpt + 1]
    assert lines[excerpt][caret.index("^") : caret.rindex("^") + 1] == "__ballot_sync"
    assert "next: read it" in text
    assert "3 CUDA names that a port renames safely" in text
    assert "\x1b" not in text
    assert "\x1b[" in check_text.render(answer(), colour=True)


def test_exit_codes() -> None:
    assert answer().exit_code is ExitCode.LEFT
    assert CheckAnswer((), Selection(), 1).exit_code is ExitCode.DONE
    assert CheckAnswer((), Selection(), 1, problems=(Problem("a", "gone"),)).exit_code is ExitCode.FAILED


@pytest.mark.parametrize(
    "render",
    [
        check_text.render, check_records.to_json, check_records.to_json_lines, annotations.github, annotations.gitlab,
        annotations.junit, lambda a: sarif.render(a, {}),
    ],
)  # fmt: skip
def test_hostile_names_neither_break_nor_steer(render) -> None:
    text = render(answer(HOSTILE))
    text.encode("utf-8")
    assert "\x1b" not in text
    assert "\n::error::" not in text


def test_json_is_versioned_and_whole() -> None:
    body = json.loads(check_records.to_json(answer()))
    assert body["schema"] == "hipport.check/1"
    assert [f["rule"] for f in body["findings"]] == ["no-api", "ballot-width"]
    lines = check_records.to_json_lines(answer()).splitlines()
    assert [json.loads(line) for line in lines] == body["findings"]


def test_sarif_names_rules_fixes_and_fingerprints() -> None:
    run = json.loads(sarif.render(answer("a b.cu"), {"ballot-width": "Ballots have 64 bits.\nMore."}))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [r["id"] for r in rules] == ["ballot-width", "no-api"]
    assert rules[0]["shortDescription"]["text"] == "Ballots have 64 bits."
    result = run["results"][1]
    assert result["ruleIndex"] == 0
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.cu"
    assert result["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"] == "hipport::ballot"
    assert result["partialFingerprints"]


def test_sarif_fits_its_schema() -> None:
    path = Path(__file__).resolve().parents[2] / ".cache" / "sarif" / "schema.json"
    if not path.is_file():
        pytest.skip("the SARIF schema is not installed (tests/install.py sarif)")
    schema = json.loads(path.read_text(encoding="utf-8"))
    for made in (answer(), answer(HOSTILE), CheckAnswer((), Selection(), 1, problems=(Problem("a b", "gone"),))):
        jsonschema.Draft4Validator(schema).validate(json.loads(sarif.render(made, {})))


def test_sarif_tools_read_it(tmp_path) -> None:
    loader = pytest.importorskip("sarif.loader", reason="sarif-tools is not installed")
    path = tmp_path / "out.sarif"
    path.write_text(sarif.render(answer(), {}), encoding="utf-8")
    report = loader.load_sarif_file(str(path)).get_report()
    assert [report.get_issue_count_for_severity(level) for level in ("error", "warning", "note")] == [1, 1, 0]


def test_junit_counts_failures() -> None:
    suite = ET.fromstring(annotations.junit(answer()))[0]  # noqa: S314 - our own text
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    assert len(suite.findall(".//failure")) == 2
    assert ET.fromstring(annotations.junit(CheckAnswer((), Selection(), 1)))[0].get("failures") == "0"  # noqa: S314


def test_gitlab_fingerprints_are_unique() -> None:
    double = answer()
    twice = CheckAnswer(double.shown * 2, double.selection, 1)
    rows = json.loads(annotations.gitlab(twice))
    assert len({row["fingerprint"] for row in rows}) == len(rows) == 4

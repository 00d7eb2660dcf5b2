"""The HTML report in a real browser: thousands of rows, sorted, filtered, opened, in light and dark."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from hipport.batch import effort
from hipport.batch.facts import BatchReport, FileFacts, RepositoryFacts
from hipport.report import batch_formats

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
SHOTS = Path(os.environ.get("HIPPORT_SCREENSHOTS", ".cache/screenshots"))


def repository(n: int) -> RepositoryFacts:
    counts = Counter({("runtime", "api-name", "renamed", "safe", "correctness"): n % 97 + 1})
    records = ()
    if n % 3 == 0:
        counts["warp", "ballot-width", "review", "review", "correctness"] = n % 7 + 1
    if n % 5 == 0:
        counts["ptx", "ptx-asm", "manual", "manual", "correctness"] = n % 4 + 1
        record = {
            "rule": "ptx-asm", "severity": "error", "path": "k.cu", "line": n, "column": 5, "next_step": "rewrite it",
            "message": f"<i>asm {n}</i>", "excerpt": 'asm("mov");',
        }  # fmt: skip
        records = (record,) * 120
    return RepositoryFacts(f"group/repo-{n:04}", (FileFacts("k.cu", 100, counts, records),))


@pytest.fixture(scope="module")
def page_file(tmp_path_factory) -> Path:
    rows = tuple(effort.row(repository(n), effort.WEIGHTS) for n in range(3000))
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(
        batch_formats.to_html(BatchReport(rows, effort.WEIGHTS, ("gfx942", "gfx950"), "7.2")), encoding="utf-8"
    )
    return path


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as tool:
        chromium = tool.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_sorts_filters_and_opens_rows(browser, page_file: Path, scheme: str) -> None:
    page = browser.new_page(color_scheme=scheme, viewport={"width": 1280, "height": 900})
    faults, requests = [], []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(page_file.as_uri())
    assert page.locator("#rows tbody tr").count() == 200
    assert "200 of 3,000" in page.locator("#shown").inner_text()
    hours = [float(text) for text in page.locator("#rows tbody tr td:nth-child(3)").all_inner_texts()]
    assert hours == sorted(hours, reverse=True)
    page.get_by_role("button", name="Repository").click()
    assert page.locator("#rows tbody tr .open").first.inner_text() == "group/repo-0000"
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("Repository")
    page.locator("#filter").fill("repo-0015")
    assert page.locator("#rows tbody tr").count() == 1
    assert "blocked by ptx" in page.locator("#rows tbody").inner_text()
    page.get_by_role("button", name="group/repo-0015").press("Enter")
    assert page.locator(".finding").count() == 50
    assert "<i>asm 15</i>" in page.locator(".finding").first.inner_text()
    page.get_by_role("button", name="Show more findings").click()
    page.get_by_role("button", name="Show more findings").click()
    assert page.locator(".finding").count() == 120
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"report-{scheme}.png")
    page.locator("#filter").fill("")
    page.locator("#verdict").select_option("review")
    assert "of 800" in page.locator("#shown").inner_text()
    assert not faults
    assert requests == [page_file.as_uri()]
    page.close()

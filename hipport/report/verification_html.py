"""Verdicts as one HTML page: the table, what differs, and plots of the error by index and by lane as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hipport.report.verification import case_lines, worst_words
from hipport.resources import data_dir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipport.diffing.judge import Judged, PointResult
    from hipport.diffing.verify import Verified

WIDTH, HEIGHT, LEFT, BASE = 720, 160, 44, 22
_POINTS = 2000  # drawn at most
_PLOTS = 4  # of one case


def html(verified: Verified) -> str:
    """The page; it needs nothing beside itself."""
    import jinja2

    from hipport import __version__

    template = (data_dir("templates") / "verify.html.j2").read_text(encoding="utf-8")
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=True)
    cases = [_case(one, at) for at, one in enumerate(verified.judged)]
    rows = [row for at, one in enumerate(verified.judged) for row in _rows(one, at)]
    names = {"kind": verified.kind.value, "rows": rows, "cases": cases, "version": __version__}
    return environment.from_string(template).render(names)


def _rows(one: Judged, at: int) -> list[dict[str, Any]]:
    rows = []
    for direction in one.directions:
        verdict = one.verdict(direction)
        ulp, relative = worst_words(verdict)
        points = sum(1 for row in one.results if row.direction == direction and not row.gate)
        fixed = {"anchor": f"case-{at}", "name": one.name, "original": one.original, "port": one.port}
        told = {"contract": one.contract, "direction": direction, "points": points, "kind": verdict.kind.value}
        rows.append({**fixed, **told, "ulp": ulp, "relative": relative})
    return rows


def _case(one: Judged, at: int) -> dict[str, Any]:
    plots = [plot for row in _telling(one) for plot in _plots(row)][:_PLOTS]
    text = "\n".join(case_lines(one))
    return {
        "anchor": f"case-{at}",
        "name": one.name,
        "port": one.port,
        "kind": one.kind.value,
        "text": text,
        "plots": plots,
    }


def _telling(one: Judged) -> list[PointResult]:
    """The points to draw: those of the verdicts shown, else the one with the largest error."""
    shown = [row for d in one.directions for row in one.results if row.verdict is one.verdict(d) and row.got]
    if shown:
        return shown
    kept = [row for row in one.results if row.got is not None and row.verdict.margins]
    return sorted(kept, key=lambda row: -max(m.relative for m in row.verdict.margins))[:1]


def _plots(row: PointResult) -> list[dict[str, Any]]:
    import markupsafe

    if row.got is None or row.want is None:
        return []
    found = []
    for name, want in getattr(row.want, row.direction).items():
        got = getattr(row.got, row.direction).get(name)
        if got is None or got.shape != want.shape or got.dtype != want.dtype or not want.data.size:
            continue
        title = f"{name} at {row.point.label}: error by index"
        found.append({"title": title, "svg": markupsafe.Markup(_errors(got, want))})  # noqa: S704 - numbers alone
    for difference in row.verdict.differences:
        if difference.spread.lanes:
            title = f"{difference.output} at {row.point.label}: wrong elements by lane"
            found.append({"title": title, "svg": markupsafe.Markup(_lanes(difference.spread.lanes))})  # noqa: S704 - numbers alone
    return found


def _errors(got: Any, want: Any) -> str:
    """A point an element: its error as a part of the scale, on a logarithmic axis; red where one side is no number."""
    import numpy as np

    from hipport.diffing.compare import scales

    first, second = got.values().astype(np.float64), want.values().astype(np.float64)
    with np.errstate(all="ignore"):
        part = np.abs(first - second).reshape(-1) / np.maximum(scales(second), 1e-300)
    odd = ~np.isfinite(first.reshape(-1)) ^ ~np.isfinite(second.reshape(-1))
    step = max(1, part.size // _POINTS)
    keep = np.unique(np.concatenate([np.arange(0, part.size, step), np.flatnonzero(odd)[:_POINTS]]))
    marks = []
    for at in keep.tolist():
        x = LEFT + (WIDTH - LEFT - 8) * at / max(part.size - 1, 1)
        if odd[at]:
            marks.append(f'<circle cx="{x:.1f}" cy="10" r="2" fill="#b3261e"/>')
        elif part[at] > 0:
            marks.append(f'<circle cx="{x:.1f}" cy="{_height(float(part[at])):.1f}" r="1.5" fill="#2956b8"/>')
    labels = "".join(f'<text x="4" y="{_height(10.0**power) + 4:.1f}">1e{power}</text>' for power in (-15, -10, -5, 0))
    axis = f'<line x1="{LEFT}" y1="{HEIGHT - BASE}" x2="{WIDTH - 8}" y2="{HEIGHT - BASE}" stroke="#9aa3b8"/>'
    ends = f'<text x="{LEFT}" y="{HEIGHT - 6}">0</text><text x="{WIDTH - 60}" y="{HEIGHT - 6}">{part.size - 1}</text>'
    return _svg(axis + labels + ends + "".join(marks))


def _height(part: float) -> float:
    """The y of an error: 1e-17 at the bottom, 10 at the top."""
    import math

    place = min(max((math.log10(part) + 17) / 18, 0.0), 1.0)
    return HEIGHT - BASE - place * (HEIGHT - BASE - 10)


def _lanes(lanes: Sequence[tuple[int, int]]) -> str:
    """A bar a lane: how much of it is wrong."""
    wide = (WIDTH - LEFT - 8) / max(len(lanes), 1)
    bars = []
    for lane, (bad, every) in enumerate(lanes):
        tall = (HEIGHT - BASE - 10) * bad / every if every else 0.0
        x, y = LEFT + lane * wide, HEIGHT - BASE - tall
        bars.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide - 1:.1f}" height="{tall:.1f}" fill="#b3261e"/>')
    ticks = "".join(
        f'<text x="{LEFT + lane * wide:.1f}" y="{HEIGHT - 6}">{lane}</text>' for lane in (0, 16, 32, 48, 63)
    )
    middle = LEFT + 32 * wide - 0.5
    half = f'<line x1="{middle:.1f}" y1="6" x2="{middle:.1f}" y2="{HEIGHT - BASE}" stroke="#9aa3b8"/>'
    scale = f'<text x="4" y="14">100 %</text><text x="4" y="{HEIGHT - BASE}">0 %</text>'
    return _svg(half + "".join(bars) + ticks + scale)


def _svg(inner: str) -> str:
    return f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{inner}</svg>'

"""A check's answer for a terminal: place, rule, one line, the excerpt with carets, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.checking.severity import Severity, severity
from hipport.plain import printable

if TYPE_CHECKING:
    from hipport.checking.answer import CheckAnswer
    from hipport.model import Located

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
_WIDEST = 160  # characters of an excerpt: longer lines are cut around the finding


def render(answer: CheckAnswer, *, colour: bool = False, verbose: bool = False) -> str:
    """The whole answer; with `verbose` also how many findings are excused or known."""
    parts = [_finding(found, colour) for found in answer.shown]
    parts += [f"{printable(problem.path)}: could not be checked: {problem.error}\n" for problem in answer.problems]
    return "".join(parts) + _summary(answer, verbose)


def _finding(found: Located, colour: bool) -> str:
    level = severity(found.finding)
    place = f"{printable(found.finding.span.path)}:{found.line}:{found.column}"
    rule = _paint(found.finding.rule, _COLOURS[level], colour)
    lines = [f"{_paint(place, '1', colour)}: {level.value}: {rule} {found.finding.message}"]
    lines += _excerpt(found, _COLOURS[level], colour)
    pad = " " * len(str(found.line))
    if found.finding.targets:
        lines.append(f"{pad} = holds for: {', '.join(found.finding.targets)}")
    if found.finding.next_step:
        lines.append(f"{pad} = next: {found.finding.next_step}")
    fix = _fix(found)
    if fix:
        lines.append(f"{pad} = fix ({found.finding.safety.value}): {fix}")
    return "\n".join(lines) + "\n\n"


def _excerpt(found: Located, paint: str, colour: bool) -> list[str]:
    text = found.excerpt.replace("\t", " ")
    start = found.column - 1
    end = found.end_column - 1 if found.end_line == found.line else len(text)
    if len(text) > _WIDEST:
        cut = max(0, start - 40)
        text, start, end = text[cut : cut + _WIDEST], start - cut, min(end - cut, _WIDEST)
    pad = " " * len(str(found.line))
    carets = _paint("^" * max(1, end - start), paint, colour)
    return [f"{pad} |", f"{found.line} | {printable(text)}", f"{pad} | {' ' * start}{carets}"]


def _fix(found: Located) -> str:
    texts = [edit.text.decode("utf-8", "replace").strip() for edit in found.finding.edits]
    shown = [
        f"`{printable(text)}`" if text else "delete it" for text in texts if "\n" not in text and len(text) < _WIDEST
    ]
    if not texts:
        return ""
    rest = len(texts) - len(shown[:2])
    return ", ".join(shown[:2]) + (f"{' and ' if shown else ''}{rest} more edits" if rest else "")


def _summary(answer: CheckAnswer, verbose: bool) -> str:
    failing = len(answer.failing)
    lines = []
    if answer.fixed:
        lines.append(f"Fixed {_count(answer.fixed, 'finding')}.")
    if failing or answer.shown:
        lines.append(
            f"Found {_count(len(answer.shown), 'finding')} in {_count(answer.files, 'file')}: {failing} to act on."
        )
    else:
        lines.append(f"Nothing to act on in {_count(answer.files, 'file')}.")
    if answer.renames:
        lines.append(f"{_count(answer.renames, 'CUDA name')} that a port renames safely (--select rename lists them).")
    if answer.known:
        lines.append(f"{_count(answer.known, 'finding')} in the baseline.")
    if verbose and answer.excused:
        lines.append(f"{_count(answer.excused, 'finding')} ignored by comments.")
    return "\n".join(lines) + "\n"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _paint(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text

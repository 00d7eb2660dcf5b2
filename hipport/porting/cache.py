"""What a port found in each file the last time, kept by the content of all that it depends on."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipport.model import (
    Basis,
    Edit,
    FileReport,
    Finding,
    ListedFinding,
    Outcome,
    OutcomeKind,
    Purpose,
    Safety,
    Span,
    Status,
)
from hipport.renames.compiled import compiled_rules
from hipport.source.filetypes import is_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hipport.config import Config
    from hipport.model import RenameRule
    from hipport.porting.plan import Job, Plan

NAME = "cache.json"


def settings_key(config: Config, user: Iterable[RenameRule], *, detail: bool) -> bytes:
    """A digest of what every file of a port depends on: settings, rules, and hipport itself."""
    settings = replace(config, jobs=0)
    parts = (repr(settings), repr(tuple(user)), repr(detail), _program())
    key = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape"))
    key.update(compiled_rules())
    return key.digest()


def _program() -> str:
    """Which hipport and which clang this is: the version of an installation, the code of a checkout."""
    package = Path(__file__).resolve().parents[1]
    clang = importlib.util.find_spec("clang")
    parts = [str(clang and clang.origin and Path(clang.origin).stat().st_size)]
    if (package / "_data").is_dir():
        from hipport import __version__

        return " ".join((*parts, __version__))
    data = [p for kind in ("shims", "templates") for p in package.parent.glob(f"{kind}/*")]
    code = sorted((*package.rglob("*.py"), *data))
    return " ".join((*parts, *(hashlib.sha256(path.read_bytes()).hexdigest() for path in code)))


def job_key(settings: bytes, job: Job, plan: Plan) -> str:
    """A digest of all that the findings on one file depend on.

    The names that are declared around it follow from its kin. A build file may name any source of the tree.
    """
    around = job.around
    kin = [(path, plan.digests.get(path, "")) for path in around.kin]
    told = (sorted(around.local.items()), sorted(around.foreign.items()), around.included)
    names = (plan.renamed.get(job.path), () if is_code(job.path) else sorted(plan.renamed.items()))
    key = hashlib.sha256(settings)
    for part in (job.path, job.digest, told, repr(around.about), kin, names):
        key.update(repr(part).encode("utf-8", "surrogateescape") + b"\0")
    return key.hexdigest()


def load(folder: Path) -> dict[str, tuple[str, FileReport]]:
    """Path -> key and report of the last port into `folder`; empty where there is none or it cannot be read."""
    try:
        rows = json.loads((folder / ".hipport" / NAME).read_bytes())
        return {path: (key, _report(row)) for path, (key, row) in rows.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def dump(entries: Mapping[str, tuple[str, FileReport]]) -> bytes:
    """The entries as JSON, one file a line."""
    rows = [f"{json.dumps(path)}: {json.dumps([key, _row(report)])}" for path, (key, report) in sorted(entries.items())]
    return ("{" + ",\n".join(rows) + "}\n").encode()


def _row(report: FileReport) -> dict[str, Any]:
    return {
        "path": report.path,
        "target_path": report.target_path,
        "outcome": [report.outcome.kind.value, report.outcome.reason],
        "counts": report.counts,
        "shims": report.shims,
        "findings": [
            [_finding_row(item.finding), item.line, item.column, item.applied, item.reason] for item in report.findings
        ],
    }


def _finding_row(finding: Finding) -> dict[str, Any]:
    row = {name: getattr(finding, name) for name in Finding._fields}
    row["span"] = _place(finding.span)
    row["edits"] = [(_place(edit.span), edit.text.decode("latin-1")) for edit in finding.edits]
    return row


def _place(span: Span) -> tuple[str, int, int]:
    return span.path, span.start, span.end


def _report(row: dict[str, Any]) -> FileReport:
    return FileReport(
        row["path"],
        row["target_path"],
        Outcome(OutcomeKind(row["outcome"][0]), row["outcome"][1]),
        tuple((family, Status(status), count) for family, status, count in row["counts"]),
        tuple(ListedFinding(_finding(finding), *rest) for finding, *rest in row["findings"]),
        tuple(row["shims"]),
    )


def _finding(row: dict[str, Any]) -> Finding:
    return Finding(
        rule=row["rule"],
        span=Span(*row["span"]),
        message=row["message"],
        safety=Safety(row["safety"]),
        status=Status(row["status"]),
        family=row["family"],
        purpose=Purpose(row["purpose"]),
        basis=Basis(row["basis"]),
        edits=tuple(Edit(Span(*place), text.encode("latin-1")) for place, text in row["edits"]),
        next_step=row["next_step"],
        targets=tuple(row["targets"]),
        shims=tuple(row["shims"]),
    )

"""Rules of an older PyTorch: what its ROCm build calls otherwise than the one that rules/torch is written for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.errors import UsageError
from hipport.renames.rules import OLDER, parse_rules
from hipport.resources import data_dir

if TYPE_CHECKING:
    from hipport.model import RenameRule


def torch_rules(version: str) -> tuple[RenameRule, ...]:
    """The rules of `rules/torch/before-X.yaml` for every X that is newer than `version`; the oldest X comes last.

    Raises:
        UsageError: `version` has no major and minor number.
    """
    wanted = torch_version(version)
    folder = data_dir("rules") / "torch"
    newer = sorted(
        ((torch_version(path.stem.removeprefix(OLDER)), path) for path in folder.glob(f"{OLDER}*.yaml")), reverse=True
    )
    return tuple(
        rule
        for until, path in newer
        if wanted < until
        for rule, _, _ in parse_rules(path.read_bytes(), f"rules/torch/{path.name}")
    )


def torch_version(text: str) -> tuple[int, int]:
    """`2.10.0` -> (2, 10)."""
    try:
        major, minor = (int(part) for part in text.split(".")[:2])
    except ValueError:
        raise UsageError(f"`{text}` is no PyTorch version", next_step="write it like 2.13") from None
    return major, minor

"""Texture and surface fetches in device code: they have the same names in HIP, but newer AMD GPUs cannot sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Finding, Safety, Status
from hipport.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.renames.reading import Reading

_NAMES = (
    rb"tex(?:1D|2D|3D)(?:Layered)?(?:Lod|Grad)?|tex1Dfetch|tex2Dgather|texCubemap(?:Layered)?(?:Lod|Grad)?"
    rb"|surf(?:1D|2D|3D)(?:Layered)?(?:read|write)|surfCubemap(?:Layered)?(?:read|write)"
)
_NAME = pattern(rb"(?:%s)\Z" % _NAMES)
_CALL = pattern(rb"(?<![\w.>:])(%s)\s*[<(]" % _NAMES)
_STEPS = {
    b"tex1Dfetch": "a fetch from linear memory is a load: `p[i]`, or __ldg(p + i)",
    b"tex": "load from memory, and write the filter and the clamping as code",
    b"surf": "load from memory, and store to it",
}


def find_textures(reading: Reading, targets: tuple[str, ...], declared: frozenset[bytes]) -> Iterator[Finding]:
    """One finding a file for each fetch that does not compile for a target; `declared` are functions of one's own."""
    present = {word for word in reading.words if word[:3] in (b"tex", b"sur") and _NAME.match(word)} - declared
    if not present:
        return
    without = _without_units(targets)
    if not without:
        return
    uses: dict[bytes, list[int]] = {}
    for match in _CALL.finditer(reading.code):
        if match[1] in present and not reading.is_dead(match.start()):
            uses.setdefault(match[1], []).append(match.start())
    for name, places in sorted(uses.items(), key=lambda item: item[1]):
        times = f" ({len(places)} uses in this file)" if len(places) > 1 else ""
        step = _STEPS.get(name) or _STEPS[b"surf" if name.startswith(b"surf") else b"tex"]
        yield reading.finding(
            "texture-fetch", places[0], places[0] + len(name),
            f"`{name.decode()}`{times} does not compile for {', '.join(without)}: no texture units", Safety.MANUAL,
            Status.MANUAL, "runtime", next_step=step,
        )  # fmt: skip


def _without_units(names: tuple[str, ...]) -> list[str]:
    """The targets that cannot sample."""
    from hipport.targets import targets

    return [t.name for t in targets(names) if t.knows("texture_units") and not t.fact("texture_units").value]

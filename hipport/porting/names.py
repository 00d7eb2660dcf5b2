"""What each file of a port is called: `.cu` becomes `.hip`, and nothing that is there already is written over."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hipport.config import Style
from hipport.model import Finding, Safety, Span, Status
from hipport.source.filetypes import hip_name, is_cuda, untemplated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Names(NamedTuple):
    """`renamed` maps old paths to new ones; a file that is not in it keeps its name. `findings` are by old path."""

    renamed: dict[str, str]
    findings: dict[str, Finding]


def plan_names(
    ported: Iterable[str], present: Iterable[str], style: Style, occupied: Callable[[str], bool] = lambda _: False
) -> Names:
    """The new names of the `ported` sources of a tree whose paths are `present`, or `occupied` by what git ignores."""
    if style is Style.DUAL:
        return Names({}, {})
    sources = [path for path in ported if is_cuda(path)]
    taken = set(present) - set(sources)
    renamed: dict[str, str] = {}
    findings: dict[str, Finding] = {}
    for path in sources:
        wanted = hip_name(path)
        free = wanted not in taken and not occupied(wanted)
        name = wanted if free else _free_name(path, taken, occupied)
        taken.add(name)
        renamed[path] = name
        if name != wanted:
            findings[path] = _name_taken(path, wanted, name)
    return Names(renamed, findings)


def _free_name(path: str, taken: set[str], occupied: Callable[[str], bool]) -> str:
    """`a/k.cu.hip`, or `a/k.cu.2.hip` and so on where that is taken too."""
    plain, template = untemplated(path)
    number = 1
    name = f"{plain}.hip{template}"
    while name in taken or occupied(name):
        number += 1
        name = f"{plain}.{number}.hip{template}"
    return name


def _name_taken(path: str, wanted: str, name: str) -> Finding:
    short = wanted.rsplit("/", 1)[-1]
    return Finding(
        rule="name-taken",
        span=Span(path, 0, 0),
        message=f"`{short}` exists and is not hipport's: it is kept, and the port is `{name.rsplit('/', 1)[-1]}`",
        safety=Safety.REVIEW,
        status=Status.REVIEW,
        family="files",
        next_step=f"let the build use one of the two; remove `{short}` to give the port its plain name",
    )

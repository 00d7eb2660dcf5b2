"""AMD branches of the author's own that no build of the tree chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipport.model import Finding, Safety, Span, Status
from hipport.patterns import pattern
from hipport.porting.build_facts import MACROS
from hipport.source.lexer import lex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hipport.model import SourceFile

_ASKED = pattern(
    rb"(?m)^[ \t]*#[ \t]*(?:(?:ifdef|ifndef|if|elif)\b(?P<text>(?:[^\n\\]|\\\r?\n|\\.)*)|define[ \t]+(?P<set>\w+))"
)
_SET = pattern(rb"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)")
_WORD = pattern(rb"[A-Za-z_]\w*")
_COMPILERS = pattern(rb"__HIP|HIPCC|__AMD|__GFX|__gfx|HIP_VERSION|ROCM_VERSION")  # set without any build's help
_TORCH = pattern(rb"#[ \t]*include[ \t]*[<\"](?:torch|ATen|c10)/")


def find(source: SourceFile, unset: frozenset[bytes], near: Callable[[], Iterable[SourceFile]]) -> Iterator[Finding]:
    """The first test of each macro that chooses code for AMD and that neither a build file nor code sets.

    `unset` are the macros that no build file names; `near` gives the files that this one includes or that include it.
    """
    if not any(macro in source.data for macro in unset) or _TORCH.search(source.data):
        return
    unset -= {macro for other in near() for macro in _SET.findall(other.data)}
    told: set[bytes] = set()
    for match in _ASKED.finditer(lex(source.data).code):
        if match["set"]:
            told.add(match["set"])
            continue
        words = set(_WORD.findall(match["text"])) & MACROS - told
        if not words or not words <= unset or _COMPILERS.search(match["text"]):
            continue
        told |= words
        name = min(words).decode()
        start = match.start("text") + match["text"].index(name.encode())
        yield Finding(
            rule="own-branch",
            span=Span(source.path, start, start + len(name)),
            message=f"{name} chooses the code for AMD, and no build file of this tree sets it",
            safety=Safety.MANUAL,
            status=Status.MANUAL,
            family="guard",
            next_step=f"build the port with -D{name}",
        )

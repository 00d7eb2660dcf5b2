"""# vector-operator: operators of vector types that HIP declares too

CUDA's `float2`, `int4`, ... have no operators; programs bring their own, mostly by a copy of the samples'
`helper_math.h`. HIP's vector types have them all, component by component. Where both are declared most operators
still compile, as HIP's are templates and a plain function wins; six do not: `a * b` and `a / b` of two vectors, and
`a += b`, `-=`, `*=`, `/=` of two vectors, which HIP has as members and friends. Each use of them is ambiguous.

A definition of one of the six that works component by component is left out: HIP's does the same. One that means
something else, as the product of complex numbers, is told, because nothing but another name will do. Operators of a
vector and a scalar, of one's own types, and templates stay as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import passes
from hipport.model import Safety
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "vector-operator"
_VECTOR = rb"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]"
_OPERATOR = re.compile(
    rb"(?<!\w)operator\s*(\*|/|\+=|-=|\*=|/=)\s*\(\s*(?:const\s+)?(" + _VECTOR + rb")(?:\s+const)?\s*&?\s*(\w+)\s*,\s*"
    rb"(?:const\s+)?\2(?:\s+const)?\s*&?\s*(\w+)\s*\)\s*(?:noexcept\s*)?([{;])"
)
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*\n", re.MULTILINE)
_BLANK = re.compile(rb"\s+")
_FIELDS = b"xyzw"


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    del target
    code = unit.text.code
    for match in _OPERATOR.finditer(code):
        start = _start(code, match.start())
        head = code[start : match.start()]
        if re.match(rb"template\b", head) or b"friend" in head or not unit.live(match.start()):
            continue
        if not passes.compiled(unit.text, match.start()):
            continue
        sign, kind, left, right = (part.decode() for part in match.group(1, 2, 3, 4))
        shown = f"operator{sign}({kind}, {kind})"
        message = f"`{shown}` is declared by HIP: uses of it are ambiguous beside this one"
        end = _closing(code, match.end() - 1) if match[5] == b"{" else 0
        if not end or not componentwise(code[match.end() : end - 1], sign, kind, left, right):
            step = "HIP's works component by component: give this one another name, and its uses"
            yield finding(unit, _ID, match.span(), message, safety=Safety.MANUAL, next_step=step, family="device")
            continue
        note = f"// {shown}: HIP has it".encode()
        yield finding(unit, _ID, (start, end), message, edits=(edit(unit, start, end, note),), family="device")


def componentwise(body: bytes, sign: str, kind: str, left: str, right: str) -> bool:
    """Whether a body does with each component of two vectors what the operator's sign says, and nothing else."""
    fields = [chr(field) for field in _FIELDS[: int(kind[-1])]]
    text = _BLANK.sub(b"", body).decode("latin-1")
    simple = sign.rstrip("=")
    if simple == sign:
        each = ",".join(f"{left}.{f}{sign}{right}.{f}" for f in fields)
        return text in {f"returnmake_{kind}({each});", f"return{kind}{{{each}}};", f"return{{{each}}};"}
    each = "".join(f"{left}.{f}{sign}{right}.{f};" for f in fields)
    long = "".join(f"{left}.{f}={left}.{f}{simple}{right}.{f};" for f in fields)
    whole = f"{left}={left}{simple}{right};"
    return text in {written + end for written in (each, long, whole) for end in ("", f"return{left};")}


def _start(code: bytes, name: int) -> int:
    """Where a declaration begins whose name is given."""
    start = max(code.rfind(mark, 0, name) for mark in (b";", b"{", b"}")) + 1
    for line in _DIRECTIVE.finditer(code, start, name):
        start = line.end()
    return start + len(code[start:name]) - len(code[start:name].lstrip())


def _closing(code: bytes, opening: int) -> int:
    """The offset after the brace that closes the one at `opening`, or 0."""
    depth = 0
    for match in re.finditer(rb"[{}]", code[opening : opening + 4000]):
        depth += 1 if match.group() == b"{" else -1
        if not depth:
            return opening + match.end()
    return 0


RULE = Rule(
    _ID,
    "Operators of vector types that HIP declares",
    (),
    "device",
    Provenance("ROCm 7.2 amd_hip_vector_types.h; CUDA samples' helper_math.h; HeCBench hexciton, mdh, tgvnn", "all"),
    _find,
)

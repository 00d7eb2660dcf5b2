"""# fp8-format: 8-bit floats are of two formats on AMD

CUDA, gfx950 and gfx12 have the OCP formats (e4m3: largest 448, NaN 0x7f); gfx942 has FNUZ (e4m3: largest 240, the
exponent's bias one more, NaN 0x80). The same byte means half as much in FNUZ.

| code | on | becomes |
|---|---|---|
| `__nv_fp8_e4m3`, `__nv_cvt_float_to_fp8`, ... of CUDA | gfx942 | the same OCP values from a shim |
| FNUZ chosen wherever ROCm is | gfx950, gfx12 | listed: choose by architecture |
| 240 wherever ROCm is | gfx950, gfx12 | listed: OCP's largest is 448 |
| 448 wherever ROCm is | gfx942 | listed: FNUZ's largest is 240 |
| a tensor's format chosen by `HIP_FP8_TYPE_OCP` | gfx942 | listed: it is 1 on the host for every target |

HIP 7.2 has both kinds of types, but in device code of gfx942 its conversions stop at OCP (`type is unsupported by
current target device`) and its OCP types have no device members. The shim computes OCP in software there: right, and
slow. For speed keep FNUZ from end to end, with its own scale. A file that is compiled together with no device code
has HIP's own types, and nothing is told of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend.branches import DIRECTIVE, Side
from hipport.model import Safety
from hipport.rewrites.forms import edit, finding
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.text import CodeText
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "fp8-format"
_ANY = re.compile(rb"fp8|e4m3|e5m2|[fF]loat8|FP8")
_OF_CUDA = re.compile(
    rb"(?<![\w:.])__nv_(?:fp8(?:x[24])?_e(?:4m3|5m2)"
    rb"|cvt_(?:(?:float|double|halfraw|bfloat16raw)_to_fp8|(?:float2|double2|halfraw2|bfloat16raw2)_to_fp8x2"
    rb"|fp8_to_halfraw|fp8x2_to_halfraw2))(?!\w)"
)
_FNUZ = re.compile(rb"(?<!\w)(?:k?Float8_e[45]m[23]fnuz|__hip_fp8(?:x[24])?_e[45]m[23]_fnuz)(?!\w|\s*>)")
_OCP = re.compile(rb"(?<!\w)(?:k?Float8_e4m3fn|k?Float8_e5m2|__hip_fp8(?:x[24])?_e[45]m[23])(?!\w)")
_ARCH = re.compile(rb"(?i:gfx\w|gcn_?arch|isGPUArch|hip_fp8_type|is_?fnuz)|__HIP_FP8")
_CHOICE = re.compile(
    rb"(?:(?<!\w)(?:using|typedef|return|define)(?!\w)[^;\n]*|[=!]=\s*[\w:]*|(?<![=!<>])=\s*[\w:]*|(?:_CASE|dtype|to)\s*\(\s*[\w:]*)\Z"
)
_LIMIT = re.compile(rb"(?<![\w.])(240|448)(?:\.0*)?[fF]?(?![\w.%])")
_HOST_LABEL = re.compile(rb"(?<!\w)(?:k|ScalarType::)Float8_")
_OWN = re.compile(rb"(?:using\s+|typedef\s[^;]*|#[ \t]*define[ \t]+)__nv_fp8")
_BY_ARCH = "choose by architecture: HIP_FP8_TYPE_OCP in device code, gcnArchName on the host"


def _sides(text: CodeText, offset: int) -> tuple[int, int, bytes]:
    """The innermost side of a conditional around an offset: its range, and all conditions that it stands under."""
    stack: list[tuple[int, bytes]] = []
    for match in DIRECTIVE.finditer(text.code):
        word = match.group(1)
        if match.start() > offset:
            depth = 0
            for later in DIRECTIVE.finditer(text.code, match.start()):
                closing = later.group(1) in (b"endif", b"else", b"elif")
                if closing and not depth:
                    end = later.start()
                    start = stack[-1][0] if stack else 0
                    return start, end, b" ".join(condition for _, condition in stack)
                depth += {b"endif": -1, b"else": 0, b"elif": 0}.get(later.group(1), 1)
            break
        if word in (b"if", b"ifdef", b"ifndef"):
            stack.append((match.end(), match.group(2)))
        elif stack:
            before = stack.pop()
            if word != b"endif":
                stack.append((match.end(), before[1] + b" " + match.group(2)))
    return (stack[-1][0] if stack else 0), len(text.code), b" ".join(condition for _, condition in stack)


def _region(unit: Unit, offset: int) -> tuple[int, int, bytes]:
    """What belongs to a choice of format: the side of its conditional, in a HIP file at most its function."""
    start, end, conditions = _sides(unit.text, offset)
    if unit.native:
        start = max(start, unit.text.code.rfind(b"\n}", 0, offset) + 1)
        close = unit.text.code.find(b"\n}", offset)
        end = min(end, close if close >= 0 else end)
    return start, end, conditions


def _for_rocm(unit: Unit, offset: int) -> tuple[int, int] | None:
    """The region of an offset that every AMD GPU and no other compiles; None where an architecture is asked for."""
    if unit.branches.at(offset) is not Side.AMD and not (unit.native and unit.compiled(offset)):
        return None
    start, end, conditions = _region(unit, offset)
    if _ARCH.search(conditions) or _ARCH.search(unit.text.code, start, end):
        return None
    return start, end


def _choices(unit: Unit) -> Iterator[Finding]:
    """FNUZ for all of ROCm: once a region."""
    told: set[tuple[int, int]] = set()
    for match in _FNUZ.finditer(unit.text.code):
        region = _for_rocm(unit, match.start())
        if region is None or region in told or _OCP.search(unit.text.code, *region):
            continue
        line = unit.text.code.rfind(b"\n", 0, match.start()) + 1
        before = re.sub(rb"[\w:]*\Z", b"", unit.text.code[line : match.start()])
        if not _CHOICE.search(before):
            continue
        told.add(region)
        message = (
            f"`{match.group().decode()}` for all of ROCm: gfx950 and gfx12 compute in OCP, which this reads as half"
        )
        yield finding(unit, _ID, match.span(), message, safety=Safety.MANUAL, next_step=_BY_ARCH, family="fp8")


def _limits(unit: Unit, number: bytes, message: str) -> Iterator[Finding]:
    """The other format's largest value in code for all of ROCm that is about 8-bit floats."""
    for match in _LIMIT.finditer(unit.text.code):
        if match.group(1) != number or _for_rocm(unit, match.start()) is None:
            continue
        line = unit.text.code.rfind(b"\n", 0, match.start()) + 1
        stop = unit.text.code.find(b"\n", match.end())
        near = unit.text.code[max(0, line - 160) : stop if stop >= 0 else len(unit.text.code)]
        if _ANY.search(near):
            yield finding(unit, _ID, match.span(), message, safety=Safety.MANUAL, next_step=_BY_ARCH, family="fp8")


def _host_macros(unit: Unit) -> Iterator[Finding]:
    """`#if HIP_FP8_TYPE_OCP` that chooses what the host says of a tensor."""
    for match in DIRECTIVE.finditer(unit.text.code):
        condition = match.group(2)
        if b"HIP_FP8_TYPE_OCP" not in condition or b"HIP_FP8_TYPE_FNUZ" in condition:
            continue
        if match.group(1) not in (b"if", b"ifdef", b"ifndef", b"elif"):
            continue
        start, end, _ = _sides(unit.text, match.end() + 1)
        if _HOST_LABEL.search(unit.text.code, start, end):
            at = unit.text.code.index(b"HIP_FP8_TYPE_OCP", match.start())
            yield finding(
                unit,
                _ID,
                (at, at + len(b"HIP_FP8_TYPE_OCP")),
                "`HIP_FP8_TYPE_OCP` is 1 on the host for every target, 0 before hip_fp8.h: the wrong format on gfx942",
                safety=Safety.MANUAL,
                next_step="ask gcnArchName on the host",
                family="fp8",
            )  # fmt: skip


def _of_cuda(unit: Unit) -> Iterator[Finding]:
    """CUDA's types and conversions where the target's own format is FNUZ."""
    if unit.native or unit.host_alone or _OWN.search(unit.text.code):
        return
    if any(s in (Side.AMD, Side.CUDA) for s in unit.branches.sides):
        return
    for match in _OF_CUDA.finditer(unit.text.code):
        if not unit.live(match.start()) or re.match(rb"\s*#\s*include", _line(unit.text, match.start())):
            continue
        name = match.group()
        yield finding(
            unit,
            _ID,
            match.span(),
            f"`{name.decode()}` is OCP, which HIP has no device code for on gfx942 (FNUZ): a shim computes it",
            edits=(edit(unit, *match.span(), b"hipport::" + name.removeprefix(b"__nv_")),),
            safety=Safety.REVIEW,
            next_step="right on every target; for gfx942's hardware keep FNUZ (largest 240) from end to end",
            shims=("float8_ocp",),
            family="fp8",
            crosses=False,
        )


def _line(text: CodeText, offset: int) -> bytes:
    return text.code[text.code.rfind(b"\n", 0, offset) + 1 : offset]


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not _ANY.search(unit.text.code):
        return
    known = target.facts.get("fp8_format")
    form = str(known.value or "") if known else ""
    if form.startswith("fnuz"):
        yield from _of_cuda(unit)
        yield from _limits(unit, b"448", f"448 for all of ROCm: the largest e4m3 of {target.name} (FNUZ) is 240")
        yield from _host_macros(unit)
    elif form.startswith("ocp"):
        yield from _choices(unit)
        yield from _limits(unit, b"240", f"240 for all of ROCm: the largest e4m3 of {target.name} (OCP) is 448")


RULE = Rule(
    _ID,
    "8-bit floats of two formats",
    ("T05",),
    "fp8",
    Provenance(
        "ROCm 7.2 amd_hip_fp8.h; FBGEMM 4ee543b6b, 2d4e455ca, 6768baf60; HeCBench f8cast",
        "gfx942: FNUZ; gfx950, gfx12: OCP",
    ),
    _find,
    native=True,
)

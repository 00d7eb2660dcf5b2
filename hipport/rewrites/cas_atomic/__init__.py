"""# cas-atomic: a compare-and-swap loop in place of an atomic that there is

CUDA lacks, or once lacked, an atomic for some types: code makes it of a loop around `atomicCAS` on the bits of the
value. Such a loop is right on AMD, and costs a round trip to memory for each try, under contention many tries. Told
here, for loops of any form, with the bits taken by `__float_as_int` and its kin, by a cast or by a union:

- `double` add: native on gfx942 and gfx950 as `atomicAdd`; on gfx90a with `unsafeAtomicAdd` or `-munsafe-fp-atomics`,
  on memory that is not fine-grained; a loop on RDNA whatever is written;
- `float` add: native on gfx942, gfx950 and gfx12; on gfx90a and gfx11 as above;
- `float` and `double` maximum and minimum: an integer maximum (of what is not negative) and an unsigned minimum (of the
  rest) on the bits are one instruction each on every target;
- 16-bit add: no target adds one half or bfloat16; gfx942, gfx950 and gfx12 add a pair (`__half2`, `__hip_bfloat162`).

Nothing is rewritten: the order of the additions, and what the loop returns, are the author's to judge. A function of
the repository that HIP declares itself goes by `own-atomic`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import calls, passes
from hipport.rewrites.forms import advice
from hipport.rewrites.own_atomic import collides
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.calls import CallSite
    from hipport.frontend.functions import Function
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "cas-atomic"
_CAS = re.compile(rb"(?<![\w.])atomicCAS(?:_block|_system)?(?!\w)")
_LOOP = re.compile(rb"(?<!\w)(?:do|while|for)(?!\w)")
_BITS = {
    "double": re.compile(rb"__double_as_longlong\s*\(|__longlong_as_double\s*\("),
    "float": re.compile(rb"__float_as_u?int\s*\(|__u?int_as_float\s*\("),
    "half": re.compile(
        rb"__u?short_as_(?:half|bfloat16)\s*\(|__(?:half|bfloat16)_as_u?short\s*\(|__half_raw|__hadd\s*\("
    ),
}
_POINTER = re.compile(
    rb"(?<!\w)(float|double|(?:(?:at|c10)::)?(?:__)?[hH]alf|(?:__nv_|__hip_|nv_)?bfloat16)\s*(?:volatile\s*)?\*\s*(?:const\s*)?"
    rb"(?:__restrict__\s*|__restrict\s*)?(\w+)\s*[,)=;]"
)
_ADDED = re.compile(rb"(?<!\+)\+(?![+])|__hadd\s*\(|__f(?:add|maf?)_r[nzud]\s*\(|(?<!\w)fmaf?\s*\(")
_EXTREME = re.compile(rb"(?<!\w)(?:f?max|f?min|fmaxf|fminf|::max|::min)\s*\(")
_COMPARED = re.compile(
    rb"[<>]=?\s*__(?:u?int_as_float|longlong_as_double)\b|__(?:u?int_as_float|longlong_as_double)\s*\([^()]*\)\s*[<>]"
)
_WORD = re.compile(rb"(?<![\w.])[A-Za-z_]\w*(?!\s*\()")
_INDEX = re.compile(rb"\[[^\[\]]*\]")
_ROUNDS = 4  # from the value that is stored back to what it was made of


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not target.knows("atomics"):
        return
    for site in calls.find(unit.text, _CAS):
        function = unit.function_at(site.start)
        if function is None or len(site.arguments) != 3 or not unit.live(site.start) or collides(unit, function):
            continue
        if not passes.compiled(unit.text, site.start) or not _LOOP.search(unit.text.code, function.body, site.start):
            continue
        kind, makes = _emulated(unit.text.code, site, function)
        told = _told(unit, target, site, kind, makes) if makes else None
        if told is not None:
            yield told


def _emulated(code: bytes, site: CallSite, function: Function) -> tuple[str, str]:
    """The type and the operation ("add", "extreme") that a loop around a call makes; empty where it is another one."""
    address, _, value = (code[a:b] for a, b in site.arguments)
    body = code[function.body : function.end]
    made = _INDEX.sub(b"", _expanded(body, value))
    kind = next((kind for kind, bits in _BITS.items() if bits.search(made)), "")
    kind = kind or _pointed_to(code[function.start : function.end], _expanded(body, address))
    if not kind or b"*" in re.sub(rb"\(\s*[\w\s]*\*+\s*\)|<[^<>]*\*>|(?<=[=(,+])\s*\*", b"", made):
        return "", ""
    if _ADDED.search(made):
        return kind, "add"
    extreme = kind != "half" and (_EXTREME.search(made) or _COMPARED.search(body))
    return (kind, "extreme") if extreme else ("", "")


def _expanded(body: bytes, expression: bytes) -> bytes:
    """An expression, followed by what was put into the variables that it names, and into those of that."""
    text, known, new = expression, set[bytes](), {*_WORD.findall(expression)}
    for _ in range(_ROUNDS):
        given = [
            match.group(1)
            for name in sorted(new)
            for match in re.finditer(rb"(?<![\w.])" + name + rb"(?:\.\w+)?\s*((?:[-+*/]?=(?!=)|\()[^;{}]*)[;{}]", body)
            if b"atomicCAS" not in match.group(1)
        ]
        known |= new
        new = {word for piece in given for word in _WORD.findall(piece)} - known
        text += b" ; ".join([b"", *given])
        if not new:
            break
    return text


def _pointed_to(function: bytes, address: bytes) -> str:
    """The real type of the pointer that an address was cast from."""
    names = {*_WORD.findall(address)}
    found = next((m.group(1) for m in _POINTER.finditer(function) if m.group(2) in names), b"")
    return found.decode() if found in (b"float", b"double", b"") else "half"


def _told(unit: Unit, target: Target, site: CallSite, kind: str, makes: str) -> Finding | None:
    """What to say of a loop on one target; None where the target has nothing better."""
    table = target.fact("atomics").value
    if makes == "extreme":
        message = f"a compare-and-swap loop takes the greatest or least {kind}"
        step = "atomicMax on the bits as signed, atomicMin as unsigned where it is negative: one instruction each"
    elif kind == "half":
        pairs = table["global_v2f16_add"]["default"] == "native"
        message = f"a compare-and-swap loop adds 16-bit values: {target.name} has no such instruction for one of them"
        step = (
            "add pairs (__half2: one instruction), or sum in float" if pairs else "sum in float, and convert at the end"
        )
    else:
        how = table["global_f64_add" if kind == "double" else "global_f32_add"]
        if how["default"] == "cas" and how["unsafe_flag"] == "cas":
            return None
        plain = how["default"] == "native"
        instead = "atomicAdd" if plain else "unsafeAtomicAdd"
        message = f"a compare-and-swap loop adds to a {kind}: {target.name} has {instead}({kind}*) as one instruction"
        step = "call atomicAdd" if plain else "call unsafeAtomicAdd, where no memory is fine-grained"
    return advice(
        unit,
        _ID,
        (site.start, site.end),
        message,
        step,
        family="atomics",
    )


RULE = Rule(
    _ID,
    "A compare-and-swap loop in place of an atomic that there is",
    ("A12", "A03", "A05"),
    "atomics",
    Provenance(
        "CUDA C++ Programming Guide (atomicAdd by atomicCAS); LLVM AMDGPU atomics; ROCm GPU atomics operation",
        "gfx90a, gfx942, gfx950, gfx11, gfx12 by type",
    ),
    _find,
)

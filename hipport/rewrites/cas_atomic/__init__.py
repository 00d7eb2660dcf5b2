"""# cas-atomic: a compare-and-swap loop in place of an atomic that there is

CUDA lacks, or once lacked, an atomic for some types: code makes it of a loop around `atomicCAS` on the bits of the
value. Such a loop is right on AMD, and costs a round trip to memory for each try, under contention many tries. Told
here, for loops of any form, in functions and macros, with the bits taken by `__float_as_int` and its kin, by a cast or
by a union:

- `double` add: native on gfx942 and gfx950 as `atomicAdd`; on gfx90a with `unsafeAtomicAdd` or `-munsafe-fp-atomics`,
  on memory that is not fine-grained; a loop on RDNA whatever is written;
- `float` add: native on gfx942, gfx950 and gfx12; on gfx90a and gfx11 as above;
- `double` maximum and minimum: native on gfx942 and gfx950, on gfx90a as above; `float`: on gfx12, as long as
  `-munsafe-fp-atomics` is not set, which makes a loop of HIP's `atomicMax(float*)`, in LDS too. Elsewhere an integer
  maximum (of what is not negative) and an unsigned minimum (of the rest) on the bits are one instruction each;
- 16-bit add: no target adds one half or bfloat16; gfx942, gfx950 and gfx12 add a pair (`__half2`, `__hip_bfloat162`);
- bytes and shorts in a word: no target has atomics of them; where a sum cannot leave its part of the word, an atomic
  on the word, of the value shifted there, does the same.

With `--optimize` a function that is nothing but such a loop around a sum (`atomAdd`, `atomicAddD`, as the CUDA
Programming Guide had it) becomes `return atomicAdd(address, value);`, where the target has that as one instruction: it
returns the same, and each addition is the same. All else is left as it is: what the loop returns is the author's to
judge. A function of the repository that HIP declares itself goes by `own-atomic`; integer tricks stay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hipport.frontend import calls, passes
from hipport.frontend.functions import Function
from hipport.model import Purpose, Safety
from hipport.rewrites.cas_atomic.whole import emulates
from hipport.rewrites.forms import advice, edit, finding
from hipport.rewrites.own_atomic import collides
from hipport.rewrites.rule import Provenance, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hipport.frontend.calls import CallSite
    from hipport.frontend.unit import Unit
    from hipport.model import Finding
    from hipport.targets import Target

_ID = "cas-atomic"
_F32 = "global_f32_add"
_CAS = re.compile(rb"(?<![\w.])atomicCAS(?:_block|_system)?(?!\w)")
_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)\([^)\n]*\)((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
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
_PART = re.compile(rb"&\s*~?\s*(?:\(\s*\w+\s*\)\s*)?\(?\s*(?:0x)?[23](?:[uUlL]*)(?![\w.])|%\s*[24](?![\w.])")
_SHIFTED = re.compile(rb"<<|>>|__byte_perm")
_MASKS = re.compile(rb"\+\+|\+=")
_WORD = re.compile(rb"(?<![\w.])[A-Za-z_]\w*(?!\s*\()")
_INDEX = re.compile(rb"\[[^\[\]]*\]")
_ROUNDS = 4  # from the value that is stored back to what it was made of


def _find(unit: Unit, target: Target) -> Iterator[Finding]:
    if not target.knows("atomics"):
        return
    for site in calls.find(unit.text, _CAS):
        function = unit.function_at(site.start) or _macro(unit, site)
        if function is None or len(site.arguments) != 3 or not unit.live(site.start) or collides(unit, function):
            continue
        if not passes.compiled(unit.text, site.start) or not _LOOP.search(unit.text.code, function.body, site.start):
            continue
        kind, makes = _emulated(unit.text.code, site, function)
        told = _told(unit, target, site, function, kind, makes) if makes else None
        if told is not None:
            yield told


def _macro(unit: Unit, site: CallSite) -> Function | None:
    """The macro with parameters that a call stands in the body of, as a function."""
    for match in _DEFINE.finditer(unit.text.code):
        if match.start(2) <= site.start < match.end():
            name = match.group(1).decode()
            return Function(unit.path, name, match.start(), match.start(2), match.end(), False, True, frozenset())
    return None


def _emulated(code: bytes, site: CallSite, function: Function) -> tuple[str, str]:
    """The type and the operation ("add", "extreme") that a loop around a call makes; empty where it is another one."""
    address, _, value = (code[a:b] for a, b in site.arguments)
    body = code[function.body : function.end]
    made = _INDEX.sub(b"", _expanded(body, value))
    if _PART.search(_expanded(body, address)) and _SHIFTED.search(made):
        plain = not _EXTREME.search(made) and not any(bits.search(made) for bits in _BITS.values())
        return ("word", "add") if plain and _ADDED.search(_MASKS.sub(b"", made)) else _of_half(made)
    kind = next((kind for kind, bits in _BITS.items() if bits.search(made)), "")
    kind = kind or _pointed_to(code[function.start : function.end], _expanded(body, address))
    if not kind or b"*" in re.sub(rb"\(\s*[\w\s]*\*+\s*\)|<[^<>]*\*>|(?<=[=(,+])\s*\*", b"", made):
        return "", ""
    if _ADDED.search(made):
        return ("", "") if _within_extreme(made) else (kind, "add")
    extreme = kind != "half" and (_EXTREME.search(made) or _COMPARED.search(body))
    return (kind, "extreme") if extreme else ("", "")


def _of_half(made: bytes) -> tuple[str, str]:
    """The same for a 16-bit value in a word."""
    half = _BITS["half"].search(made) and _ADDED.search(made) and not _EXTREME.search(made)
    return ("half", "add") if half else ("", "")


def _within_extreme(made: bytes) -> bool:
    """Whether a sum is an argument of a maximum or minimum: what is stored is no sum then."""
    for match in _EXTREME.finditer(made):
        depth, at = 1, match.end()
        while depth and at < len(made):
            depth += {0x28: 1, 0x29: -1}.get(made[at], 0)
            at += 1
        if _ADDED.search(made, match.end(), at):
            return True
    return False


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


def _told(unit: Unit, target: Target, site: CallSite, function: Function, kind: str, makes: str) -> Finding | None:
    """What to say of a loop on one target; None where the target has nothing better."""
    table = target.fact("atomics").value
    if makes == "extreme":
        message = f"a compare-and-swap loop takes the greatest or least {kind}"
        step = _of_extreme(table["global_f64_max" if kind == "double" else "global_f32_max"], kind)
    elif kind == "word":
        message = "a compare-and-swap loop adds to a part of a word: no GPU of AMD has such an atomic"
        step = "where the sum cannot leave its part: atomicAdd on the word, of the value shifted there"
    elif kind == "half":
        pairs = table["global_v2f16_add"]["default"] == "native"
        message = f"a compare-and-swap loop adds 16-bit values: {target.name} has no such instruction for one of them"
        step = (
            "add pairs (__half2: one instruction), or sum in float" if pairs else "sum in float, and convert at the end"
        )
    else:
        return _of_sum(unit, target, site, function, kind, table["global_f64_add" if kind == "double" else _F32])
    return advice(unit, _ID, (site.start, site.end), message, step, family="atomics")


def _of_extreme(how: dict[str, str], kind: str) -> str:
    """The next step for a maximum or minimum."""
    if how["default"] == "native":
        warned = "" if how["unsafe_flag"] == "native" else ", without -munsafe-fp-atomics (which makes it a loop)"
        return f"atomicMax or atomicMin({kind}*) is one instruction{warned}"
    if how["unsafe_flag"] == "native":
        return f"unsafeAtomicMax or unsafeAtomicMin({kind}*), where no memory is fine-grained"
    return "atomicMax on the bits as signed, atomicMin as unsigned where it is negative: one instruction each"


def _of_sum(
    unit: Unit, target: Target, site: CallSite, function: Function, kind: str, how: dict[str, str]
) -> Finding | None:
    """A sum of `float` or `double`; with an edit where the function is nothing else."""
    if how["default"] == "cas" and how["unsafe_flag"] == "cas":
        return None
    plain = how["default"] == "native"
    instead = "atomicAdd" if plain else "unsafeAtomicAdd"
    message = f"a compare-and-swap loop adds to a {kind}: {target.name} has {instead}({kind}*) as one instruction"
    step = "call atomicAdd" if plain else "call unsafeAtomicAdd, where no memory is fine-grained"
    whole, statement = emulates(unit, function) if plain else ("", "")
    if whole != kind:
        return advice(unit, _ID, (site.start, site.end), message, step, family="atomics")
    return finding(
        unit,
        _ID,
        (site.start, site.end),
        message,
        edits=(edit(unit, function.body + 1, function.end - 1, f" {statement} ".encode()),),
        safety=Safety.SAFE,
        purpose=Purpose.PERFORMANCE,
        next_step="where blocks meet at one address, sum in the block first",
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

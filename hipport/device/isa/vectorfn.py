"""C for one vector instruction as a function over 64 lanes, shared by all uses with the same kinds of operand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipport.device.isa.opcodes.table import bits

if TYPE_CHECKING:
    from hipport.device.isa.opcodes import Opcode

_READ = {
    "f32": "F({0})",
    "f64": "DF({0})",
    "f16": "H({0})",
    "bf16": "B((u32)({0}) & 0xffffu)",
    "i32": "(i32)({0})",
    "i64": "(i64)({0})",
    "i16": "(i16)({0})",
    "u16": "(u16)({0})",
}
_WRITE = {"f32": "UF({0})", "f64": "UD({0})", "f16": "UH({0})", "bf16": "UB({0})", "i16": "(u32)(u16)({0})"}
_C_TYPE = {"b32": "u32", "b64": "u64", "bf16": "f32"}
_SIGN = {32: "0x80000000u", 64: "0x8000000000000000ull", 16: "0x8000u"}
_SELECT = {
    "DWORD": "{0}",
    "BYTE_0": "({0} & 255)",
    "BYTE_1": "({0} >> 8 & 255)",
    "BYTE_2": "({0} >> 16 & 255)",
    "BYTE_3": "({0} >> 24)",
    "WORD_0": "({0} & 0xffffu)",
    "WORD_1": "({0} >> 16)",
}
_EXTEND = {"BYTE": "(u32)(i32)(i8)({0})", "WORD": "(u32)(i32)(i16)({0})", "DWOR": "{0}"}
_PLACE = {
    "BYTE_0": (0, 255),
    "BYTE_1": (8, 255),
    "BYTE_2": (16, 255),
    "BYTE_3": (24, 255),
    "WORD_0": (0, 65535),
    "WORD_1": (16, 65535),
}


@dataclass(frozen=True, slots=True)
class SourceForm:
    """How one source is read. `kind`: v rows, s scalar register, c constant. `select`: SDWA name, or lo/hi of 16 bits.

    `pair` is (low half's choice, high half's choice) and `negate_pair` their signs for packed forms.
    """

    kind: str
    negate: bool = False
    absolute: bool = False
    select: str = ""
    extend: bool = False
    pair: tuple[int, int] = (0, 1)
    negate_pair: tuple[int, int] = (0, 0)
    as_half: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """One use of an opcode: what a generated function depends on."""

    name: str
    sources: tuple[SourceForm, ...]
    clamp: bool = False
    omod: str = ""
    high: bool = False
    dst_sel: str = ""
    dst_unused: str = ""
    modal: bool = False
    rounding: int = -1  # bit of MODE where the field that rounds it starts; -1: to nearest
    truth: str = ""


def _signs(text: str, form: SourceForm, width: int) -> str:
    sign = _SIGN[width]
    if form.absolute:
        text = f"({text} & ~{sign})"
    return f"({text} ^ {sign})" if form.negate else text


def _raw(form: SourceForm, i: int, kind: str, row: str = "") -> str:
    """The source's bits in lane l; `row` picks a register of a pair."""
    wide = bits(kind) == 64
    if form.kind == "v":
        if row:
            return f"a{i}[{row} * LANES + l]"
        return f"((u64)a{i}[LANES + l] << 32 | a{i}[l])" if wide else f"a{i}[l]"
    if form.kind == "s":
        return f"a{i}[{row}]" if row else f"x{i}"
    return f"x{i}"


def _typed(text: str, kind: str, *, modal: bool) -> str:
    read = _READ.get(kind, "{0}").format(text)
    return f"flush32({read}, keep_in)" if modal and kind == "f32" else read


def _plain_source(form: SourceForm, i: int, kind: str, *, modal: bool) -> str:
    raw = _raw(form, i, kind)
    if form.as_half:
        raw = f"({raw} >> 16)" if form.select == "hi" else raw
        return f"(f32){_READ['f16'].format(_signs(f'({raw} & 0xffffu)', form, 16))}"
    if form.select == "hi":
        raw = f"({raw} >> 16)"
    elif form.select and form.select != "lo":
        raw = _SELECT[form.select].format(raw)
        if form.extend:
            raw = _EXTEND[form.select[:4]].format(raw)
    return _typed(_signs(raw, form, bits(kind)), kind, modal=modal)


def _packed_source(form: SourceForm, i: int, kind: str, half: int, *, wide: bool, modal: bool) -> str:
    chosen = form.pair[half]
    if wide:
        raw = _raw(form, i, "b32", str(chosen)) if form.kind != "c" else f"x{i}"
        signed = f"({raw} ^ 0x80000000u)" if form.negate_pair[half] else raw
        return _typed(signed, kind, modal=modal)
    raw = f"({_raw(form, i, 'b32')} >> {16 * chosen} & 0xffffu)"
    if form.negate_pair[half]:
        raw = f"({raw} ^ 0x8000u)"
    return _typed(raw, kind, modal=False)


def _statement(op: Opcode, form: Form, result: str) -> str:
    """C that computes D (of the value type) or COUT."""
    code = op.code if not form.truth else op.code.replace("TTBL", form.truth)
    if code.startswith("{"):
        return code
    return f"COUT = {code};" if op.results[0] == "mask" else f"{result} = {code};"


def _finish(form: Form, kind: str) -> str:
    """Output modifiers on D."""
    text = "D"
    if form.omod:
        text = f"({text} * ({_C_TYPE.get(kind, kind)}){ {'mul:2': '2', 'mul:4': '4', 'div:2': '0.5'}[form.omod] })"
    if form.clamp and kind in ("f32", "f64", "f16"):
        text = f"fclamp_{kind}({text})"
    if form.modal and kind == "f32":
        text = f"flush32({text}, keep_out)"
    return _WRITE.get(kind, "{0}").format(text)


def _store(op: Opcode, form: Form, kind: str) -> tuple[str, str]:
    """(declaration of the 32-bit results, their stores as a list of `row=value` joined by spaces)."""
    value = _finish(form, kind)
    if bits(kind) == 64:
        return f"const u64 R = (u64){value};", "0=(u32)R 1=(u32)(R>>32)"
    if form.dst_sel and form.dst_sel != "DWORD":
        shift, mask = _PLACE[form.dst_sel]
        placed = f"(((u32){value} & {mask}u) << {shift})"
        if form.dst_unused == "UNUSED_PRESERVE":
            placed = f"({placed} | (d[l] & ~({mask}u << {shift})))"
        elif form.dst_unused == "UNUSED_SEXT":
            width = 8 if mask == 255 else 16
            placed = f"((u32)((i32)((u32){value} << {32 - width}) >> {32 - width}) << {shift})"
        return f"const u32 R = {placed};", "0=R"
    if bits(kind) == 16 and form.high:
        return f"const u32 R = (d[l] & 0xffffu) | ((u32){value} & 0xffffu) << 16;", "0=R"
    if bits(kind) == 16 and "keep" in op.notes:
        return f"const u32 R = (d[l] & 0xffff0000u) | ((u32){value} & 0xffffu);", "0=R"
    return f"const u32 R = (u32){value};", "0=R"


def _packed_body(op: Opcode, form: Form, kind: str) -> tuple[str, str]:
    wide = "pk32" in op.notes
    parts = []
    for half in (0, 1):
        names = []
        for i, (source, text) in enumerate(zip(form.sources, op.sources, strict=True)):
            if text.startswith("="):
                raw = f"d[{half} * LANES + l]" if wide else f"(d[l] >> {16 * half} & 0xffffu)"
                names.append(f"const {text[1:]} S{i} = {_typed(raw, text[1:], modal=False)};")
            else:
                read = _packed_source(source, i, text, half, wide=wide, modal=form.modal)
                names.append(f"const {_C_TYPE.get(text, text)} S{i} = {read};")
        value = _finish(form, kind)
        keep = f"R{half} = (u32){value}{'' if wide else ' & 0xffffu'};"
        parts.append(f"{{ {' '.join(names)} {_C_TYPE.get(kind, kind)} D; {_statement(op, form, 'D')} {keep} }}")
    head = "u32 R0, R1; " + " ".join(parts)
    return head, "0=R0 1=R1" if wide else "0=R0|R1<<16"


def _body(op: Opcode, form: Form) -> tuple[str, str]:
    """(C before the stores, the stores)."""
    kind = op.value_type
    if "pk" in op.notes or "pk32" in op.notes:
        return _packed_body(op, form, kind)
    names = []
    for i, (source, text) in enumerate(zip(form.sources, op.sources, strict=True)):
        if text in {"mask", "vcc"}:
            names.append(f"const u32 CIN = e{i}[l] & 1;")
        elif text.startswith("="):
            old = "((u64)d[LANES + l] << 32 | d[l])" if bits(text[1:]) == 64 else "d[l]"
            names.append(f"const {text[1:]} S{i} = {_typed(old, text[1:], modal=form.modal)};")
        else:
            ctype = _C_TYPE.get(text, text)
            names.append(f"const {ctype} S{i} = {_plain_source(source, i, text, modal=form.modal)};")
    head = " ".join(names)
    if kind:
        declared, stores = _store(op, form, kind)
        head += f" {_C_TYPE.get(kind, kind)} D;"
    else:
        declared, stores = "", ""
    cout = "u32 COUT; " if op.has_mask else ""
    return f"{cout}{head} {_statement(op, form, 'D')} {declared}", stores


def _lines(stores: str, *, masked: bool) -> str:
    out = ""
    for part in stores.split():
        row, _, value = part.partition("=")
        at = f"d[{row} * LANES + l]"
        out += f" {at} = m[l] ? {value} : {at};" if masked else f" {at} = {value};"
    return out


def _parameters(op: Opcode, form: Form) -> tuple[str, str]:
    """(parameter list after the wave, C that hoists what does not change from lane to lane)."""
    out, hoisted = [], []
    if op.value_type:
        out.append("u32 *d")
    if op.has_mask:
        out.append("u32 *q")
    for i, (source, text) in enumerate(zip(form.sources, op.sources, strict=True)):
        if text.startswith("="):
            continue
        if text in {"mask", "vcc"}:
            out.append(f"const u32 *p{i}")
            hoisted.append(f"const u64 m{i} = get64(p{i}); u32 e{i}[LANES]; expand_mask(e{i}, m{i});")
            continue
        wide = bits(text) == 64
        if source.kind == "c":
            out.append(f"{'u64' if wide else 'u32'} x{i}")
            continue
        out.append(f"const u32 *a{i}")
        if source.kind == "s" and "pk32" not in op.notes:
            hoisted.append(f"const u64 x{i} = get64(a{i});" if wide else f"const u32 x{i} = *a{i};")
    return ", ".join(out), " ".join(hoisted)


def _taint(op: Opcode, form: Form) -> str:
    """C that passes the marks of uninitialised bytes on."""
    parts, rows = [], 2 if op.value_type and (bits(op.value_type) == 64 or "pk32" in op.notes) else 1
    if op.name == "v_cndmask_b32":
        sides = ", ".join("NULL" if f.kind == "c" else f"a{i}" for i, f in enumerate(form.sources[:2]))
        return f"taint_select(w, d, 1, {sides}, m2, get64(w->s_taint + (p2 - w->s)));"
    for i, (source, text) in enumerate(zip(form.sources, op.sources, strict=True)):
        if text in {"mask", "vcc"}:
            continue
        if text.startswith("="):
            parts.append(f"d, {rows}u, 0u")
            continue
        count = 2 if bits(text) == 64 or "pk32" in op.notes else 1
        parts.append(f"(const u32 *)0, 0u, (u32)x{i}" if source.kind == "c" else f"a{i}, {count}u, 0u")
    listed = f"{len(parts)}u" + "".join(f", {p}" for p in parts)
    out = f"taint_mask(w, (u32)(q - w->s), {listed}); " if op.has_mask else ""
    rule = op.taint_rule if not form.dst_sel and not form.high and "keep" not in op.notes else "TR_COMPUTE"
    return out + (f"taint_vector(w, {rule}, d, {rows}u, {listed});" if op.value_type else "")


def vector_function(op: Opcode, form: Form, symbol: str, approximate: int) -> str:
    """The C function `symbol`: parameters are the wave, destination rows, mask registers and sources as they come."""
    parameters, hoisted = _parameters(op, form)
    body, stores = _body(op, form)
    lines = [f"static NOINLINE void {symbol}(struct wave *w, {parameters}) {{ /* {op.name} */"]
    lines.append("  const u64 exec = exec_of(w);")
    if form.modal:
        lines.append("  const u32 keep_in = w->mode >> 4 & 1, keep_out = w->mode >> 5 & 1;")
    if hoisted:
        lines.append(f"  {hoisted}")
    if approximate >= 0:
        lines.append(f"  w->approximate[{approximate}] = 1;")
    if form.rounding >= 0:
        lines.append(f"  host_round(w->mode >> {form.rounding} & 3);")
    if op.has_mask:
        lines.append("  u8 c[LANES];")
    record = " c[l] = (u8)(COUT);" if op.has_mask else ""
    if "slow" in op.notes:
        if op.has_mask:
            lines.append("  memset(c, 0, sizeof c);")
        loop = "for (u64 rest = exec; rest; rest &= rest - 1)"
        lane = "const int l = __builtin_ctzll(rest);"
        lines.append(f"  {loop} {{ {lane} {body}{record}{_lines(stores, masked=False)} }}")
    elif not op.value_type:
        lines.append(f"  LANE_LOOP {{ {body}{record} }}")
    else:
        lines += [
            f"  if (LIKELY(exec == ALL)) {{ LANE_LOOP {{ {body}{record}{_lines(stores, masked=False)} }} }}",
            "  else { const u32 *m = lane_mask(w, exec);",
            f"    LANE_LOOP {{ {body}{record}{_lines(stores, masked=True)} }} }}",
        ]
    if form.rounding >= 0:
        lines.append("  host_round(0);")
    if op.has_mask:
        lines.append("  set64(q, pack_mask(c) & exec);")
        if op.name.startswith("v_cmpx"):
            lines.append("  set64(w->s + EXEC, get64(q));")
    lines.append(f"  if (UNLIKELY(w->tainted)) {{ {_taint(op, form)} }}")
    lines.append("}")
    return "\n".join(lines)

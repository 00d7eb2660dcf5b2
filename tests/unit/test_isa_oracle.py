# ruff: noqa: PLR0124 (a value that differs from itself is a NaN)
"""Every ALU opcode of the executor against AMD's pseudo-code: bit for bit, or within its stated bound.

HIPPORT_ORACLE_VALUES sets how many random values an opcode gets (default 60; the full run is 10000).
"""

from __future__ import annotations

import itertools
import os
import re
import shutil

import isa_pcode as pcode
import numpy as np
import pytest
from isa_single import RECORD, Singles

from hipport.device.isa.opcodes import SCALAR, VECTOR

if not (shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")):
    pytest.skip("no C compiler on this machine", allow_module_level=True)
PCODE = pytest.importorskip("tinygrad.runtime.autogen.amd.cdna.str_pcode", reason="tinygrad is not installed").PCODE

RANDOM = int(os.environ.get("HIPPORT_ORACLE_VALUES", "60"))
TEXTS = {}
for _key, _text in PCODE.items():
    TEXTS.setdefault(re.sub(r"_(e32|e64)$", "", _key.name.lower()), _text)

# what has no pseudo-code of its own, with the row that defines it or the reason
NO_TEXT = {
    "v_fma_mix_f32": "the document has the unfused v_mad_mix; tested below",
    "v_fma_mixlo_f16": "the document has the unfused v_mad_mix; tested below",
    "v_fma_mixhi_f16": "the document has the unfused v_mad_mix; tested below",
    "v_accvgpr_read_b32": "a move",
    "v_accvgpr_write_b32": "a move",
    "v_accvgpr_mov_b32": "a move",
}
# opcodes whose text the oracle cannot be: the reason, and what is done instead
UNUSABLE = {
    "v_cvt_off_f32_i4": "the table it reads is not in the text",
    "v_bitop3_b32": "the text reads its table from encoding fields",
    "v_bitop3_b16": "the text reads its table from encoding fields",
    "v_pk_mov_b32": "the text reads encoding fields; tested below",
    "v_prng_b32": "the text calls itself",
    "v_trig_preop_f64": "the text does not say where the point of its shifted constant lies; tested below",
    "v_frexp_exp_i32_f32": "the text leaves zero and denormals out; tested below",
    "v_frexp_exp_i32_f64": "the text leaves zero and denormals out; tested below",
    "v_frexp_exp_i16_f16": "the text leaves zero and denormals out; tested below",
    "v_cubeid_f32": "the text leaves the comparison of NaNs open",
    "v_div_fmas_f32": "the text takes back 2^32 of the 2^64 that v_div_scale puts in: test_ptx.py divides",
    "v_div_fmas_f64": "the text takes back 2^64 of the 2^128 that v_div_scale puts in: test_ptx.py divides",
    **{
        f"v_cvt_{name}": "the text does not say what the 8-bit formats are: test_isa_fp8.py"
        for kind in ("fp8", "bf8")
        for name in (f"f32_{kind}", f"pk_f32_{kind}", f"pk_{kind}_f32", f"sr_{kind}_f32")
    },
}
# results that the table holds as bits, and what they are
HALVES = {"v_cvt_pk_bf16_f32": "bf16", "v_cvt_pkrtz_f16_f32": "f16", "v_cvt_pk_f16_f32": "f16"}
BITS_OF_FLOATS = {
    "v_div_scale_f32": "f32",
    "v_div_scale_f64": "f64",
    "v_cubesc_f32": "f32",
    "v_cubetc_f32": "f32",
    "v_cubema_f32": "f32",
}
ONE = {"f16": 0x3C00, "f32": 0x3F800000, "f64": 0x3FF << 52}
EDGES = {
    16: [0, 1, 0x3FF, 0x400, 0x3800, 0x3C00, 0x3E00, 0x4200, 0x7BFF, 0x7C00, 0x7E00, 0x7D00, 0x7FFF],
    32: [0, 1, 0x7FFFFF, 0x800000, 0x3F000000, 0x3F800000, 0x3FC00000, 0x40490FDB, 0x4B000001, 0x7F7FFFFF, 0x7F800000,
         0x7FC00000, 0x7FA00000, 0x7FFFFFFF, 5, 31, 32, 0xFFFF],
    64: [0, 1, 0xFFFFFFFFFFFFF, 1 << 52, 0x3FE0000000000000, 0x3FF0000000000000, 0x3FF8000000000000, 0x400921FB54442D18,
         0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF4000000000000, 0x41DFFFFFFFC00000,
         63, 1 << 33],
}  # fmt: skip


def width_of(kind):
    return int(re.sub(r"\D", "", kind)) if re.search(r"\d", kind) else 32


def edge_values(kind):
    width = width_of(kind)
    sign = 1 << width - 1
    return [*EDGES[width], *(v | sign for v in EDGES[width])]


def random_values(kind, n, rng):
    """Half uniform bits, half floats or integers of everyday size."""
    width = width_of(kind)
    raw = rng.integers(0, 1 << 64, n, dtype=np.uint64, endpoint=False) & np.uint64((1 << width) - 1)
    if kind.startswith("f"):
        dtype = {16: np.float16, 32: np.float32, 64: np.float64}[width]
        common = (rng.standard_normal(n) * 10.0 ** rng.integers(-3, 4, n)).astype(dtype)
        small = common.view({16: np.uint16, 32: np.uint32, 64: np.uint64}[width]).astype(np.uint64)
    else:
        small = rng.integers(0, 1 << min(width, 12), n, dtype=np.uint64)
    return np.where(rng.integers(0, 2, n).astype(bool), raw, small)


def records_of(kinds, rng):
    """uint32 records: all pairs of edge values in the first two sources, the rest rotating; then random ones."""
    real = [k.lstrip("=") for k in kinds if k.lstrip("=") not in {"mask", "vcc"}]
    first, second = (edge_values(real[i]) if len(real) > i else [0] for i in (0, 1))
    third = edge_values(real[2]) if len(real) > 2 else [0]
    pairs = list(itertools.product(first, second))
    if RANDOM < 1000 and len(pairs) > 150:
        pairs = [pairs[i] for i in rng.choice(len(pairs), 150, replace=False)]
    columns = [np.array([p[i] for p in pairs], np.uint64) for i in (0, 1)]
    columns.append(np.array([third[(7 * i) % len(third)] for i in range(len(pairs))], np.uint64))
    for i in range(3):
        more = random_values(real[i], RANDOM, rng) if len(real) > i else np.zeros(RANDOM, np.uint64)
        columns[i] = np.concatenate([columns[i], more])
    out = np.zeros((len(columns[0]), RECORD), np.uint32)
    for i in range(3):
        out[:, 2 * i] = columns[i] & np.uint64(0xFFFFFFFF)
        out[:, 2 * i + 1] = columns[i] >> np.uint64(32)
    out[:, 6] = rng.integers(0, 1 << 32, len(out), dtype=np.uint64)
    out[:, 7] = rng.integers(0, 2, len(out))
    old = next((i for i, k in enumerate(kinds) if k.startswith("=")), None)
    if old is not None:  # the destination's old value is a source
        place = len([k for k in kinds[:old] if k not in {"mask", "vcc"}])
        out[:, 6] = out[:, 2 * place]
    return out


def operand(i, kind):
    wide = kind.endswith("64")
    return f"v[{4 + 2 * i}:{5 + 2 * i}]" if wide else f"v{4 + 2 * i}"


def vector_text(op):
    pair = "pk32" in op.notes
    sources, at = [], 0
    for kind in op.sources:
        if kind.startswith("=") or kind == "vcc":
            continue
        if kind == "mask":
            sources.append("s[8:9]")
            continue
        sources.append(f"v[{4 + 2 * at}:{5 + 2 * at}]" if pair else operand(at, kind))
        at += 1
    outs = []
    if op.value_type:
        outs.append("v[12:13]" if op.value_type.endswith("64") or pair else "v12")
    if op.has_mask:
        outs.append("s[10:11]")
    text = f"{op.name} {', '.join([*outs, *sources])}"
    if op.name.startswith("v_cmpx"):
        text += "\n\ts_mov_b64 exec, -1"
    return text


def scalar_text(op):
    at, sources = 0, []
    for kind in op.sources:
        if kind.startswith("="):
            continue
        if kind in {"imm", "umm"}:
            sources.append("0x8123")
            continue
        sources.append(f"s[{16 + 2 * at}:{17 + 2 * at}]" if kind.endswith("64") else f"s{16 + 2 * at}")
        at += 1
    if op.results != ("scc",):
        sources.insert(0, "s[24:25]" if op.results[0].endswith("64") else "s24")
    return f"{op.name} {', '.join(sources)}"


VECTORS = [op for op in VECTOR.values() if not op.name.endswith(".clamp")]
SCALARS = list(SCALAR.values())


@pytest.fixture(scope="module")
def singles():
    texts = {op.name: vector_text(op) for op in VECTORS if op.name not in ("v_bitop3_b32", "v_bitop3_b16")}
    return Singles(texts | {op.name: scalar_text(op) for op in SCALARS})


def environment(op, record):
    """Registers of the pseudo-code for one record."""
    values = [int(record[2 * i]) | int(record[2 * i + 1]) << 32 for i in range(3)]
    env = {"laneId": ("i", 32, 0), "VCC": ("b", 64, int(record[7])), "SCC": ("u", 1, int(record[7]))}
    env["D0"] = ("b", 64, int(record[6]))
    env["D1"] = ("b", 64, 0)
    env["OPSEL"] = ("b", 4, 0)
    kinds = [k for k in op.sources if k not in {"mask", "vcc"} and not k.startswith("=")]
    for i, kind in enumerate(kinds):
        env[f"S{i}"] = ("b", 64, 0x8123 if kind in {"imm", "umm"} else values[i])
    env["SIMM32"] = env["SIMM16"] = env.get("S2", ("b", 64, 0))  # v_fmaak, v_fmamk: the constant, here a register
    if "mk_f" in op.name:  # the constant comes second in the assembly
        env["SIMM32"] = env["SIMM16"] = env["S1"]
        env["S1"] = env["S2"]
    if op.name.startswith("v_div_scale"):
        env["D0"] = env["S0"]  # the text only says where it is scaled
    return env


NAN_FIELDS = {
    "f16": (0x7C00, 0x3FF),
    "bf16": (0x7F80, 0x7F),
    "f32": (0x7F800000, 0x7FFFFF),
    "f64": (0x7FF << 52, (1 << 52) - 1),
}


def same(kind, got, want):
    """Bits equal, or both NaN where the value is a float."""
    if got == want:
        return True
    if kind not in NAN_FIELDS:
        return False
    exponent, mantissa = NAN_FIELDS[kind]
    return all(v & exponent == exponent and v & mantissa for v in (got, want))


def close(op, kind, got, want):
    """Within the stated bound of an approximate opcode."""
    width = width_of(kind)
    if same(kind, got, want):
        return True
    x, y = (pcode.to_float(width, v) for v in (got, want))
    if x != x or y != y:
        return False
    if "absolute" in op.approx:
        return abs(x - y) <= 2.0 ** int(re.search(r"2\^(-\d+)", op.approx)[1])
    if "order" in op.approx:
        return abs(x - y) <= 2.0**-18 * (abs(x) + abs(y)) or abs(x) == abs(y) == float("inf")
    ulps = (
        2 ** int(m[1]) if (m := re.search(r"2\^(\d+) ulp", op.approx)) else int(re.search(r"(\d+) ulp", op.approx)[1])
    )
    ordered = [v if v < 1 << width - 1 else (1 << width - 1) - v for v in (got, want)]
    return abs(ordered[0] - ordered[1]) <= ulps


def half_kind(op, kind):
    return kind if "pk" not in op.notes else "b32"


def check(op, singles, kinds_of_result):
    text = TEXTS.get(op.name)
    if text is None:
        pytest.skip(NO_TEXT[op.name])
    if op.name in UNUSABLE:
        pytest.skip(UNUSABLE[op.name])
    assert not singles.unknown(op.name), singles.unknown(op.name)
    rng = np.random.default_rng(sum(op.name.encode()))
    records = records_of(op.sources, rng)
    scalar = op.name.startswith("s_")
    if scalar:
        records[:, 7] = rng.integers(0, 2, len(records))
    if op.name in ("v_sin_f32", "v_cos_f32", "v_sin_f16", "v_cos_f16"):
        records = within_a_turn(records, op)
    run = pcode.program(reading(op, text))
    got = singles.run(op.name, records)
    wrong = []
    for i, record in enumerate(records):
        env = environment(op, record)
        env["laneId"] = ("i", 32, i % 64 if "mbcnt" in op.name else 0)
        run(env)
        problem = compare(op, env, got[i], scalar=scalar, kind=kinds_of_result)
        if problem:
            wrong.append((i, [hex(int(x)) for x in record], problem))
    assert not wrong, f"{len(wrong)} of {len(records)} differ, first: {wrong[:3]}"


def reading(op, text):
    """v_rndne adds 0.5 before it takes the floor: exactly, not rounded to the type."""
    if op.name.startswith("v_rndne"):
        text = re.sub(r"floor\((S0\.f\d\d) \+ [^)]*\)", r"floor_half(\1)", text)
    if op.name in ("v_div_fixup_f32", "v_div_fixup_f64"):  # what is out of range; without it FLT_MAX / FLT_MIN is a NaN
        kind = op.name[-3:]
        value = "64'F(S0.f32)" if kind == "f32" else "S0.f64"
        last = f"else\nD0.{kind} = sign_out ? -abs"
        text = text.replace(
            last, f"elsif isNAN({value}) then\nD0.{kind} = sign_out ? -INF.{kind} : +INF.{kind}\n{last}"
        )
    if op.name == "v_div_scale_f64":  # the text scales the denominator of a tiny quotient up, out of the range
        head, middle, tail = text.partition("(S2.f64 / S1.f64 == DENORM.f64)) then")
        text = head + middle + tail.replace("ldexp(S0.f64, 128)", "ldexp(S0.f64, -128)", 1)
    if op.name == "v_ldexp_f16":  # scaled exactly, not by a rounded power of two
        text = re.sub(r"16'F\((2\.0F \*\* [^;]*)\)$", r"\1", text.strip())
    return text


def within_a_turn(records, op):
    """The text multiplies by a rounded 2 pi in the type itself, which holds for small angles only."""
    kind = np.float32 if op.name.endswith("32") else np.float16
    values = np.ascontiguousarray(records[:, 0]).astype({4: np.uint32, 2: np.uint16}[kind(0).nbytes]).view(kind)
    with np.errstate(invalid="ignore"):
        return records[np.abs(values.astype(np.float64)) <= (1 if kind is np.float32 else 0.25)]


def compare(op, env, row, *, scalar, kind):
    """What differs, or None."""
    if kind:
        wide = kind.endswith("64") or "pk32" in op.notes
        want = pcode.bits(env["D0"]) & ((1 << (64 if wide else 32)) - 1)
        got = int(row[0]) | (int(row[1]) << 32 if wide else 0)
        if width_of(kind) == 16 and "pk" not in op.notes:
            got, want = got & 0xFFFF, want & 0xFFFF
        if op.name.startswith("v_fract") and want == ONE[kind]:
            want -= 1  # the machine's fraction stays below 1
        halved = "pk" in op.notes or "pk32" in op.notes or op.name in HALVES
        parts = split(got, want, wide=wide) if halved else [(got, want)]
        shown = HALVES.get(op.name) or BITS_OF_FLOATS.get(op.name) or kind
        for g, w in parts:
            if not (close(op, kind, g, w) if op.approx else same(shown, g, w)):
                return f"got {g:#x}, want {w:#x}"
    writes_scc = "scc" in op.notes or "SCC" in op.code or op.results == ("scc",)
    if scalar and writes_scc and int(row[2]) != pcode.bits(env["SCC"]) & 1:
        return f"SCC {row[2]}"
    if op.has_mask:
        bit = (
            pcode.bits(env["D0"] if not op.value_type else env["D1"] if op.name.startswith("v_mad") else env["VCC"]) & 1
        )
        if int(row[2]) != bit:
            return f"mask {row[2]}, want {bit}"
    return None


def split(got, want, *, wide):
    width = 32 if wide else 16
    mask = (1 << width) - 1
    return [(got & mask, want & mask), (got >> width & mask, want >> width & mask)]


@pytest.mark.parametrize("op", VECTORS, ids=lambda op: op.name)
def test_a_vector_opcode_does_what_the_isa_document_says(op, singles):
    check(op, singles, op.value_type)


@pytest.mark.parametrize("op", SCALARS, ids=lambda op: op.name)
def test_a_scalar_opcode_does_what_the_isa_document_says(op, singles):
    check(op, singles, "" if op.results == ("scc",) else op.results[0])


def test_every_opcode_has_a_text_or_a_reason():
    without = {op.name for op in (*VECTORS, *SCALARS) if op.name not in TEXTS}
    assert without == set(NO_TEXT)

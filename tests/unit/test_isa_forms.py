"""Forms of instructions that the opcode tables do not show: modifiers, DPP, SDWA, halves, moves between lanes."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from isa_single import RECORD, Kernels, Singles

if not (shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")):
    pytest.skip("no C compiler on this machine", allow_module_level=True)

N = 64
RNG = np.random.default_rng(7)
LANE = np.arange(N)


def f32(values):
    return np.asarray(values, np.float32).view(np.uint32)


def f16(values):
    return np.asarray(values, np.float16).view(np.uint16).astype(np.uint32)


A, B, C = ((RNG.standard_normal(N) * 3).astype(np.float32) for _ in range(3))
HA, HB, HC = ((RNG.standard_normal((N, 2)) * 3).astype(np.float16) for _ in range(3))
U, V = (RNG.integers(0, 1 << 32, N, dtype=np.uint64).astype(np.uint32) for _ in range(2))
I32 = U.view(np.int32)


def records(s0=None, s1=None, s2=None, old=None, vcc=None):
    out = np.zeros((N, RECORD), np.uint32)
    for i, s in ((0, s0), (2, s1), (4, s2), (6, old), (7, vcc)):
        if s is not None:
            out[:, i] = s
    return out


def pair(h):
    return np.ascontiguousarray(h).view(np.uint32).reshape(-1)


def halves(lo, hi):
    return f16(lo) | f16(hi) << 16


def dpp(source, valid, keep=None, bound=0):
    """v_mov_b32 of U through DPP: what each lane gets."""
    return np.where(valid, U[np.where(valid, source, 0)], np.uint32(bound) if keep is None else keep)


FLOATS = {
    "neg": ("v_add_f32_e64 v12, -v4, v6", -A + B),
    "abs": ("v_add_f32_e64 v12, |v4|, v6", np.abs(A) + B),
    "neg abs": ("v_add_f32_e64 v12, -|v4|, v6", -np.abs(A) + B),
    "clamp": ("v_add_f32_e64 v12, v4, v6 clamp", np.clip(A + B, 0, 1)),
    "times 2": ("v_mul_f32_e64 v12, v4, v6 mul:2", A * B * 2),
    "half": ("v_mul_f32_e64 v12, v4, v6 div:2", A * B / 2),
    "inline constant": ("v_add_f32_e32 v12, 0.5, v4", A + np.float32(0.5)),
    "literal": ("v_mul_f32_e32 v12, 0x40490fdb, v4", A * np.float32(np.pi)),
    "negative constant": ("v_mul_f32_e64 v12, -4.0, v4", A * np.float32(-4)),
    "turns": ("v_mul_f32_e32 v12, 0.15915494, v4", A * np.float32(0.15915494)),
}


def test_float_modifiers():
    kernels = Singles({name: text for name, (text, _) in FLOATS.items()})
    for name, (_, want) in FLOATS.items():
        got = kernels.run(name, records(f32(A), f32(B)))[:, 0]
        assert (got == f32(want)).all(), name


def test_a_double_takes_a_literal_as_its_upper_half():
    kernels = Singles(
        {"literal": "v_add_f64 v[12:13], v[4:5], 0x40080000", "inline": "v_mul_f64 v[12:13], v[4:5], -2.0"}
    )
    values = RNG.standard_normal(N)
    given = np.zeros((N, RECORD), np.uint32)
    given[:, :2] = values.view(np.uint32).reshape(N, 2)
    for name, want in (("literal", values + 3.0), ("inline", values * -2)):
        got = np.ascontiguousarray(kernels.run(name, given)[:, :2]).view(np.float64).reshape(-1)
        assert (got == want).all(), name


SDWA = {
    "byte 2": (
        "v_add_u32_sdwa v12, v4, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:DWORD",
        (U >> 16 & 255) + V,
    ),
    "word 1": (
        "v_add_u32_sdwa v12, v4, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1",
        U + (V >> 16),
    ),
    "sign": (
        "v_add_u32_sdwa v12, sext(v4), v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:DWORD",
        (U >> 8).astype(np.uint8).view(np.int8).astype(np.int32).view(np.uint32) + V,
    ),
    "pad": (
        "v_or_b32_sdwa v12, v4, v6 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
        ((U | V) & 255) << 8,
    ),
    "preserve": (
        "v_or_b32_sdwa v12, v4, v6 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:DWORD",
        ((U & 0xFFFF | V) & 0xFFFF) << 16 | 0x1234,
    ),
}


def test_sdwa_selects_and_places_bytes():
    kernels = Singles({name: text for name, (text, _) in SDWA.items()})
    for name, (_, want) in SDWA.items():
        got = kernels.run(name, records(U, V, old=0x1234))[:, 0]
        assert (got == want.astype(np.uint32)).all(), name


def test_a_comparison_takes_bytes():
    kernels = Singles({"c": "v_cmp_eq_u16_sdwa s[10:11], v4, v6 src0_sel:BYTE_0 src1_sel:DWORD"})
    got = kernels.run("c", records(U, U & 255))[:, 2]
    assert got.all()


ROW = LANE % 16
DPP = {
    "quad_perm:[1,0,3,2]": (LANE ^ 1, LANE >= 0),
    "row_shl:3": (LANE + 3, ROW + 3 < 16),
    "row_shr:1": (LANE - 1, ROW >= 1),
    "row_ror:5": (LANE - ROW + (ROW - 5) % 16, LANE >= 0),
    "row_mirror": (LANE - ROW + 15 - ROW, LANE >= 0),
    "row_half_mirror": (LANE - LANE % 8 + 7 - LANE % 8, LANE >= 0),
    "row_bcast:15": (LANE - ROW - 1, LANE >= 16),
    "row_bcast:31": (LANE * 0 + 31, LANE >= 32),
    "row_newbcast:6": (LANE - ROW + 6, LANE >= 0),
    "wave_shl:1": (LANE + 1, LANE < 63),
    "wave_shr:1": (LANE - 1, LANE >= 1),
    "wave_rol:1": ((LANE + 1) % 64, LANE >= 0),
    "wave_ror:1": ((LANE - 1) % 64, LANE >= 0),
}


def test_dpp_reads_other_lanes():
    masks = "row_mask:0xf bank_mask:0xf"
    texts = {}
    for control in DPP:
        texts[control] = f"v_mov_b32_dpp v12, v4 {control} {masks}"
        texts[control + " bound"] = f"v_mov_b32_dpp v12, v4 {control} {masks} bound_ctrl:1"
    texts["rows"] = "v_mov_b32_dpp v12, v4 quad_perm:[0,1,2,3] row_mask:0x5 bank_mask:0x3"
    texts["add"] = f"v_add_u32_dpp v12, v4, v6 row_shr:2 {masks}"
    kernels = Singles(texts)
    for control, (source, valid) in DPP.items():
        assert (kernels.run(control, records(U, old=99))[:, 0] == dpp(source, valid, keep=99)).all(), control
        assert (kernels.run(control + " bound", records(U, old=99))[:, 0] == dpp(source, valid)).all(), control
    enabled = np.isin(LANE // 16, (0, 2)) & np.isin(LANE // 4 % 4, (0, 1))
    assert (kernels.run("rows", records(U, old=99))[:, 0] == np.where(enabled, U, 99)).all()
    want = np.where(ROW >= 2, U[LANE - 2] + V, 99)
    assert (kernels.run("add", records(U, V, old=99))[:, 0] == want).all()


HALVES = {
    "both": ("v_pk_add_f16 v12, v4, v6", halves(HA[:, 0] + HB[:, 0], HA[:, 1] + HB[:, 1])),
    "swap": ("v_pk_add_f16 v12, v4, v6 op_sel:[1,0] op_sel_hi:[0,1]", halves(HA[:, 1] + HB[:, 0], HA[:, 0] + HB[:, 1])),
    "splat": ("v_pk_mul_f16 v12, v4, v6 op_sel_hi:[1,0]", halves(HA[:, 0] * HB[:, 0], HA[:, 1] * HB[:, 0])),
    "signs": ("v_pk_add_f16 v12, v4, v6 neg_lo:[1,0] neg_hi:[0,1]", halves(-HA[:, 0] + HB[:, 0], HA[:, 1] - HB[:, 1])),
    "constant": (
        "v_pk_add_f16 v12, v4, 1.0 op_sel_hi:[1,0]",
        halves(HA[:, 0] + np.float16(1), HA[:, 1] + np.float16(1)),
    ),
    "upper half in": ("v_fma_f16 v12, v4, v6, v8 op_sel:[1,0,1,0]", None),
    "upper half out": ("v_fma_f16 v12, v4, v6, v8 op_sel:[0,0,0,1]", None),
}


def test_packed_halves_and_their_choice():
    kernels = Singles({name: text for name, (text, _) in HALVES.items()})
    given = records(pair(HA), pair(HB), pair(HC), old=0xABCD1234)
    for name, (_, want) in HALVES.items():
        if want is not None:
            assert (kernels.run(name, given)[:, 0] == want).all(), name
    wide = [h.astype(np.float64) for h in (HA, HB, HC)]
    upper = f16((wide[0][:, 1] * wide[1][:, 0] + wide[2][:, 1]).astype(np.float16))
    assert (kernels.run("upper half in", given)[:, 0] == (upper | 0xABCD0000)).all()
    low = f16((wide[0][:, 0] * wide[1][:, 0] + wide[2][:, 0]).astype(np.float16))
    assert (kernels.run("upper half out", given)[:, 0] == (low << 16 | 0x1234)).all()


def test_mixed_precision_takes_halves_and_singles():
    kernels = Singles(
        {
            "f32": "v_fma_mix_f32 v12, v4, v6, v8 op_sel_hi:[1,0,0]",
            "high": "v_fma_mix_f32 v12, v4, v6, v8 op_sel:[1,0,0] op_sel_hi:[1,0,0]",
            "minus": "v_fma_mix_f32 v12, -v4, v6, |v8| op_sel_hi:[1,0,0]",
            "low": "v_fma_mixlo_f16 v12, v4, v6, v8 op_sel_hi:[1,0,0]",
            "top": "v_fma_mixhi_f16 v12, v4, v6, v8 op_sel_hi:[1,0,0]",
        }
    )
    given = records(pair(HA), f32(B), f32(C), old=0xABCD1234)
    x, y, z = HA.astype(np.float64), B.astype(np.float64), C.astype(np.float64)
    plain = (x[:, 0] * y + z).astype(np.float32)
    assert (kernels.run("f32", given)[:, 0] == f32(plain)).all()
    assert (kernels.run("high", given)[:, 0] == f32((x[:, 1] * y + z).astype(np.float32))).all()
    assert (kernels.run("minus", given)[:, 0] == f32((-x[:, 0] * y + np.abs(z)).astype(np.float32))).all()
    assert (kernels.run("low", given)[:, 0] == (f16(plain.astype(np.float16)) | 0xABCD0000)).all()
    assert (kernels.run("top", given)[:, 0] == (f16(plain.astype(np.float16)) << 16 | 0x1234)).all()


def test_pairs_of_singles():
    kernels = Singles(
        {
            "add": "v_pk_add_f32 v[12:13], v[4:5], v[6:7]",
            "cross": "v_pk_mul_f32 v[12:13], v[4:5], v[6:7] op_sel:[0,1] op_sel_hi:[1,0]",
            "minus": "v_pk_fma_f32 v[12:13], v[4:5], v[6:7], v[8:9] neg_lo:[0,0,1] neg_hi:[1,0,0]",
            "move": "v_pk_mov_b32 v[12:13], v[4:5], v[6:7] op_sel:[1,0]",
        }
    )
    given = np.zeros((N, RECORD), np.uint32)
    a, b, c = ((RNG.standard_normal((N, 2))).astype(np.float32) for _ in range(3))
    for i, x in enumerate((a, b, c)):
        given[:, 2 * i : 2 * i + 2] = x.view(np.uint32)

    def got(name):
        return np.ascontiguousarray(kernels.run(name, given)[:, :2]).view(np.float32)

    assert (got("add") == a + b).all()
    assert (got("cross") == np.stack([a[:, 0] * b[:, 1], a[:, 1] * b[:, 0]], 1)).all()
    x, y, z = (v.astype(np.float64) for v in (a, b, c))
    want = np.stack([x[:, 0] * y[:, 0] - z[:, 0], -x[:, 1] * y[:, 1] + z[:, 1]], 1).astype(np.float32)
    assert (got("minus") == want).all()
    assert (got("move") == np.stack([a[:, 1], b[:, 0]], 1)).all()


def test_integers_saturate_with_clamp():
    kernels = Singles({"add": "v_add_u32_e64 v12, v4, v6 clamp", "sub": "v_sub_u32_e64 v12, v4, v6 clamp"})
    wide = U.astype(np.uint64) + V
    assert (kernels.run("add", records(U, V))[:, 0] == np.minimum(wide, 0xFFFFFFFF)).all()
    assert (kernels.run("sub", records(U, V))[:, 0] == np.where(V > U, 0, U - V)).all()


def test_a_truth_table_of_three():
    kernels = Singles({f"{t:#x}": f"v_bitop3_b32 v12, v4, v6, v8 bitop3:{t:#x}" for t in (0x96, 0xE8, 0xCA, 0x01)})
    w = RNG.integers(0, 1 << 32, N, dtype=np.uint64).astype(np.uint32)
    given = records(U, V, w)
    assert (kernels.run("0x96", given)[:, 0] == (U ^ V ^ w)).all()
    assert (kernels.run("0xe8", given)[:, 0] == (U & V | U & w | V & w)).all()
    assert (kernels.run("0xca", given)[:, 0] == (U & V | ~U & w)).all()
    assert (kernels.run("0x1", given)[:, 0] == ~(U | V | w)).all()


def test_segments_of_two_over_pi_add_up_to_it():
    kernels = Singles({"preop": "v_trig_preop_f64 v[12:13], v[4:5], v6"})
    given = np.zeros((N, RECORD), np.uint32)
    given[:, 1] = 0x3FF00000
    given[:, 2] = LANE % 3
    got = np.ascontiguousarray(kernels.run("preop", given)[:, :2]).view(np.float64).reshape(-1)
    assert got[0] == 0.6366197723675814 - 0.0 or abs(got[0] - 2 / np.pi) < 2**-52
    assert 0 < got[1] < 2**-52
    assert got[1] + got[0] == pytest.approx(2 / np.pi, abs=0)
    assert 0 < got[2] < 2**-105


def test_exponents_of_zero_and_denormals():
    kernels = Singles({"f32": "v_frexp_exp_i32_f32_e32 v12, v4", "mantissa": "v_frexp_mant_f32_e32 v12, v4"})
    values = np.array([0, 1e-45, 1e-40, 1, 0.75, np.inf, np.nan, -8] * 8, np.float32)
    got = kernels.run("f32", records(f32(values)))[:, 0].view(np.int32)
    with np.errstate(invalid="ignore"):
        want = np.where(np.isfinite(values), np.frexp(values)[1], 0)
    assert (got == want).all()
    mantissa = kernels.run("mantissa", records(f32(values)))[:, 0].view(np.float32)
    assert np.array_equal(mantissa, np.frexp(values)[0], equal_nan=True)


def test_denormals_are_flushed_where_the_kernel_says_so():
    kernels = Singles({"mul": "v_mul_f32_e32 v12, v4, v6", "mov": "v_mov_b32_e32 v12, v4"}, denormals=0)
    tiny = np.full(N, 1e-40, np.float32)
    assert (kernels.run("mul", records(f32(tiny), f32(np.ones(N))))[:, 0] == 0).all()
    small = np.full(N, 1e-30, np.float32)
    assert (kernels.run("mul", records(f32(small), f32(np.full(N, 1e-10))))[:, 0] == 0).all()
    assert (kernels.run("mov", records(f32(tiny)))[:, 0] == f32(tiny)).all()


def test_mode_sets_rounding():
    def under(mode, text):
        return f"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), {mode}\n\t{text}"

    texts = {str(m): under(m | m << 2, "v_add_f32_e32 v12, v4, v6") for m in range(4)}
    kernels = VectorTexts(texts)
    x, y = np.full(N, 1, np.float32), np.where(LANE % 2, 1e-9, -1e-9).astype(np.float32)
    up, down = np.nextafter(np.float32(1), np.float32(2)), np.nextafter(np.float32(1), np.float32(0))
    want = {
        "0": np.ones(N, np.float32),
        "1": np.where(LANE % 2, up, 1).astype(np.float32),
        "2": np.where(LANE % 2, 1, down).astype(np.float32),
        "3": np.where(LANE % 2, 1, down).astype(np.float32),
    }
    for name, value in want.items():
        assert (kernels.run(name, records(f32(x), f32(y)))[:, 0] == f32(value)).all(), name


class VectorTexts(Singles):
    """Singles whose text may begin with a scalar instruction."""

    def __init__(self, instructions):
        super().__init__({key: "v_nop\n\t" + text for key, text in instructions.items()})


def test_values_move_between_lanes():
    texts = {
        "first": "v_readfirstlane_b32 s12, v4\n\tv_mov_b32_e32 v12, s12",
        "lane": "v_readlane_b32 s12, v4, 13\n\tv_mov_b32_e32 v12, s12",
        "write": "s_mov_b32 s12, 77\n\tv_writelane_b32 v12, s12, 5",
        "bpermute": "v_lshlrev_b32_e32 v6, 2, v6\n\tds_bpermute_b32 v12, v6, v4",
        "permute": "v_lshlrev_b32_e32 v6, 2, v6\n\tds_permute_b32 v12, v6, v4",
        "quad": "ds_swizzle_b32 v12, v4 offset:swizzle(QUAD_PERM,3,2,1,0)",
        "mask": 'ds_swizzle_b32 v12, v4 offset:swizzle(BITMASK_PERM,"0pi1p")',
        "broadcast": "ds_swizzle_b32 v12, v4 offset:swizzle(BROADCAST,8,3)",
        "swap": "ds_swizzle_b32 v12, v4 offset:swizzle(SWAP,16)",
        "reverse": "ds_swizzle_b32 v12, v4 offset:swizzle(REVERSE,8)",
        "rows 16": "v_mov_b32_e32 v12, v4\n\tv_permlane16_swap_b32 v12, v6",
        "rows 32": "v_mov_b32_e32 v12, v4\n\tv_permlane32_swap_b32 v12, v6",
        "count": "v_mbcnt_lo_u32_b32 v12, -1, 0\n\tv_mbcnt_hi_u32_b32 v12, -1, v12",
        "swap registers": "v_swap_b32 v12, v4",
    }
    kernels = VectorTexts(texts)
    order = RNG.permutation(N).astype(np.uint32)
    half, i = LANE & 32, LANE & 31

    def got(name, s1=order):
        return kernels.run(name, records(U, s1, old=5))[:, 0]

    assert (got("first") == U[0]).all()
    assert (got("lane") == U[13]).all()
    assert (got("write") == np.where(LANE == 5, 77, 5)).all()
    assert (got("bpermute") == U[order]).all()
    back = np.zeros(N, np.uint32)
    back[order] = U
    assert (got("permute") == back).all()
    assert (got("quad") == U[LANE ^ 3]).all()
    assert (got("mask") == U[half | (((i & 0b01101) | 0b00010) ^ 0b00100)]).all()
    assert (got("broadcast") == U[(LANE & ~7) | 3]).all()
    assert (got("swap") == U[LANE ^ 16]).all()
    assert (got("reverse") == U[LANE ^ 7]).all()
    assert (got("rows 16", V) == np.where(LANE & 16, V[LANE ^ 16], U)).all()
    assert (got("rows 32", V) == np.where(LANE & 32, V[LANE ^ 32], U)).all()
    assert (got("count") == LANE).all()
    assert (got("swap registers") == U).all()


INDEXED = "s_mov_b32 s12, 2\n\ts_set_gpr_idx_on s12, gpr_idx({what})\n\t{text}\n\ts_set_gpr_idx_off"


def test_register_arrays_are_indexed_through_m0():
    texts = {
        "source": INDEXED.format(what="SRC0", text="v_mov_b32_e32 v12, v4"),
        "destination": INDEXED.format(what="DST", text="v_mov_b32_e32 v10, v4"),
    }
    kernels = VectorTexts(texts)
    assert (kernels.run("source", records(U, V))[:, 0] == V).all()
    assert (kernels.run("destination", records(U, V, old=3))[:, 0] == U).all()


LDS = """	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	global_load_dword v2, v1, s[4:5]
{text}
	global_store_dword v1, v3, s[6:7]"""
LDS_TEXTS = {  # each leaves what it stores in v3
    "round trip": "ds_write_b32 v1, v2\n\tds_read_b32 v3, v1",
    "two": "ds_write2_b32 v1, v2, v1 offset1:64\n\tds_read2_b32 v[4:5], v1 offset0:64\n\tv_add_u32_e32 v3, v4, v5",
    "bytes": "ds_write_b32 v1, v2\n\tds_read_u8 v3, v1 offset:1",
    "signed": "ds_write_b32 v1, v2\n\tds_read_i16 v3, v1 offset:2",
    "half": "v_mov_b32_e32 v3, 0x12345678\n\tds_write_b32 v1, v2\n\tds_read_u16_d16_hi v3, v1",
    "add": "v_mov_b32_e32 v4, 0\n\tds_write_b32 v4, v4\n\tds_add_u32 v4, v2\n\tds_read_b32 v3, v4",
    "returned": "ds_write_b32 v1, v2\n\tds_max_rtn_u32 v3, v1, v1",
    "exchange": "ds_write_b32 v1, v2\n\tds_cmpst_rtn_b32 v4, v1, v2, v1\n\tds_read_b32 v3, v1",
    "flat": "v_mov_b32_e32 v5, 0x10000\n\tv_mov_b32_e32 v4, v1\n\tds_write_b32 v1, v2\n\tflat_load_dword v3, v[4:5]",
}


def test_lds_is_read_and_written():
    kernels = Kernels({name: LDS.format(text="\t" + text) for name, text in LDS_TEXTS.items()}, lds=1024)
    at = (4 * LANE).astype(np.uint32)
    want = {
        "round trip": U,
        "two": U + at,
        "bytes": U >> 8 & 255,
        "signed": (U >> 16).astype(np.uint16).view(np.int16).astype(np.int32).view(np.uint32),
        "half": (U & 0xFFFF) << 16 | 0x5678,
        "add": np.full(N, U.sum(dtype=np.uint32)),
        "returned": U,
        "exchange": at,
        "flat": U,
    }
    for name, value in want.items():
        out = np.zeros(N, np.uint32)
        code, fault, _ = kernels.launch(name, U, out)
        assert code == 0, (name, fault.message)
        assert (out == value).all(), name

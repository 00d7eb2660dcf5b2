"""The executor's conversions of 8-bit floats: every code of both formats, and the neighbourhood of every rounding.

The reference decodes a code by the formats' definition and rounds by looking for the nearest of the 256 values; what
the instructions do with bytes, halves and the random number is AMD's pseudo-code (V_CVT_PK_FP8_F32 and its kin).
"""

from __future__ import annotations

import functools
import itertools
import math
import shutil

import numpy as np
import pytest
from isa_single import RECORD, Singles

if not (shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")):
    pytest.skip("no C compiler on this machine", allow_module_level=True)

FNUZ, OCP = "gfx942", "gfx950"
FORMATS = {(FNUZ, "fp8"): (3, 8), (FNUZ, "bf8"): (2, 16), (OCP, "fp8"): (3, 7), (OCP, "bf8"): (2, 15)}
MOST = {(FNUZ, "fp8"): 240.0, (FNUZ, "bf8"): 57344.0, (OCP, "fp8"): 448.0, (OCP, "bf8"): 57344.0}


def value(target: str, kind: str, code: int) -> float:
    """What a code means: OCP 8-bit Floating Point Specification 1.0, and HIP's fp8_numbers.rst for FNUZ."""
    bits, bias = FORMATS[target, kind]
    if target == FNUZ and code == 0x80:
        return math.nan
    if target == OCP and kind == "fp8" and code & 0x7F == 0x7F:
        return math.nan
    if target == OCP and kind == "bf8" and code & 0x7C == 0x7C:
        return math.nan if code & 3 else math.copysign(math.inf, 0.5 - (code >> 7))
    exponent, fraction = (code & 0x7F) >> bits, code & (1 << bits) - 1
    size = (fraction / 2**bits + (exponent > 0)) * 2.0 ** (max(exponent, 1) - bias)
    return -size if code & 0x80 else size


@functools.cache
def finite_codes(target: str, kind: str) -> dict[int, float]:
    return {c: v for c in range(256) if math.isfinite(v := value(target, kind, c))}


def nearest(target: str, kind: str, x: float) -> set[int]:
    """The codes that x may become; more than one only where x is a NaN."""
    finite = finite_codes(target, kind)
    most = max(finite.values())
    step = most - max(v for v in finite.values() if v < most)
    sign = 0x80 if math.copysign(1, x) < 0 else 0
    if math.isnan(x):
        return {c for c in range(256) if math.isnan(value(target, kind, c))}
    if math.isinf(x) or abs(x) > most + step / 2 or (abs(x) == most + step / 2 and max_is_odd(target, kind)):
        return {0x80} if target == FNUZ else {sign | (0x7F if kind == "fp8" else 0x7C)}
    same = [c for c in finite if c & 0x80 == sign] + ([0] if sign and target == FNUZ else [])
    code = min(same, key=lambda c: (abs(abs(finite[c]) - abs(x)), c & 1))
    return {code}


def max_is_odd(target: str, kind: str) -> bool:
    return max((value(target, kind, c), c) for c in range(128) if math.isfinite(value(target, kind, c)))[1] & 1 == 1


def records(*sources: np.ndarray, old: int = 0) -> np.ndarray:
    out = np.zeros((len(sources[0]), RECORD), np.uint32)
    for i, source in enumerate(sources):
        out[:, 2 * i] = np.asarray(source).view(np.uint32) if source.dtype == np.float32 else source
    out[:, 6] = old
    return out


TEXTS = {
    "f32": "v_cvt_f32_{0}_e32 v12, v4",
    "f32 byte 1": "v_cvt_f32_{0}_sdwa v12, v4 src0_sel:BYTE_1",
    "f32 byte 2": "v_cvt_f32_{0}_sdwa v12, v4 src0_sel:BYTE_2",
    "f32 byte 3": "v_cvt_f32_{0}_sdwa v12, v4 src0_sel:BYTE_3",
    "pair": "v_cvt_pk_f32_{0}_e32 v[12:13], v4",
    "pair word 1": "v_cvt_pk_f32_{0}_sdwa v[12:13], v4 src0_sel:WORD_1",
    "pack": "v_cvt_pk_{0}_f32 v12, v4, v6",
    "pack high": "v_cvt_pk_{0}_f32 v12, v4, v6 op_sel:[0,0,1]",
    "pack signs": "v_cvt_pk_{0}_f32 v12, -v4, |v6|",
    "dither": "v_cvt_sr_{0}_f32 v12, v4, v6",
    "dither 1": "v_cvt_sr_{0}_f32 v12, v4, v6 op_sel:[0,0,1,0]",
    "dither 2": "v_cvt_sr_{0}_f32 v12, v4, v6 op_sel:[0,0,0,1]",
    "dither 3": "v_cvt_sr_{0}_f32 v12, v4, v6 op_sel:[0,0,1,1]",
    "saturated": "v_mov_b32_e32 v12, 0\n\t"
    "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n\tv_cvt_pk_{0}_f32 v12, v4, v6",
}


@pytest.fixture(scope="module", params=[FNUZ, OCP])
def machine(request: pytest.FixtureRequest) -> tuple[str, Singles]:
    texts = {f"{key} {kind}": text.format(kind) for key, text in TEXTS.items() for kind in ("fp8", "bf8")}
    return request.param, Singles(texts, target=request.param)


CODES = np.arange(256, dtype=np.uint32)


@pytest.mark.parametrize("kind", ["fp8", "bf8"])
def test_every_code_means_what_its_format_says(machine: tuple[str, Singles], kind: str) -> None:
    target, run = machine
    want = np.array([value(target, kind, int(c)) for c in CODES], np.float32)
    for byte in range(4):
        key = f"f32{f' byte {byte}' if byte else ''} {kind}"
        assert not run.unknown(key)
        got = run.run(key, records(CODES << 8 * byte | ~np.uint32(0) & ~np.uint32(255 << 8 * byte)))[:, 0]
        np.testing.assert_array_equal(got.view(np.float32), want)
        real = np.isfinite(want)
        assert (got[real] == want[real].view(np.uint32)).all()  # the signs of zeros too
    for word in range(2):
        key = f"pair{f' word {word}' if word else ''} {kind}"
        got = run.run(key, records((CODES | (CODES ^ 0x5A) << 8) << 16 * word))[:, :2].copy().view(np.float32)
        np.testing.assert_array_equal(got[:, 0], want)
        np.testing.assert_array_equal(got[:, 1], want[CODES ^ 0x5A])


def numbers(target: str, kind: str) -> np.ndarray:
    """Every value, every midpoint and what lies one ulp beside either, in both signs; the ends; random ones."""
    values = sorted({abs(v) for c in range(256) if math.isfinite(v := value(target, kind, c))})
    spots = np.array(values + [(a + b) / 2 for a, b in itertools.pairwise(values)], np.float32)
    most, step = values[-1], values[-1] - values[-2]
    ends = np.array([0, 1e-45, 1e-38, most + step / 2, most + step, 3e38, np.inf, np.nan, 65504], np.float32)
    everything = np.concatenate([spots, ends])
    near = [np.nextafter(everything, np.float32(s)) for s in (0, np.inf)]
    random = np.exp2(np.random.default_rng(3).uniform(-20, 18, 50)).astype(np.float32)
    positive = np.concatenate([everything, *near, random])
    return np.concatenate([positive, -positive]).astype(np.float32)


@pytest.mark.parametrize("kind", ["fp8", "bf8"])
def test_a_float_becomes_the_nearest_code(machine: tuple[str, Singles], kind: str) -> None:
    target, run = machine
    x = numbers(target, kind)
    got = run.run(f"pack {kind}", records(x, x[::-1].copy(), old=0xABCD1234))[:, 0]
    assert (got >> 16 == 0xABCD).all()
    for i, word in enumerate(got):
        assert int(word) & 255 in nearest(target, kind, float(x[i])), x[i]
        assert int(word) >> 8 & 255 in nearest(target, kind, float(x[::-1][i])), x[::-1][i]
    high = run.run(f"pack high {kind}", records(x, x[::-1].copy(), old=0xABCD1234))[:, 0]
    assert (high == (got << 16 | 0x1234)).all()
    signs = run.run(f"pack signs {kind}", records(x, x[::-1].copy()))[:, 0]
    plain = run.run(f"pack {kind}", records(-x, np.abs(x[::-1])))[:, 0]
    assert (signs == plain).all()


@pytest.mark.parametrize("kind", ["fp8", "bf8"])
def test_a_code_survives_the_way_there_and_back(machine: tuple[str, Singles], kind: str) -> None:
    target, run = machine
    floats = np.array([value(target, kind, int(c)) for c in CODES], np.float32)
    back = run.run(f"pack {kind}", records(floats, floats))[:, 0]
    for code, f, word in zip(CODES, floats, back, strict=True):
        assert int(word) & 255 == int(code) or np.isnan(f)


@pytest.mark.parametrize("kind", ["fp8", "bf8"])
def test_the_random_number_is_added_to_the_fraction(machine: tuple[str, Singles], kind: str) -> None:
    target, run = machine
    x = numbers(target, kind)
    random = np.random.default_rng(4).integers(0, 1 << 32, len(x), dtype=np.uint64).astype(np.uint32)
    bits = x.view(np.uint32)
    added = (bits + (random >> (12 if kind == "fp8" else 11))) & 0x7FFFFF | bits & 0xFF800000
    tmp = added.astype(np.uint32).view(np.float32)
    for byte in range(4):
        got = run.run(f"dither{f' {byte}' if byte else ''} {kind}", records(x, random, old=0x01020304))[:, 0]
        for i, word in enumerate(got):
            assert int(word) >> 8 * byte & 255 in nearest(target, kind, float(tmp[i])), (x[i], random[i])
            assert int(word) & ~(255 << 8 * byte) == 0x01020304 & ~(255 << 8 * byte)


@pytest.mark.parametrize("kind", ["fp8", "bf8"])
def test_the_overflow_mode_gives_the_largest_value(machine: tuple[str, Singles], kind: str) -> None:
    target, run = machine
    most = MOST[target, kind]
    x = np.array([most * 2, -most * 2, 3e38, -3e38, most, np.inf, np.nan, 1], np.float32)
    got = run.run(f"saturated {kind}", records(x, x))[:, 0] & 255
    assert [value(target, kind, int(c)) for c in got[:5]] == [most, -most, most, -most, most]
    assert not math.isfinite(value(target, kind, int(got[5])))
    assert math.isnan(value(target, kind, int(got[6])))
    assert value(target, kind, int(got[7])) == 1

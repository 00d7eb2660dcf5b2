# ruff: noqa: E501, ARG005, B023 (tables of functions, a row each, called within the loop that makes them)
"""The shims for device functions, run on AMD machine code: what CUDA's math API and the PTX ISA say, on edge values."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import ptx_semantics as ptx
import pytest
from test_shims import body_of_test

from hipport.errors import UntestedError
from hipport.porting import shims
from hipport.rewrites.missing_function import shimmed

NAMES = ("address_space", "async_copy", "bfloat_functions", "cache_hints", "cg_memcpy_async", "dot_product", "dpx", "float8_ocp", "half_conversions", "half_functions", "integer_math", "ptx_atomic",
         "ptx_bits", "ptx_carry", "ptx_convert", "ptx_float", "ptx_float8", "ptx_half", "ptx_integer", "ptx_memory", "ptx_pairs", "ptx_parts",
         "ptx_shuffle", "ptx_video",
         "rounded_math", "simd_bytes", "thread_sleep")  # fmt: skip
pytestmark = pytest.mark.amd
RNG = np.random.default_rng(11)
WORDS = np.concatenate(
    [
        RNG.permutation(np.array([0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x80808080, 0x7F7F7F7F, 0x80007FFF, 0x01800180, 0xFF00FF00,
                  0x00FF00FF, 0x55AA55AA], np.uint64).repeat(8)),
        RNG.integers(0, 1 << 32, 96, dtype=np.uint64),
    ]
).astype(np.uint32)  # fmt: skip
FLOATS = np.array([0, -0.0, 1, -1, 0.1, -0.3, 3, 7, 1e-45, -1e-45, 1.1754944e-38, 3.4028235e38, -3.4028235e38, np.inf, -np.inf, np.nan,
                   0.33333334, 1.0000001, 0.99999994, 16777217, 255.5, 127.5, 128.5, 448, 464, 1e-3, 2.5e-38, 1e30, 1e-30, 65504, 65519, 65520],
                  np.float32)  # fmt: skip


@pytest.fixture(scope="module", params=["gfx942", "gfx950"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, amd: Any) -> Any:
    """All kernels of these shims' tests, ready to run."""
    del amd
    import hipport

    parts = [shims.header(name).replace("#pragma once\n", "") for name in NAMES]
    path = tmp_path_factory.mktemp("functions") / "all.hip"
    path.write_text("".join(parts) + "".join(body_of_test(name) for name in NAMES))
    try:
        module = hipport.device(f"isa:{request.param}").build(path)
    except UntestedError as error:
        pytest.skip(str(error))
    return lambda name, *arguments, block=64: module[name](grid=1, block=block, args=list(arguments))


def test_the_rule_knows_what_the_shims_replace() -> None:
    said = {name: shim for shim in shims.names() for name in shims.shim(shim).replaces}
    for function, (shim, why) in shimmed().items():
        assert said[function] == shim
        assert why
        assert re.search(rf"\b{function.lstrip('_')}\(", shims.header(shim) + body_of_test(shim)) or shim in (
            "rounded_math",
            "half_functions",
            "half_conversions",
            "bfloat_functions",
        )
    for name in NAMES:
        if name not in ("cg_memcpy_async", "float8_ocp"):
            assert {f for f, (shim, _) in shimmed().items() if shim == name} == set(shims.shim(name).replaces)


def lanes(x: int, width: int, kind: str) -> list[int]:
    return [ptx.number(x >> width * i & (1 << width) - 1, f"{kind}{width}") for i in range(32 // width)]


def packed(values: list[int], width: int) -> int:
    return sum((v & (1 << width) - 1) << width * i for i, v in enumerate(values))


def simd(name: str, a: int, b: int) -> int:
    """CUDA Math API, SIMD intrinsics: `name` without underscores and with its number of parts."""
    width = 32 // int(name[-1])
    name = name[1:-1]
    for prefix in ("cmp", "set"):
        if name.startswith(prefix):
            test = name[3:5]
            kind = "s" if name.endswith("s") and len(name) == 6 else "u"
            ok = [{"eq": x == y, "ne": x != y, "ge": x >= y, "gt": x > y, "le": x <= y, "lt": x < y}[test]
                  for x, y in zip(lanes(a, width, kind), lanes(b, width, kind), strict=True)]  # fmt: skip
            return packed([(-1 if prefix == "cmp" else 1) * o for o in ok], width)
    most = (1 << (width - 1)) - 1
    saturating = {"s": lambda v: max(-most - 1, min(most, v)), "u": lambda v: max(0, min(2 * most + 1, v))}
    signed = name in ("abs", "absss", "neg", "negss", "absdiffs", "avgs", "maxs", "mins", "sads") or name.endswith("ss")
    pairs = list(zip(lanes(a, width, "s" if signed else "u"), lanes(b, width, "s" if signed else "u"), strict=True))
    if name.startswith("sad"):
        return sum(abs(x - y) for x, y in pairs) & 0xFFFFFFFF
    of = {
        "abs": lambda x, y: abs(x), "absss": lambda x, y: saturating["s"](abs(x)), "neg": lambda x, y: -x,
        "negss": lambda x, y: saturating["s"](-x), "absdiffs": lambda x, y: abs(x - y), "absdiffu": lambda x, y: abs(x - y),
        "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "addss": lambda x, y: saturating["s"](x + y),
        "addus": lambda x, y: saturating["u"](x + y), "subss": lambda x, y: saturating["s"](x - y),
        "subus": lambda x, y: saturating["u"](x - y), "avgs": lambda x, y: (x + y + 1 if x + y >= 0 else x + y) >> 1,
        "avgu": lambda x, y: (x + y + 1) >> 1, "haddu": lambda x, y: (x + y) >> 1, "maxs": max, "maxu": max, "mins": min, "minu": min,
    }[name]  # fmt: skip
    return packed([of(x, y) for x, y in pairs], width)


def kernel_functions(name: str) -> list[str]:
    return [f.lstrip("_") for f in re.findall(r"hipport::(\w+)\(", body_of_test(name))]


def test_simd_functions_work_on_each_part(run: Any) -> None:
    names = kernel_functions("simd_bytes")
    out = np.zeros((64, len(names)), np.uint32)
    run("simd_bytes", WORDS, out)
    for t in range(64):
        for i, name in enumerate(names):
            want = simd(name, int(WORDS[t]), int(WORDS[t + 64]))
            assert out[t, i] == want, (name, hex(WORDS[t]), hex(WORDS[t + 64]), hex(out[t, i]), hex(want))


def dpx(name: str, a: int, b: int, c: int) -> tuple[int, int]:
    """CUDA Math API, DPX: the result, and the comparison's outcome (high half's, then low half's)."""
    body, kind, *relu = name[2:].split("_")
    width, sign = (16, kind[0]) if "x2" in kind else (32, kind[0])
    triples = list(zip(*(lanes(v, width, sign) for v in (a, b, c)), strict=True))
    wrap = lambda v: ptx.number(v & (1 << width) - 1, f"{sign}{width}")  # noqa: E731
    if body.startswith("b"):
        first = [x >= y if body == "bmax" else x <= y for x, y, _ in triples]
        value = packed([x if f else y for f, (x, y, _) in zip(first, triples, strict=True)], width)
        return value, first[0] if width == 32 else first[1] + 2 * first[0]
    of = {"max": lambda x, y, z: max(x, y), "min": lambda x, y, z: min(x, y), "max3": max, "min3": min,
          "addmax": lambda x, y, z: max(wrap(x + y), z), "addmin": lambda x, y, z: min(wrap(x + y), z)}[body]  # fmt: skip
    return packed([max(0, of(*v)) if relu else of(*v) for v in triples], width), 0


def test_dpx_functions(run: Any) -> None:
    names = kernel_functions("dpx")
    out = np.zeros((64, len(names), 2), np.uint32)
    run("dpx", WORDS, out)
    for t in range(64):
        for i, name in enumerate(names):
            got = tuple(int(v) for v in out[t, i])
            assert got == dpx(name, *(int(v) for v in WORDS[[t, t + 64, t + 128]])), name


def test_dot_products_sum_bytes(run: Any) -> None:
    out = np.zeros((64, 6), np.int32)
    run("dot_product", WORDS, out)
    for t in range(64):
        a, b = int(WORDS[t]), int(WORDS[t + 64])
        want = [ptx.dp4a(["s32", "s32"], a, b, 5), ptx.dp4a(["u32", "u32"], a, b, 5), ptx.dp2a(["lo", "s32", "s32"], a, b, 5),
                ptx.dp2a(["hi", "u32", "u32"], a, b, 5), ptx.dp4a(["s32", "s32"], a, b, 5), ptx.dp4a(["u32", "s32"], a, b, 5)]  # fmt: skip
        assert list(out[t].view(np.uint32)) == want


def test_a_pipeline_copy_fills_with_zeros(run: Any) -> None:
    x = (np.arange(256, dtype=np.float32) + 1).reshape(64, 4)
    out = np.zeros((64, 4), np.float32)
    run("async_copy", x, out)
    want = x.copy()
    for t in range(64):
        want[t, 4 - t % 5 :] = 0
        if t % 3 == 0:
            want[t, 1] = x[t, 3]
        if t % 3 == 1:
            want[t, 2:] = (x[t, 0], 0)
    assert (out == want[::-1]).all()


def test_cache_hints_move_every_type(run: Any) -> None:
    x = RNG.integers(0, 1 << 32, (64, 4), dtype=np.uint64).astype(np.uint32)
    out, copy, doubles = np.zeros((320, 4), np.uint32), np.zeros(128, np.uint8), np.zeros(64)
    wide = RNG.standard_normal(64)
    run("cache_hints", x, out, np.arange(64, dtype=np.uint8), copy, wide, doubles)
    assert (out.reshape(5, 64, 4) == x).all()
    assert list(copy) == [*range(64), *[7] * 64]
    assert (doubles == wide).all()
    pairs = np.zeros(256, np.uint32)
    run("cache_hints_pairs", WORDS[:64].copy(), pairs)
    assert (pairs.reshape(4, 64) == WORDS[:64]).all()


def test_address_spaces(run: Any) -> None:
    x = WORDS[:64].copy()
    out = np.zeros(192, np.uint32)
    run("address_space", x, out)
    assert (out[:64] == x[::-1]).all()
    assert (out[64:128] == 7).all()
    assert (out[128:] == x).all()


@pytest.mark.parametrize("count", [0, 1, 33, 200, 256])
def test_a_group_copies_its_bytes(run: Any, count: int) -> None:
    x = np.arange(256, dtype=np.uint32) * 0x01010101 + 3
    out = np.zeros(512, np.uint32)
    run("cg_memcpy_async", x, out, np.uint32(count), block=256)
    tile = np.full(256, 7, np.uint32)
    tile[:count] = x[:count]
    assert (out[:256] == tile[::-1]).all()
    for part in range(8):
        own = tile[32 * part : 32 * part + 32].view(np.uint8)
        own[1:14] = x.view(np.uint8)[1:14]
        own[32:44] = x.view(np.uint8)[32:44]
    assert (out[256:] == tile).all()


def test_sleep_ends(run: Any) -> None:
    out = np.zeros(64, np.uint32)
    run("thread_sleep", WORDS, out)
    assert (out == 1).all()


def directed(exact: Fraction, way: str, kind: str) -> float:
    """The float of a type next to an exact value in a direction."""
    near = ptx.real(ptx.raw(exact, kind), kind)
    of = np.float32 if kind == "f32" else np.float64
    up = way == "ru" or (way == "rz" and exact < 0)
    if math.isinf(near):
        most = float(np.finfo(of).max)
        return near if (near > 0) == up else math.copysign(most, near)
    if Fraction(near) == exact or (Fraction(near) > exact) == up:
        return near
    return float(np.nextafter(of(near), of(math.inf if up else -math.inf)))


def exact_values(a: float, b: float, c: float) -> list[Fraction | None]:
    a_, b_, c_ = (Fraction(v) for v in (a, b, c))
    return [a_ + b_, a_ - b_, a_ * b_, a_ * b_ + c_, a_ / b_ if b_ else None, "root", 1 / a_ if a_ else None]  # type: ignore[list-item]


def root(a: float, way: str, kind: str) -> float:
    """The directed square root: the candidate whose square lies on the right side."""
    of = np.float32 if kind == "f32" else np.float64
    near = of(math.sqrt(a))
    below, above = np.nextafter(near, of(0)), np.nextafter(near, of(math.inf))
    candidates = [float(v) for v in (below, near, above)]
    fitting = [
        v for v in candidates if (Fraction(v) ** 2 >= Fraction(a) if way == "ru" else Fraction(v) ** 2 <= Fraction(a))
    ]
    return min(fitting) if way == "ru" else max(fitting)


def test_directed_rounding_is_exact(run: Any) -> None:
    x = RNG.choice(FLOATS[np.isfinite(FLOATS)], 192).astype(np.float32)
    x[::3] = (RNG.standard_normal(64) * 10.0 ** RNG.integers(-30, 30, 64)).astype(np.float32)
    w = x.astype(np.float64) * RNG.choice([1.0, 1e-280, 1e250, 1 + 2**-50], 192)
    single, double = np.zeros((64, 26), np.float32), np.zeros((64, 22))
    run("rounded_math", x, single, w, double)
    for t in range(64):
        for values, row, kind in ((x, single, "f32"), (w, double, "f64")):
            a, b, c = (float(v) for v in values[3 * t : 3 * t + 3])
            for i, way in enumerate(("rd", "ru", "rz")):
                for j, exact in enumerate(exact_values(a, b, c)):
                    got = float(row[t, 7 * i + j])
                    if j == 5:
                        assert math.isnan(got) if a < 0 else got == (root(a, way, kind) if a else 0), (way, a, got)
                    elif exact is not None:
                        want = directed(exact, way, kind) if exact else 0.0
                        assert got == want, (way, j, kind, a, b, c, got, want)


def test_nearest_rounding_is_never_fused(run: Any) -> None:
    x = RNG.standard_normal(192).astype(np.float32) * 3 + 4
    w = x.astype(np.float64) * (1 + 2**-51)
    single, double = np.zeros((64, 26), np.float32), np.zeros((64, 22))
    run("rounded_math", x, single, w, double)
    a, b, c = x[::3], x[1::3], x[2::3]
    assert (single[:, 21] == a * b + c).all()
    assert (single[:, 22] == a * b - b * c).all()
    assert (double[:, 21] == w[::3] * w[1::3] + w[2::3]).all()
    assert (single[:, 25] != c * a + b).any(), "the plain expression is fused: that is what the shim avoids"
    positive = a > 0
    assert (single[positive, 23] == np.sqrt(a[positive])).all()
    for value, got in zip(a[positive], single[positive, 24], strict=True):
        near = [float(v) for v in (np.nextafter(got, np.float32(0)), got, np.nextafter(got, np.float32(9)))]
        middles = [(Fraction(near[0]) + Fraction(near[1])) / 2, (Fraction(near[1]) + Fraction(near[2])) / 2]
        assert middles[0] ** 2 * Fraction(float(value)) < 1 < middles[1] ** 2 * Fraction(float(value))


def halves(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x).view(np.float16).astype(np.float32).reshape(-1, 2)


def test_half_functions(run: Any) -> None:
    edges = np.array(
        [0, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 0x4248, 0x57F8, 0xD810, 0x0001, 0x3555], np.uint16
    )
    words = RNG.choice(edges, (192, 2)).astype(np.uint16).view(np.uint32).reshape(-1)
    out = np.zeros((64, 15), np.uint32)
    run("half_functions", words, out)
    a, b, c = (halves(words[i : i + 64]) for i in (0, 64, 128))
    with np.errstate(all="ignore"):
        for column, of in ((0, np.maximum), (1, np.minimum), (9, np.fmax), (10, np.fmin)):
            np.testing.assert_array_equal(halves(out[:, column]), of(a, b))
        total = (a.astype(np.float64) * b + c).astype(np.float16).astype(np.float32)
        np.testing.assert_array_equal(halves(out[:, 2]), np.where(np.isnan(total) | (total > 0), total, 0))
        bits = lambda m: m[:, 0] * np.uint32(0xFFFF) + m[:, 1] * np.uint32(0xFFFF0000)  # noqa: E731
        assert (out[:, 3] == bits(a == b)).all()
        assert (out[:, 4] == bits(~(a >= b))).all()
        differ = (a < b) | (a > b)
        assert (out[:, 11] == bits(differ) + differ.all(1)).all()
        assert (out[:, 12] == (~(a > b)).all(1)).all()
        unit = lambda x: np.where(x > 0, np.minimum(x, 1), 0).astype(np.float16)  # noqa: E731
        np.testing.assert_array_equal(halves(out[:, 13]), unit((a + b).astype(np.float16)))
        np.testing.assert_array_equal(halves(out[:, 14]), unit(total))
        low = np.nan_to_num(np.trunc(a[:, 0]), nan=0, posinf=1e4, neginf=-1e4)
        assert (out[:, 5].view(np.int32) == np.clip(low, -128, 127)).all()
        assert (out[:, 6] == np.clip(low, 0, 255)).all()
        real = (a[:, 0].astype(np.float64) * b[:, 0] + c[:, 0]).astype(np.float16).astype(np.float64)
        real = (-(a[:, 1].astype(np.float64)) * b[:, 1] + real).astype(np.float16).astype(np.float32)
        np.testing.assert_array_equal(halves(out[:, 7])[:, 0], real)
        np.testing.assert_allclose(halves(out[:, 8]), np.tanh(a), atol=1e-3)


KINDS = {"s16": np.int16, "u16": np.uint16, "s32": np.int32, "u32": np.uint32, "s64": np.int64, "u64": np.uint64}


def half_beside(x: int, way: str) -> float:
    """The half below, above, or on the near side of zero of an integer."""
    if not abs(x) <= 65504:
        outwards = (way == "rd") == (x < 0) and way != "rz"
        return math.copysign(math.inf if outwards else 65504, x)
    near = np.float16(x)
    down = way == "rd" or (way == "rz" and x > 0)
    if float(near) > x if down else float(near) < x:
        near = np.nextafter(near, np.float16(-np.inf if down else np.inf))
    return float(near)


def test_halves_and_integers_round_as_named(run: Any) -> None:
    h = np.concatenate(
        [
            np.array([0, 0.5, -0.5, 1.5, -1.5, 2.5, 1023.5, -0.0004, 65504, -65504, 32767, np.inf, -np.inf, np.nan, 3.998], np.float16),
            (RNG.standard_normal(49) * 10.0 ** RNG.integers(-1, 5, 49)).astype(np.float16),
        ]
    )  # fmt: skip
    x = np.concatenate(
        [
            np.array([0, 1, 2049, -2049, 2051, 65503, 65505, 65519, -65505, 65535, 65536, 1 << 62, -(1 << 63), 4097, 4099, 8193]),
            RNG.integers(-70000, 70000, 48),
        ]
    )  # fmt: skip
    out, back = np.zeros((64, 24), np.int64), np.zeros((64, 18), np.float16)
    run("half_conversions", h, x.astype(np.int64), out, back)
    whole = {"rn": round, "rd": math.floor, "ru": math.ceil, "rz": math.trunc}
    for t in range(64):
        f = float(h[t])
        for i, (kind, holds) in enumerate(KINDS.items()):
            limits = np.iinfo(holds)
            for j, way in enumerate(whole):
                want = 0 if f != f else limits.max if f == math.inf else limits.min if f == -math.inf else whole[way](f)  # noqa: PLR0124
                want = min(max(want, int(limits.min)), int(limits.max))
                assert ptx.bits(int(out[t, 4 * i + j]), "u64") == ptx.bits(want, "u64"), (f, kind, way)
            given = int(x[t].astype(np.int64).astype(holds))
            for j, way in enumerate(("rd", "ru", "rz")):
                assert back[t, 3 * i + j] == half_beside(given, way), (given, kind, way, back[t, 3 * i + j])


def brains(words: np.ndarray) -> np.ndarray:
    """Both bfloat16 of each word, as floats."""
    return np.stack([words << np.uint32(16), words & np.uint32(0xFFFF0000)], 1).view(np.float32)


def test_bfloat16_functions(run: Any) -> None:
    edges = np.array(
        [0, 0x8000, 0x3F80, 0xBF80, 0x7F80, 0xFF80, 0x7FC0, 0x4049, 0x42FE, 0xC2FF, 0x3EAB, 0x3F00], np.uint16
    )
    words = RNG.choice(edges, (192, 2)).astype(np.uint16).view(np.uint32).reshape(-1)
    out = np.zeros((64, 12), np.uint32)
    run("bfloat_functions", words, out)
    a, b, c = (brains(words[i : i + 64]) for i in (0, 64, 128))
    near = np.vectorize(lambda x: ptx.real(ptx.raw(float(x), "bf16"), "bf16"))
    equal = np.testing.assert_array_equal
    with np.errstate(all="ignore"):
        equal(brains(out[:, 0]), np.maximum(a, b))
        equal(brains(out[:, 1]), np.stack([np.minimum(a, b)[:, 0], a[:, 0]], 1))
        total = near(a.astype(np.float64) * b + c)
        equal(brains(out[:, 2]), np.where(np.isnan(total) | (total > 0), total, 0))
        bits = lambda m: m[:, 0] * np.uint32(0xFFFF) + m[:, 1] * np.uint32(0xFFFF0000)  # noqa: E731
        equal(out[:, 3], bits(a == b))
        equal(out[:, 4], bits(~(a >= b)))
        unit = lambda x: np.where(x > 0, np.minimum(x, 1), 0)  # noqa: E731
        equal(brains(out[:, 5]), unit(near(a.astype(np.float64) + b)))
        equal(brains(out[:, 6]), unit(total))
        equal(brains(out[:, 7]), (~(a >= b)).astype(np.float32))
        np.testing.assert_allclose(brains(out[:, 8]), np.tanh(a), atol=4e-3)
        equal(brains(out[:, 9]), np.fmax(a, b))
        differ = (a < b) | (a > b)
        equal(out[:, 10], bits(differ) + differ.all(1))
        equal(out[:, 11], (~(a >= b)).all(1))


def test_integer_functions(run: Any) -> None:
    out = np.zeros((64, 9), np.uint64)
    run("integer_math", WORDS, out)
    for t in range(64):
        a, b = int(WORDS[t]), int(WORDS[t + 64])
        wide, other = a << 32 | b, b << 32 | a
        signed = sorted((ptx.number(wide, "s64"), ptx.number(other, "s64")))
        assert [int(v) for v in out[t]] == [
            min(a, b), max(a, b), signed[0] & (1 << 64) - 1, signed[1] & (1 << 64) - 1, min(wide, other), max(wide, other),
            int.from_bytes((a & 0xFFFF).to_bytes(2, "little"), "big"), int.from_bytes(a.to_bytes(4, "little"), "big"),
            int.from_bytes(wide.to_bytes(8, "little"), "big"),
        ]  # fmt: skip


@pytest.mark.parametrize("name", ["ptx_bits", "ptx_integer", "ptx_carry", "ptx_video"])
def test_ptx_integer_shims(run: Any, name: str) -> None:
    """The functions themselves; test_ptx.py holds every use of them against the whole table of edges."""
    columns = 8 if name in ("ptx_bits", "ptx_integer") else 4
    out = np.zeros((64, columns), np.uint32)
    run(name, WORDS, out)
    for t in range(64):
        a, b = int(WORDS[t]), int(WORDS[t + 64])
        carried = a + b + 1
        want = {
            "ptx_bits": lambda: [ptx.bfe(["u32"], a, 4, 8), ptx.bfe(["s32"], a, 28, 8), ptx.bfi(["b32"], a, b, 8, 12),
                                 ptx.lop3([], a, b, 0xFF00FF, 0x96), ptx.prmt(["b32"], a, b, 0x7531), ptx.bfind(["u32"], a),
                                 ptx.shift(["b32"], a, t, left=True), ptx.shift(["s32"], a, t, left=False)],
            "ptx_integer": lambda: [ptx.add(["s32"], a, b), ptx.add(["s32"], a, b, -1), ptx.add(["sat", "s32"], a, b),
                                    ptx.mul(["hi", "s32"], a, b), ptx.mul(["hi", "u32"], a, b), ptx.mul24(["hi", "s32"], a, b),
                                    ptx.sad(["u32"], a, b, 7), ptx.magnitude(["s32"], a)],
            "ptx_carry": lambda: [carried & 0xFFFFFFFF, carried >> 32, (a - b - 1) & 0xFFFFFFFF, int(a < b + 1)],
            "ptx_video": lambda: [ptx.vabsdiff(["u32", "u32", "u32"], a, b), ptx.vabsdiff(["u32", "s32", "u32"], a, b),
                                  a >> t if t < 32 else 0, a << t % 32 & 0xFFFFFFFF],
        }[name]()  # fmt: skip
        assert list(out[t]) == want, (name, hex(a), hex(b))


def test_ptx_memory_shim(run: Any) -> None:
    out, counters = np.zeros((64, 8), np.uint32), np.array([990, 3], np.uint32)
    run("ptx_memory", WORDS, out, counters)
    x = WORDS[:64]
    assert (out[:, :4] == x.reshape(-1, 4).repeat(4, 0)).all()
    assert (out[:, 4:6] == x.reshape(-1, 2).repeat(2, 0)).all()
    assert (out[:, 6] == x[::-1]).all()
    assert sorted(out[:, 7]) == sorted((990 + i) % 1001 for i in range(64))
    assert counters[0] == (990 + 64) % 1001
    assert counters[1] == (3 - 64) % 7


def test_ptx_float_shims(run: Any) -> None:
    x = np.concatenate([RNG.permutation(FLOATS) for _ in range(4)])
    bits, out = x.view(np.uint32), np.zeros((64, 4), np.float32)
    run("ptx_float", x, out)
    for t in range(64):
        a, b = int(bits[t]), int(bits[t + 64])
        want = [
            ptx.flush(a),
            ptx.least_most(["NaN", "f32"], a, b, max),
            ptx.least_most(["NaN", "f32"], a, b, min),
            ptx.cvt(["sat", "f32", "f32"], a),
        ]
        for got, code in zip(out[t].view(np.uint32), want, strict=True):
            assert got == code or (
                ptx.real(int(got), "f32") != ptx.real(int(got), "f32")
                and ptx.real(code, "f32") != ptx.real(code, "f32")
            )


def test_ptx_conversion_shims(run: Any) -> None:
    x = np.concatenate([RNG.permutation(FLOATS) for _ in range(4)])
    bits = [int(v) for v in x.view(np.uint32)]
    half, number, eight = (np.zeros((64, 4), np.uint32) for _ in range(3))
    run("ptx_half", x, half)
    run("ptx_convert", x, number)
    run("ptx_float8", x, eight)
    nan = lambda v, kind: math.isnan(ptx.real(v, kind))  # noqa: E731
    for t in range(64):
        a, b = bits[t], bits[t + 64]
        for shift, source in ((0, a), (16, b)):
            got, want = int(half[t, 0]) >> shift & 0xFFFF, ptx.cvt(["rn", "f16", "f32"], source)
            assert got == want or (nan(got, "f16") and nan(want, "f16"))
        assert half[t, 2] == ptx.cvt(["rn", "bf16", "f32"], a)
        assert number[t, 0] == ptx.cvt(["rni", "s32", "f32"], a)
        assert number[t, 1] == ptx.cvt(["rzi", "u8", "f32"], a)
        assert number[t, 2].view(np.int32) == max(-128, min(127, t * 9 - 300))
        assert number[t, 3] == ptx.cvt(["rna", "tf32", "f32"], a)
        assert eight[t, 0] == ptx.cvt(["rn", "satfinite", "e4m3x2", "f32"], a, a ^ 0x80000000)
        assert eight[t, 1] == ptx.cvt(["rn", "satfinite", "e5m2x2", "f32"], a, a ^ 0x80000000)
        for column, kind in ((2, "e4m3x2"), (3, "e5m2x2")):
            want = ptx.cvt(["rn", "f16x2", kind], t << 8 | (t + 64))
            for shift in (0, 16):
                got, code = int(eight[t, column]) >> shift & 0xFFFF, want >> shift & 0xFFFF
                assert got == code or (nan(got, "f16") and nan(code, "f16"))


def test_ocp_floats_are_the_same_on_every_target(run: Any) -> None:
    x = np.concatenate(
        [RNG.permutation(FLOATS), (RNG.standard_normal(32) * 2.0 ** RNG.integers(-12, 12, 32)).astype(np.float32)]
    )
    out, values = np.zeros((64, 9), np.uint32), np.zeros(512, np.float32)
    run("float8_ocp", x, out, values)
    for code in range(256):
        for got, kind in ((values[code], "e4m3"), (values[256 + code], "e5m2")):
            want = ptx.value8(code, kind)
            assert got == want or (math.isnan(got) and math.isnan(want))
    for t in range(64):
        f = float(x[t])
        four, two = ptx.float8(f, "e4m3"), ptx.float8(f, "e5m2")
        sign = 128 if math.copysign(1, f) < 0 else 0
        assert list(out[t, :2]) == [four, two]
        assert out[t, 2] == (sign | 0x7F if abs(f) > 464 else four)
        assert out[t, 3] == (sign | 0x7C if abs(f) >= 61440 else two)
        minus = four if math.isnan(f) else four ^ 128
        assert out[t, 4] == four | minus << 8 | 0x38 << 16 | 0x7E << 24
        assert out[t, 7] == two | 0x40 << 8
        near = ptx.real(ptx.cvt(["rn", "bf16", "f32"], int(x[t].view(np.uint32))), "bf16")
        assert out[t, 8] == ptx.float8(near, "e4m3") | 0xC0 << 8
        with np.errstate(over="ignore"):
            assert out[t, 6] == ptx.float8(float(np.float16(x[t])), "e5m2")
        assert out[t, 5] == ptx.float8(f * (1 + 2.0**-40), "e4m3")


def test_ptx_atomic_shim(run: Any) -> None:
    words, sums = np.zeros(4, np.uint32), np.zeros(4, np.float32)
    run("ptx_atomic", words, sums)
    assert list(words) == [0x58005400, 0x43004280, 0x53E0 << 16, 0xC27C]  # sums of 64, the largest, the least
    assert list(sums) == [64, 128, sum(range(64)), -64]


def test_ptx_pairs_shim(run: Any) -> None:
    x = RNG.standard_normal(256).astype(np.float32)
    out = np.zeros((64, 4), np.float32)
    run("ptx_pairs", x.view(np.uint64), out.view(np.uint64))
    a, b = x[:128].reshape(64, 2), x[128:].reshape(64, 2)
    assert (out[:, :2] == a - b).all()
    assert (out[:, 2:] == (a.astype(np.float64) * b + a).astype(np.float32)).all()


def test_ptx_shuffle_shim(run: Any) -> None:
    x, out = np.arange(64, dtype=np.uint32) * 3, np.full(640, 77, np.uint32)
    run("ptx_shuffle", x, out)
    rows = out[:512].reshape(64, 8)
    for t in range(64):
        lane, base = t % 32, t // 32 * 32
        up = lane % 8 >= 3
        down = lane + 5 < 32
        across = (lane ^ 9) <= (lane & 24 | 7)
        source = lane & 16 | 3 * t & 15
        for at, within, other in ((0, up, lane - 3), (2, down, lane + 5), (4, across, lane ^ 9), (6, True, source)):
            assert rows[t, at + 1] == within
            assert rows[t, at] == 3 * (base + (other if within else lane))
        assert out[512 + t] == (77 if lane <= 6 else 7 | (lane == 7) << 8)
        assert out[576 + t] == (1 | 2 if t < 32 else 1)


def test_ptx_parts_shim(run: Any) -> None:
    x = RNG.integers(0, 1 << 64, 64, dtype=np.uint64)
    out = np.zeros((64, 2), np.uint64)
    run("ptx_parts", x, out)
    assert (out[:, 0] == (x >> np.uint64(32) | x << np.uint64(32))).all()
    low = x & np.uint64(0xFFFFFFFF)
    assert (out[:, 1] == (low >> np.uint64(16) | low << np.uint64(16)) & np.uint64(0xFFFFFFFF)).all()

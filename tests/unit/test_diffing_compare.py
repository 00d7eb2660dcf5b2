"""Comparison by contract, on arrays alone: what passes, what does not, what an absolute tolerance lets by."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from hipport.diffing.compare import compare, spread_of
from hipport.diffing.contract import Contract
from hipport.diffing.families import encoded
from hipport.diffing.formats import Tensor, ulps
from hipport.diffing.owners import Owners
from hipport.diffing.verdict import Kind, What
from hipport.errors import UsageError

STRICT = Contract.named("strict-f32")
EXACT = Contract.named("exact")
RANDOM = np.random.default_rng(3)


def f32(values) -> Tensor:
    return Tensor.of(np.asarray(values, dtype=np.float32))


def verdict(got, want, contract=STRICT, **more):
    return compare({"y": got}, {"y": want}, contract, **more)


@pytest.mark.parametrize("scale", [1.0, 1e-4, 1e4])
def test_lost_lanes_are_seen_at_every_scale(scale) -> None:
    x = (RANDOM.standard_normal((64, 64)) * scale).astype(np.float32)
    whole, half = x.sum(axis=1), x[:, :32].sum(axis=1)
    found = verdict(f32(half), f32(whole), STRICT.with_length(64))
    assert found.kind is Kind.DIFFERS
    assert found.differences[0].what is What.MAGNITUDE
    if scale == 1e-4:
        assert np.allclose(half, whole, rtol=1e-2, atol=1e-2)  # what an absolute tolerance lets by


def test_another_order_of_a_long_sum_passes_and_a_lost_term_does_not() -> None:
    x = RANDOM.standard_normal((32, 4096)).astype(np.float32)
    tree, row = x.copy(), np.zeros(32, dtype=np.float32)
    while tree.shape[1] > 1:
        tree = tree[:, ::2] + tree[:, 1::2]
    for column in x.T:
        row += column
    contract = STRICT.with_length(4096)
    assert verdict(f32(row), f32(tree[:, 0])).kind is Kind.DIFFERS  # without the length of the sum
    assert verdict(f32(row), f32(tree[:, 0]), contract).kind is Kind.SAME
    assert verdict(f32(tree[:, 0] - x[:, 7]), f32(tree[:, 0]), contract).kind is Kind.DIFFERS


def test_shape_dtype_and_presence_come_before_magnitude() -> None:
    want = f32(np.zeros((4, 5)))
    for got, what in ((f32(np.zeros((1,))), What.SHAPE), (Tensor.of(np.zeros((4, 5))), What.DTYPE)):
        assert verdict(got, want).differences[0].what is what
    assert compare({}, {"y": want}, STRICT).differences[0].what is What.MISSING
    assert compare({}, {}, STRICT).kind is Kind.UNPROVEN


def test_nan_and_infinity_must_stand_in_the_same_places() -> None:
    want = f32([1.0, math.nan, math.inf, -math.inf])
    assert verdict(f32([1.0, math.nan, math.inf, -math.inf]), want).kind is Kind.SAME
    for got in (
        [math.nan] * 4,
        [1.0, 2.0, math.inf, -math.inf],
        [1.0, math.nan, -math.inf, -math.inf],
        [1.0, math.nan, 3e38, -math.inf],
    ):
        assert verdict(f32(got), want).differences[0].what is What.CLASS


def test_exact_means_bits_and_whole_numbers_are_always_exact() -> None:
    assert verdict(f32([-0.0]), f32([0.0]), EXACT).kind is Kind.DIFFERS
    assert verdict(f32([-0.0]), f32([0.0])).kind is Kind.SAME
    one = f32([1.0, 2.0])
    assert verdict(f32(np.nextafter(one.data, np.float32(9))), one, EXACT).kind is Kind.DIFFERS
    assert verdict(f32(np.nextafter(one.data, np.float32(9))), one).kind is Kind.SAME
    loose = Contract.named("accelerated:bfloat16")
    assert verdict(Tensor.of(np.array([1000])), Tensor.of(np.array([1001])), loose).kind is Kind.DIFFERS


def test_a_pass_of_a_fast_path_is_none_of_a_strict_one() -> None:
    x = RANDOM.standard_normal(1000).astype(np.float32)
    rounded = Tensor.of(encoded(x, "bfloat16"), "bfloat16").values().astype(np.float32)
    assert verdict(f32(rounded), f32(x), Contract.named("accelerated:bfloat16")).kind is Kind.SAME
    assert verdict(f32(rounded), f32(x), Contract.named("accelerated:fast-math")).kind is Kind.DIFFERS
    assert verdict(f32(rounded), f32(x)).kind is Kind.DIFFERS
    for bad in ("strict", "accelerated", "accelerated:int4", "exact:tf32"):
        with pytest.raises(UsageError):
            Contract.named(bad)


def test_closer_to_the_truth_than_the_original_settles_a_difference() -> None:
    truth = RANDOM.standard_normal(100)
    want = f32(truth + 1e-3)
    better, worse = f32(truth + 1e-5), f32(truth + 2e-3)
    oracle = {"y": Tensor.of(truth)}
    found = verdict(better, want, oracle=oracle)
    assert (found.kind, found.margins[0].settled) == (Kind.SAME, 100)
    assert verdict(better, want).kind is Kind.DIFFERS
    assert verdict(worse, want, oracle=oracle).kind is Kind.DIFFERS


def test_the_original_s_own_spread_is_the_floor() -> None:
    first, second = f32([1.0, 2.0, 3.0]), f32([1.0, 2.0003, 3.0])
    floor, whole = spread_of([{"y": first}, {"y": second}])
    assert not whole
    assert 1e-4 < floor < 2e-4
    assert verdict(second, first).kind is Kind.DIFFERS
    assert verdict(second, first, STRICT.with_floor(floor)).kind is Kind.SAME
    assert verdict(f32([1.0, 2.01, 3.0]), first, STRICT.with_floor(floor)).kind is Kind.DIFFERS
    assert spread_of([{"n": Tensor.of(np.array([1]))}, {"n": Tensor.of(np.array([2]))}])[1]


def test_results_that_cancel_need_a_scale_of_their_own() -> None:
    noise = f32([1e-9, -2e-9])
    assert verdict(noise, f32([0.0, 0.0])).kind is Kind.DIFFERS
    assert verdict(noise, f32([0.0, 0.0]), replace(STRICT, scale=1.0)).kind is Kind.SAME


def test_a_row_is_held_to_its_own_scale() -> None:
    want = np.ones((2, 64), dtype=np.float32)
    want[1] *= 1e-6
    got = want.copy()
    got[1, 40:] = 0
    found = verdict(f32(got), f32(want), owners={"y": Owners(2, 64)})
    assert found.differences[0].count == 24
    assert found.differences[0].spread.text == "lanes 40-63"
    assert found.differences[0].spread.blocks == ((1, 24),)


def test_lanes_and_blocks_are_named() -> None:
    want = np.arange(1, 1025, dtype=np.float32)
    got = want.copy()
    got[(np.arange(1024) % 64) >= 32] += 1
    (row,) = verdict(f32(got), f32(want), owners={"y": Owners(4, 256)}).differences
    assert row.spread.text == "lanes 32-63"
    assert row.spread.bar == "." * 32 + "█" * 32
    assert row.spread.block_count == 4
    assert row.first == (32,)
    assert "lanes 32-63" in row.message
    sums = Owners(4, 256, "warp").spread(np.arange(32) % 2 == 1, (32,))
    assert sums.text == "lane 32"
    assert Owners(1024, 64).spread(np.ones(1024, dtype=bool), (1024,)).text == ""  # one element a block: no lane


def test_elements_that_may_come_in_any_order() -> None:
    got, want = Tensor.of(np.array([3, 1, 2])), Tensor.of(np.array([1, 2, 3]))
    assert verdict(got, want).kind is Kind.DIFFERS
    assert verdict(got, want, unordered=frozenset({"y"})).kind is Kind.SAME
    assert verdict(Tensor.of(np.array([3, 1, 1])), want, unordered=frozenset({"y"})).kind is Kind.DIFFERS


@pytest.mark.parametrize(
    ("dtype", "code", "value"),
    [
        ("float8_e4m3fn", 0x7E, 448.0),
        ("float8_e4m3fnuz", 0x7F, 240.0),
        ("float8_e4m3fn", 0x01, 2.0**-9),
        ("float8_e4m3fnuz", 0x01, 2.0**-10),
        ("float8_e5m2", 0x7B, 57344.0),
        ("float8_e5m2fnuz", 0x7F, 57344.0),
        ("bfloat16", 0x3F80, 1.0),
    ],
)
def test_small_formats_have_their_values(dtype, code, value) -> None:
    bits = np.array([code], dtype=np.uint16 if dtype == "bfloat16" else np.uint8)
    assert Tensor.of(bits, dtype).values()[0] == value
    assert encoded(np.array([value]), dtype)[0] == code


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"])
def test_fp8_numbers_are_encoded_to_themselves_and_saturate(dtype) -> None:
    every = Tensor.of(np.arange(256, dtype=np.uint8), dtype)
    finite = np.isfinite(every.values())
    again = Tensor.of(encoded(every.values()[finite], dtype), dtype).values()
    assert (again == every.values()[finite]).all()
    assert Tensor.of(encoded(np.array([1e9, -1e9]), dtype), dtype).values().tolist() == [
        every.values()[finite].max(),
        every.values()[finite].min(),
    ]
    assert np.isnan(Tensor.of(encoded(np.array([math.nan]), dtype), dtype).values()[0])


def test_fp8_of_torch_agrees() -> None:
    torch = pytest.importorskip("torch")
    values = np.concatenate(
        [RANDOM.standard_normal(4000) * 3, [0.0, 2.0**-10, 2.0**-11, 3 * 2.0**-11, 17.0, 19.0, 21.0]]
    )
    for dtype in ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"):
        theirs = (
            torch.tensor(values, dtype=torch.float64)
            .to(torch.float32)
            .to(getattr(torch, dtype))
            .view(torch.uint8)
            .numpy()
        )
        ours = encoded(values.astype(np.float32), dtype)
        first, second = (Tensor.of(bits, dtype).values() for bits in (ours, theirs))
        assert (first == second).all()


def test_ulps_count_across_zero_and_in_every_format() -> None:
    tiny = np.float32(1e-45)
    assert ulps(f32([-tiny]), f32([tiny]))[0] == 2
    assert ulps(f32([0.0]), f32([-0.0]))[0] == 0
    assert ulps(Tensor.of(np.array([1.0])), Tensor.of(np.nextafter([1.0], [2.0])))[0] == 1
    one, next_one = (Tensor.of(np.array([bits], dtype=np.uint16), "bfloat16") for bits in (0x3F80, 0x3F81))
    assert ulps(one, next_one)[0] == 1

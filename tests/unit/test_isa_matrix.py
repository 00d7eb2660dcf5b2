"""Matrix instructions against numpy: every shape and type, by the register layout that AMD documents."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from isa_single import Kernels

if not (shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")):
    pytest.skip("no C compiler on this machine", allow_module_level=True)

# name -> (m, n, k, blocks, type, registers of A)
SHAPES = {
    "v_mfma_f32_32x32x1_2b_f32": (32, 32, 1, 2, "f32", 1),
    "v_mfma_f32_16x16x1_4b_f32": (16, 16, 1, 4, "f32", 1),
    "v_mfma_f32_4x4x1_16b_f32": (4, 4, 1, 16, "f32", 1),
    "v_mfma_f32_32x32x2_f32": (32, 32, 2, 1, "f32", 1),
    "v_mfma_f32_16x16x4_f32": (16, 16, 4, 1, "f32", 1),
    "v_mfma_f32_32x32x4_2b_f16": (32, 32, 4, 2, "f16", 2),
    "v_mfma_f32_16x16x4_4b_f16": (16, 16, 4, 4, "f16", 2),
    "v_mfma_f32_4x4x4_16b_f16": (4, 4, 4, 16, "f16", 2),
    "v_mfma_f32_32x32x8_f16": (32, 32, 8, 1, "f16", 2),
    "v_mfma_f32_16x16x16_f16": (16, 16, 16, 1, "f16", 2),
    "v_mfma_f32_32x32x16_f16": (32, 32, 16, 1, "f16", 4),
    "v_mfma_f32_16x16x32_f16": (16, 16, 32, 1, "f16", 4),
    "v_mfma_f32_32x32x8_bf16": (32, 32, 8, 1, "bf16", 2),
    "v_mfma_f32_16x16x16_bf16": (16, 16, 16, 1, "bf16", 2),
    "v_mfma_f32_32x32x16_bf16": (32, 32, 16, 1, "bf16", 4),
    "v_mfma_f32_16x16x32_bf16": (16, 16, 32, 1, "bf16", 4),
    "v_mfma_f32_32x32x4_2b_bf16": (32, 32, 4, 2, "bf16", 2),
    "v_mfma_i32_32x32x4_2b_i8": (32, 32, 4, 2, "i8", 1),
    "v_mfma_i32_16x16x4_4b_i8": (16, 16, 4, 4, "i8", 1),
    "v_mfma_i32_4x4x4_16b_i8": (4, 4, 4, 16, "i8", 1),
    "v_mfma_i32_32x32x16_i8": (32, 32, 16, 1, "i8", 2),
    "v_mfma_i32_16x16x32_i8": (16, 16, 32, 1, "i8", 2),
    "v_mfma_i32_16x16x64_i8": (16, 16, 64, 1, "i8", 4),
    "v_mfma_i32_32x32x32_i8": (32, 32, 32, 1, "i8", 4),
    "v_mfma_f64_16x16x4_f64": (16, 16, 4, 1, "f64", 2),
    "v_mfma_f64_4x4x4_4b_f64": (4, 4, 4, 4, "f64", 2),
}
NUMPY = {"f32": np.float32, "f16": np.float16, "i8": np.int8, "f64": np.float64, "bf16": np.uint16}


def registers(shape):
    m, n, _, blocks, kind, a = shape
    return a, m * n * blocks // 64 * (2 if kind == "f64" else 1)


def span(first, count):
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


def body(name, shape):
    a, d = registers(shape)
    lines = ["	s_load_dwordx4 s[4:7], s[0:1], 0x0", "	v_lshlrev_b32_e32 v1, 2, v0"]
    first = 2
    for i in range(2 * a + d):
        lines += [
            f"	global_load_dword v{first + i}, v1, s[4:5]",
            "	s_add_u32 s4, s4, 0x100",
            "	s_addc_u32 s5, s5, 0",
        ]
    x, y, c = span(first, a), span(first + a, a), span(first + 2 * a, d)
    lines.append(f"	{name} {c}, {x}, {y}, {c}")
    for i in range(d):
        lines += [
            f"	global_store_dword v1, v{first + 2 * a + i}, s[6:7]",
            "	s_add_u32 s6, s6, 0x100",
            "	s_addc_u32 s7, s7, 0",
        ]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def kernels():
    return Kernels({name: body(name, shape) for name, shape in SHAPES.items()})


def place_of_d(shape, block, i, j):
    """(register, lane) of D, in elements: AMD lab notes, "AMD matrix cores"."""
    m, n, _, _, kind, _ = shape
    quad, groups = (1 if kind == "f64" else 4), 64 // n
    if m == 4:
        return (0, j + 4 * (block + 4 * i)) if kind == "f64" else (i, j + 4 * block)
    if kind == "f64":
        return i // groups, j + n * (i % groups)
    per_block = m // groups
    return block * per_block + i // (quad * groups) * quad + i % quad, j + n * (i // quad % groups)


def to_float(values, kind):
    if kind == "bf16":
        return (values.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return values.astype(np.int64 if kind == "i8" else np.float64)


def lanes_of(elements, shape):
    """Elements [block][i][k] in the order of the registers: (registers, 64) of uint32."""
    m, _, k, blocks, kind, a = shape
    per_lane = m * k * blocks // 64
    lanes = np.zeros((64, per_lane), NUMPY[kind])
    for block in range(blocks):
        for i in range(m):
            for x in range(k):
                lanes[i + m * (block + blocks * (x // per_lane)), x % per_lane] = elements[block, i, x]
    return lanes.view(np.uint32).reshape(64, a).T


@pytest.mark.parametrize("name", SHAPES)
def test_a_matrix_instruction_multiplies_as_numpy_does(name, kernels):
    shape = m, n, k, blocks, kind, _ = SHAPES[name]
    rng = np.random.default_rng(len(name) + k)
    if kind == "i8":
        x, y = (rng.integers(-128, 128, (blocks, m, k), dtype=np.int8) for _ in range(2))
    elif kind == "bf16":
        x, y = (
            (rng.standard_normal((blocks, m, k)).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
            for _ in "ab"
        )
    else:
        x, y = (rng.standard_normal((blocks, m, k)).astype(NUMPY[kind]) for _ in range(2))
    result_type = {"f64": np.float64, "i8": np.int32}.get(kind, np.float32)
    c = (rng.standard_normal((blocks, m, n)) * 10).astype(result_type)
    _, d = registers(shape)
    wide = kind == "f64"
    start = np.zeros((d // (2 if wide else 1), 64), result_type)
    for block, i, j in np.ndindex(blocks, m, n):
        start[place_of_d(shape, block, i, j)] = c[block, i, j]
    rows = start.view(np.uint32).reshape(-1, 64, 2).transpose(0, 2, 1).reshape(d, 64) if wide else start.view(np.uint32)
    given = np.ascontiguousarray(np.concatenate([lanes_of(x, shape), lanes_of(y, shape), rows]))
    out = np.zeros((d, 64), np.uint32)
    code, fault, _ = kernels.launch(name, given, out)
    assert code == 0, fault.message
    got = (
        np.ascontiguousarray(out.reshape(-1, 2, 64).transpose(0, 2, 1)).view(np.float64)[..., 0]
        if wide
        else out.view(result_type)
    )
    want = np.einsum("bik,bjk->bij", to_float(x, kind), to_float(y, kind)) + c
    for block, i, j in np.ndindex(blocks, m, n):
        value = got[place_of_d(shape, block, i, j)]
        assert value == pytest.approx(want[block, i, j], rel=1e-5, abs=1e-4 if not wide else 1e-12), (block, i, j)

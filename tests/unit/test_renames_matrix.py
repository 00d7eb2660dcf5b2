"""Code tied to NVIDIA's matrix units is told early, lexically, once a file for each library."""

from __future__ import annotations

import pytest
from lexical import rules

from hipport.config import Config, Stage
from hipport.model import Safety, SourceFile
from hipport.renames import find

TOLD = {
    "using Gemm = cutlass::gemm::device::Gemm<float>;\ncutlass::Status s;\n": (
        "`cutlass` (2 uses",
        "Composable Kernel",
    ),
    "using namespace cute;\nauto x = cute::make_layout(1);\n": ("`cute` (2 uses", "ck_tile"),
    "__global__ void __cluster_dims__(2, 1, 1) k() {}\n": ("no thread block clusters", "global memory"),
    "void f() { at::globalContext().setAllowTF32CuBLAS(true); }\n": ("xf32 on gfx942", "fp32's tolerance"),
    'void f() { at::globalContext().setFloat32MatmulPrecision("high"); }\n': ("xf32 on gfx942", "fp32's tolerance"),
    "float f(float x) { return wmma::__float_to_tf32(x); }\n": ("xfloat32_t, on gfx942", "assign the float"),
    "bool f(at::ScalarType t) { return t == at::kFloat4_e2m1fn_x2; }\n": ("gfx950 alone", "gcnArchName"),
    "wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> a;\n": (
        "precision::b1",
        "popcounts",
    ),
    "wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;\n": ("tf32", "gfx942 only"),
}
PTX = {
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%1}, {%2}, {%0};": "MFMA",
    "wgmma.fence.sync.aligned;": "warp groups",
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;": "tensor memory",
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];": "TMA",
    "mbarrier.init.shared.b64 [%0], 1;": "mbarrier",
    "bfe.u32 %0, %1, 4, 8;": "PTX rules",
}
SILENT = (
    "// cutlass::gemm\nint cute_number = 1; struct A { int cutlass; };\n",
    "int precision = 3; float s4 = x.precision;\n",
    '#ifdef USE_ROCM\n#else\nusing namespace cute;\n#endif\n__HIP_PLATFORM_AMD__ const char* s = "cutlass::gemm";\n',
)


def found(text: str) -> list[tuple[str, str, Safety]]:
    every = find(SourceFile("a.cu", text.encode()), rules(), Config(only=frozenset({Stage.RENAME})))
    return [(f.message, f.next_step, f.safety) for f in every if f.rule in ("matrix-units", "inline-ptx")]


@pytest.mark.parametrize("text", TOLD)
def test_what_needs_other_matrix_units_is_told(text: str) -> None:
    ((message, step, _),) = found(text)
    assert TOLD[text][0] in message
    assert TOLD[text][1] in step


@pytest.mark.parametrize("text", PTX)
def test_ptx_is_told_with_where_to_go(text: str) -> None:
    ((message, step, safety),) = found(f'__device__ void f() {{ asm volatile("{text}" :: "r"(0)); }}\n')
    assert "inline PTX" in message
    assert PTX[text] in step
    assert safety is Safety.MANUAL


@pytest.mark.parametrize("text", SILENT)
def test_other_words_are_not_told(text: str) -> None:
    assert not found(text)


PYTHON = {
    "import torch\ntorch.backends.cuda.matmul.allow_tf32 = True\n": "xf32 on gfx942",
    "torch.backends.cudnn.allow_tf32=True  # faster\n": "MIOpen has no TF32",
    "  torch.set_float32_matmul_precision('high')\n": "xf32 on gfx942",
    'torch.backends.fp32_precision = "tf32"\n': "xf32 on gfx942",
    "torch.backends.cuda.matmul.allow_tf32 = False\n": "",
    "# torch.backends.cuda.matmul.allow_tf32 = True\n": "",
    "torch.set_float32_matmul_precision('highest')\n": "",
    'print("allow_tf32 = True")\n': "",
    "parser.add_argument('--tf32', default=False)\n": "",
}


@pytest.mark.parametrize("text", PYTHON)
def test_a_python_program_that_asks_for_tf32_is_told(text: str) -> None:
    found = find(SourceFile("train.py", text.encode()), rules(), Config())
    assert [PYTHON[text] in f.message for f in found] == ([True] if PYTHON[text] else [])
    assert all(f.safety is Safety.REVIEW and f.rule == "matrix-units" and not f.edits for f in found)

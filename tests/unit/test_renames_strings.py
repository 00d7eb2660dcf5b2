"""Kernels inside strings are flagged with their place and never edited."""
# ruff: noqa: E501  (a case is one line)

from __future__ import annotations

import pytest
from lexical import findings, left, ported

CPP = 'const char* src = R"(\nextern "C" __global__ void k(float* p) { p[threadIdx.x] = 0; }\n)";\nnvrtcCreateProgram(&p, src, 0, 0, 0, 0);\n'
PYTHON = [
    'import cupy\nk = cupy.RawKernel(r"""\nextern "C" __global__ void k(float* p) { p[threadIdx.x] = 0; }\n""", "k")\n',
    "from torch.utils.cpp_extension import load_inline\nsrc = '''__global__ void k() {}'''\nload_inline('m', [], src)\n",
    'src = "__global__ void k() {" + body + "}"\n',
]


def test_a_kernel_source_for_nvrtc_is_flagged() -> None:
    found = [f for f in findings(CPP, "a.cpp") if f.rule == "kernel-in-string"]
    assert [CPP.encode()[f.span.start : f.span.start + 3] for f in found] == [b'"(\n']
    assert "NVRTC" in found[0].message
    assert not found[0].edits
    assert b'R"(\nextern "C" __global__' in ported(CPP, "a.cpp")


@pytest.mark.parametrize("text", PYTHON)
def test_a_kernel_source_in_python_is_flagged_and_the_file_stays(text: str) -> None:
    assert left(text, "a.py") == [("kernel-in-string", "manual")]
    assert ported(text, "a.py") == text.encode()


@pytest.mark.parametrize(
    "text",
    [
        'x = torch.device("cuda:0")  # cudaMalloc __global__\n',
        "'''Explains __global__ functions of CUDA.'''\n".replace("__global__", "global"),
        "if torch.cuda.is_available(): pass\n",
        's = \'open\nt = """also open\n',
    ],
)
def test_other_python_is_left_alone(text: str) -> None:
    assert left(text, "a.py") == []


def test_words_about_kernels_in_a_message_are_no_kernel() -> None:
    assert left('puts("call cudaMalloc first");', "a.h") == []
    assert left('printf("%d", threadIdx.x);', "a.h") == []

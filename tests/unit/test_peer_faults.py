"""What other porters are known to get wrong about names, launches, bytes and clobbered code: each is a test here."""
# ruff: noqa: E501  (a case is one line)

from __future__ import annotations

import pytest
from lexical import body, findings, left, ported

from hipport.config import Launch


def said(text: str, path: str = "a.h") -> str:
    return "\n".join(f.message for f in findings(text, path))


@pytest.mark.parametrize("line", [b"// caf\xe9", b'const char* s = "\xff\xfe";', b"/* \x80 */", b"int \xe9;"])
def test_a_file_that_is_no_utf8_is_ported_and_keeps_every_byte(line: bytes) -> None:
    assert ported(line + b"\ncudaFree(p);\n", "a.h") == line + b"\nhipFree(p);\n"


@pytest.mark.parametrize(
    "text",
    [
        "#include <cuda_fp8.h>\n",
        "__nv_fp8_e4m3 x;",
        "#include <cudnn.h>\n",
        "#include <nccl.h>\n",
        "#include <mma.h>\n",
        "#include <cuda_pipeline.h>\n",
        "#include <cuda/std/atomic>\n",
        "cudaLaunchKernelExC(&c, f, a);",
        "cuda::std::atomic<int> a;",
    ],
)
def test_what_others_do_not_know_is_mapped_or_named(text: str) -> None:
    assert said(text)


@pytest.mark.parametrize(
    "text",
    [
        "{k<<<g,b>>>(n);}",
        "if(1)k<<<g,b>>>(n);",
        "x->k<<<g,b>>>(n);",
        "arr[i]<<<g,b>>>(n);",
        "k<<<a<b?a:b,c>>>(n);",
        "t<1,(2>1)><<<g,b>>>(n);",
        "ns::k<<<g,b>>>(n);",
    ],
)
def test_a_launch_comes_out_whole_in_both_styles(text: str) -> None:
    assert body(text, "a.h") == text
    call = body(text, "a.h", Launch.GGL)
    assert "<<<" not in call
    assert call.count("(") == call.count(")")
    assert "({" not in call
    assert not call.startswith(("x->hip", "ns::hip", "arr[i]hip"))


@pytest.mark.parametrize("text", ["#if 0\nwe write k<<< here\n#endif\n", "k<<<", "a <<< b;\n" * 50])
def test_a_chevron_that_never_closes_ends_the_search(text: str) -> None:
    assert body(text, "a.h") == text
    assert body(text, "a.h", Launch.GGL) == text


def test_the_first_token_counts_and_comments_and_strings_do_not() -> None:
    text = 'cudaFree(p); // cudaFree\nputs("cudaFree"); /* cudaFree */'
    assert body(text, "a.h") == 'hipFree(p); // cudaFree\nputs("cudaFree"); /* cudaFree */'


def test_no_header_is_included_twice() -> None:
    text = "#include <cuda.h>\n#include <cuda_runtime.h>\n#include <cuda_runtime_api.h>\n#include <curand_kernel.h>\n#include <curand_kernel.h>\n"
    result = ported(text)
    assert result.count(b"<hip/hip_runtime.h>") == 1
    assert result.count(b"<hiprand/hiprand_kernel.h>") == 1


def test_each_branch_of_a_conditional_is_ported_by_itself() -> None:
    text = "#if A\ncudaFree(p);\n#elif B\ncudaFree(q);\n#else\nvoid f( {\ncudaFree(r);\n#endif\n"
    assert body(text, "a.h") == text.replace("cudaFree", "hipFree")


@pytest.mark.parametrize(
    "text",
    [
        "x = __ldg(p + i);",
        "b = __ballot_sync(1u << lane, p);",
        "v = __shfl_xor_sync(m >> 1, v, 4);",
        "__shared__ float tile[256];",
        "at::cuda::getCurrentCUDAStream();",
        "c10::cuda::CUDAGuard guard(device);",
        "tensor.is_cuda();",
        "C10_CUDA_KERNEL_LAUNCH_CHECK();",
    ],
)
def test_what_needs_no_rename_is_not_rewritten(text: str) -> None:
    assert body(text, "a.h") == text


def test_every_finding_has_its_place() -> None:
    text = "\n\n  cudaFree(p);\n#include <cuda.h>\n#ifdef __CUDACC__\n#endif\ncudaNoSuchThing##x;\nk << <1, 2>> >(n);\n"
    for finding in findings(text, "a.h"):
        assert 0 < finding.span.start < finding.span.end <= len(text)


def test_unsupported_calls_are_counted() -> None:
    assert left("cudnnConvolutionForward(h);", "a.h") != []


def test_a_second_prefix_is_never_added() -> None:
    text = "hipMalloc(p, 1); hipMemcpyToSymbol(HIP_SYMBOL(c), p, 1); hipLaunchKernelGGL((k<1, 2>), dim3(1), dim3(2), 0, 0);"
    assert body(text, "a.h") == text
    assert body(text, "a.h", Launch.GGL) == text

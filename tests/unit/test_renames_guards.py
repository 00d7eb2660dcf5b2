"""Preprocessor tests for CUDA, and files that serve HIP already."""
# ruff: noqa: E501  (a case is one line)

from __future__ import annotations

import pytest
from lexical import body, findings, left, ported

SAFE = [
    ("#ifdef __CUDACC__\nint x;\n#endif\n", "#ifdef __HIPCC__\nint x;\n#endif\n"),
    ("#if defined(__CUDACC__) && A > 2\n#endif\n", "#if defined(__HIPCC__) && A > 2\n#endif\n"),
    ("# if defined __CUDACC__\n# endif\n", "# if defined __HIPCC__\n# endif\n"),
    ("#ifndef __CUDACC__\n#define __host__\n#endif\n", "#ifndef __HIPCC__\n#define __host__\n#endif\n"),
    ("#ifdef __CUDA_ARCH__\n#endif\n", "#ifdef __HIP_DEVICE_COMPILE__\n#endif\n"),
    ("#if !defined(__CUDA_ARCH__)\n#endif\n", "#if !defined(__HIP_DEVICE_COMPILE__)\n#endif\n"),
    ("#if __CUDA_ARCH__\n#endif\n", "#if __HIP_DEVICE_COMPILE__\n#endif\n"),
    ("#if __CUDA_ARCH__ > 0\n#endif\n", "#if defined(__HIP_DEVICE_COMPILE__)\n#endif\n"),
]
REVIEW = [
    ("#if __CUDA_ARCH__ >= 600\n#endif\n", "#if defined(__HIP_DEVICE_COMPILE__)\n#endif\n"),
    ("#if 600 <= __CUDA_ARCH__\n#endif\n", "#if defined(__HIP_DEVICE_COMPILE__)\n#endif\n"),
    ("#if __CUDA_ARCH__ >= 700\n#endif\n", "#if __CUDA_ARCH__ >= 700\n#endif\n"),
    ("#if __CUDA_ARCH__ < 800\n#endif\n", "#if __CUDA_ARCH__ < 800\n#endif\n"),
    ("#if CUDA_VERSION >= 11000\n#endif\n", "#if HIP_VERSION >= 11000\n#endif\n"),
    ("#if defined(CUDA_VERSION) && CUDA_VERSION < 9000\n#endif\n", "#if defined(HIP_VERSION) && HIP_VERSION < 9000\n#endif\n"),
    ("#if CUDA_VERSION >= 12080\n#endif\n", "#if CUDA_VERSION >= 12080\n#endif\n"),
    ("#if __CUDACC_VER_MAJOR__ >= 9\n#endif\n", "#if __CUDACC_VER_MAJOR__ >= 9\n#endif\n"),
    ("#ifdef __NVCC__\nint x;\n#endif\n", "#ifdef __HIPCC__\nint x;\n#endif\n"),
    ("#ifdef __NVCC__\n#pragma nv_diag_suppress 20012\n#endif\n", "#ifdef __NVCC__\n#pragma nv_diag_suppress 20012\n#endif\n"),
    ("#ifdef USE_CUDA\nint x;\n#endif\n", "#ifdef USE_CUDA\nint x;\n#endif\n"),
    ("#define __CUDACC__\n", "#define __HIPCC__\n"),
]  # fmt: skip
DUAL = [
    "#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\nusing S = cudaStream_t;\n#endif\nS s;\n",
    "#if defined(__HIP_PLATFORM_AMD__)\nhipFree(p);\n#elif defined(__CUDACC__)\ncudaFree(p);\n#endif\n",
    "#ifndef USE_ROCM\ncudaFree(p);\n#else\nhipFree(p);\n#endif\n",
    "#if !USE_ROCM\ncudaFree(p);\n#endif\n",
    "#if defined(__CUDACC__) || defined(__HIPCC__)\n#define HD __host__ __device__\n#endif\n",
    "#ifdef __CUDACC__\n#include <cuda.h>\n#endif\n#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#endif\n",
    "#ifdef __NVCC__\n#include <cuda.h>\n#else\n#include <hip/hip_runtime.h>\n#endif\n",
    "#ifdef USE_ROCM\ntypedef __hip_bfloat16 __nv_bfloat16;\n#endif\n__nv_bfloat16 x;\n",
    "#if defined(USE_CUDA) && !defined(USE_ROCM)\ncudaFree(p);\n#endif\n",
    "#ifdef __HIPCC__\nint a;\n#elif __CUDA_ARCH__ >= 700\nint b = __CUDA_ARCH__;\n#endif\n",
    "#include <hip/hip_runtime.h>\n#include <hipcub/hipcub.hpp>\nhipLaunchKernelGGL((k<1, 2>), dim3(1), dim3(64), 0, 0, x);\n",
    "#if USE_HIP\n#  define GPU(x) hip##x\n#else\n#  define GPU(x) cuda##x\n#endif\n",
]


NV_ALONE = [
    "#ifdef __CUDACC__\n#pragma diag_suppress 2361\n#endif\nint x;\n",
    "#if defined(__CUDACC__)\n# pragma nv_exec_check_disable\n#pragma hd_warning_disable\n#else\n#pragma GCC ivdep\n#endif\n",
]


@pytest.mark.parametrize("text", NV_ALONE)
def test_pragmas_of_nvcc_alone_stay_with_nvcc(text: str) -> None:
    assert body(text, "a.h") == text
    assert left(text, "a.h") == []
    with_code = text.replace("#pragma diag", "int y;\n#pragma diag").replace("# pragma nv", "int y;\n# pragma nv")
    assert "__HIPCC__" in body(with_code, "a.h")


@pytest.mark.parametrize(("text", "wanted"), SAFE)
def test_the_same_question_is_asked_of_hip(text: str, wanted: str) -> None:
    assert body(text, "a.h") == wanted
    assert left(text, "a.h") == []


@pytest.mark.parametrize(("text", "wanted"), REVIEW)
def test_a_question_that_amd_answers_otherwise_is_listed(text: str, wanted: str) -> None:
    assert body(text, "a.h") == wanted
    assert left(text, "a.h")
    assert {safety for _, safety in left(text, "a.h")} == {"review"}


@pytest.mark.parametrize("path", ["a.h", "a.cu"])
@pytest.mark.parametrize("text", DUAL)
def test_a_file_that_serves_hip_already_stays(text: str, path: str) -> None:
    if path == "a.cu" and "hip_runtime.h" not in text:
        assert body(text, path) == text
    else:
        assert ported(text, path) == text.encode()
        assert left(text, path) == []


def test_outside_the_branches_a_dual_file_is_ported() -> None:
    text = (
        "#ifdef USE_ROCM\n#define WAVE 64\n#else\n#define WAVE 32\nint n = cudaSuccess;\n#endif\nint s = cudaSuccess;\n"
    )
    assert body(text, "a.h") == text.replace("int s = cudaSuccess", "int s = hipSuccess")


def test_an_include_guard_named_after_hip_is_no_branch() -> None:
    text = "#ifndef USE_HIP\n#define USE_HIP\ncudaFree(p);\n#endif\n"
    assert body(text, "a.h") == text.replace("cudaFree", "hipFree")


def test_an_error_for_old_gpus_is_not_raised_on_amd() -> None:
    text = "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700\n#error too old\n#endif\n"
    assert body(text, "a.h") == text


def test_an_architecture_in_code_has_no_value() -> None:
    assert left("int a = __CUDA_ARCH__;", "a.h") == [("guard", "manual")]


def test_a_condition_in_two_lines_is_one_condition() -> None:
    text = "#if defined(USE_ROCM) || \\\n    defined(OTHER)\nint a;\n#else\ncudaFree(p);\n#endif\n"
    assert body(text, "a.h") == text


NEWER = [
    # an empty body: AMD gets what is for newer GPUs
    ("__global__ void k(float* x) {\n#if __CUDA_ARCH__ >= 800\n  *x = 1;\n#endif\n}\n",
     "__global__ void k(float* x) {\n#if defined(__HIP_DEVICE_COMPILE__)\n  *x = 1;\n#endif\n}\n"),
    ("__global__ void k(float* x) {\n#if 700 <= __CUDA_ARCH__\n  *x = 1;\n#else\n#endif\n}\n",
     "__global__ void k(float* x) {\n#if defined(__HIP_DEVICE_COMPILE__)\n  *x = 1;\n#else\n#endif\n}\n"),
    # a side that only gives up
    ("__device__ int f() {\n#if __CUDA_ARCH__ < 750\n  assert(false);\n  return 0;\n#else\n  return 1;\n#endif\n}\n",
     "__device__ int f() {\n#if !defined(__HIP_DEVICE_COMPILE__)\n  assert(false);\n  return 0;\n#else\n  return 1;\n#endif\n}\n"),
    ("__device__ int f() {\n#if __CUDA_ARCH__ >= 900\n  return 1;\n#else\n  __trap();\n#endif\n}\n",
     "__device__ int f() {\n#if defined(__HIP_DEVICE_COMPILE__)\n  return 1;\n#else\n  __builtin_trap();\n#endif\n}\n"),
    ("__device__ void f(int* x) {\n#ifdef WIDE\n#if WIDE > 1 && (__CUDA_ARCH__ >= 800)\n  *x = 1;\n#endif\n#endif\n}\n",
     "__device__ void f(int* x) {\n#ifdef WIDE\n#if WIDE > 1 && (defined(__HIP_DEVICE_COMPILE__))\n  *x = 1;\n#endif\n#endif\n}\n"),
    ("__device__ void f(int* x) {\n#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700\n  *x = 1;\n#endif\n}\n",
     "__device__ void f(int* x) {\n#if !defined(__HIP_DEVICE_COMPILE__) || defined(__HIP_DEVICE_COMPILE__)\n  *x = 1;\n#endif\n}\n"),
    ("__device__ void f(int* x) {\n#if __CUDA_ARCH__ < 800\n  return;\n#else\n  *x = 1;\n#endif\n}\n",
     "__device__ void f(int* x) {\n#if !defined(__HIP_DEVICE_COMPILE__)\n  return;\n#else\n  *x = 1;\n#endif\n}\n"),
    ("__device__ void f(int* x) {\n#if __CUDA_ARCH__ >= 800u\n  *x = 1;\n#else\n  return;\n#endif\n}\n",
     "__device__ void f(int* x) {\n#if defined(__HIP_DEVICE_COMPILE__)\n  *x = 1;\n#else\n  return;\n#endif\n}\n"),
    # what a shim declares is code like any other
    ("__global__ void k(float* x, float* t) {\n#if __CUDA_ARCH__ >= 800\n  cuda::memcpy_async(t, x, 4, bar);\n  __pipeline_commit();\n#endif\n}\n",
     "__global__ void k(float* x, float* t) {\n#if defined(__HIP_DEVICE_COMPILE__)\n  cuda::memcpy_async(t, x, 4, bar);\n  __pipeline_commit();\n#endif\n}\n"),
    # nobody is refused who is not old
    ("__device__ void f(int* x) {\n#if __CUDA_ARCH__ < 700\n  __trap();\n#endif\n  *x = 1;\n}\n",
     "__device__ void f(int* x) {\n#if !defined(__HIP_DEVICE_COMPILE__)\n  __builtin_trap();\n#endif\n  *x = 1;\n}\n"),
]  # fmt: skip
KEPT = [
    # `defined` keeps the refusal away already
    "__device__ int f() {\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800\n  assert(false);\n#else\n  return 1;\n#endif\n}\n",
    # a fallback that is code
    "__device__ int f() {\n#if __CUDA_ARCH__ >= 800\n  return g();\n#else\n  return h();\n#endif\n}\n",
    # a piece of a longer function
    "__device__ int f() {\n  int r = 0;\n#if __CUDA_ARCH__ >= 800\n  r = g();\n#endif\n  return r;\n}\n",
    # comparisons that decide nothing alone
    "__device__ void f(int* x) {\n#if WIDE || __CUDA_ARCH__ >= 800\n  *x = 1;\n#endif\n}\n",
    "__device__ void f(int* x) {\n#if !(__CUDA_ARCH__ < 800) && WIDE\n  *x = 1;\n#endif\n}\n",
    # nothing that AMD could take
    "__global__ void k(float* x) {\n#if __CUDA_ARCH__ >= 900\n  cuda::ptx::fence_acq_rel(x);\n#endif\n}\n",
    "__global__ void k(float* x) {\n#if __CUDA_ARCH__ >= 900\n  wmma::load(x);\n#endif\n}\n",
]


@pytest.mark.parametrize(("text", "want"), NEWER)
def test_a_test_that_leaves_amd_nothing_gives_it_the_other_side(text: str, want: str) -> None:
    assert body(text, "a.h") == want
    assert ("guard", "review") in left(text, "a.h")


@pytest.mark.parametrize("text", KEPT)
def test_a_test_that_leaves_amd_code_stays(text: str) -> None:
    assert body(text, "a.h") == text


def test_an_empty_body_that_amd_cannot_fill_is_told() -> None:
    assert left(KEPT[-1], "a.h")[0] == ("guard", "manual")


@pytest.mark.parametrize("test", ["__CUDA_ARCH__ >= SM_80", "__CUDA_ARCH__ / 10 >= 80", "ARCH(8, 0) <= __CUDA_ARCH__"])
def test_a_comparison_that_does_not_show_is_no_question_about_device_code(test: str) -> None:
    text = f"#if {test}\nint* x;\n#endif\n"
    assert body(text, "a.h") == text
    assert left(text, "a.h") == [("guard", "manual")]


@pytest.mark.parametrize(
    "test",
    ["CUDA_VERSION >= 12080", "__CUDACC_VER_MAJOR__ >= 11", "defined(__CUDA_ARCH_FEAT_SM90_ALL)"],
)
def test_a_function_that_is_left_empty_is_said_to_be(test: str) -> None:
    text = f"void f(int* x) {{\n#if {test}\n  *x = 1;\n#endif\n}}\n"
    (one,) = findings(text, "a.h")
    assert "body is empty" in one.message
    text = f"int f() {{\n#if {test}\n  return 1;\n#endif\n  return 0;\n}}\n"
    assert not any("body is empty" in one.message for one in findings(text, "a.h"))

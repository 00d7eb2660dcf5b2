"""#include lines of a port: exact names, no duplicates, and the runtime where nvcc would include it."""
# ruff: noqa: E501  (a case is one line)

from __future__ import annotations

import pytest
from lexical import findings, left, ported, rules

from hipport.model import Status

CASES = [
    # a.cu: text, wanted
    ("#include <cuda.h>\n#include <cuda_runtime.h>\n", "#include <hip/hip_runtime.h>\n"),
    ('#include "cuda.h"\n#include "cuda_runtime.h"\nint x;\n', '#include "hip/hip_runtime.h"\nint x;\n'),
    ("#include <cuda_runtime.h> // first\n#include <cuda.h> // second\n", "#include <hip/hip_runtime.h> // first\n // second\n"),
    ("  #  include   <cuda_runtime.h>\n", "  #  include   <hip/hip_runtime.h>\n"),
    ("#include <stdio.h>\n#include <cuda.h>\n", "#include <stdio.h>\n#include <hip/hip_runtime.h>\n"),
    ("#include <stdio.h>\nint x;\n", "#include <hip/hip_runtime.h>\n#include <stdio.h>\nint x;\n"),
    ("#pragma once\nint x;\n", "#pragma once\n#include <hip/hip_runtime.h>\nint x;\n"),
    ("#ifndef A_H\n#define A_H\nint x;\n#endif\n", "#ifndef A_H\n#define A_H\n#include <hip/hip_runtime.h>\nint x;\n#endif\n"),
    ("// licence\n\n// about f\nvoid f();\n", "// licence\n\n#include <hip/hip_runtime.h>\n// about f\nvoid f();\n"),
    ("/* licence */\n#include <stdio.h>\n", "/* licence */\n#include <hip/hip_runtime.h>\n#include <stdio.h>\n"),
    ("/* x\n*/ #include <stdio.h>\n", "/* x\n*/ #include <hip/hip_runtime.h>\n#include <stdio.h>\n"),
    ('#include "k.h"\n#include <cuda.h>\nint x;\n', '#include <hip/hip_runtime.h>\n#include "k.h"\nint x;\n'),
    ("#if A\n#include <cuda.h>\n#endif\nint x;\n", "#include <hip/hip_runtime.h>\n#if A\n#endif\nint x;\n"),
    ("#ifdef __CUDACC__\n#include <cuda.h>\n#endif\n", "#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#endif\n"),
    ("#include <stdio.h>\r\nint x;\r\n", "#include <hip/hip_runtime.h>\r\n#include <stdio.h>\r\nint x;\r\n"),
    ("#define N 3\n#include <stdio.h>\n", "#define N 3\n#include <hip/hip_runtime.h>\n#include <stdio.h>\n"),
    ("#define N 3\nint a[N];\n#include <stdio.h>\n", "#include <hip/hip_runtime.h>\n#define N 3\nint a[N];\n#include <stdio.h>\n"),
    ("#include <cuda.h>", "#include <hip/hip_runtime.h>"),
    ("// #include <cuda.h>\n#include <cuda.h>\n", "// #include <cuda.h>\n#include <hip/hip_runtime.h>\n"),
    ('const char* s = "#include <cuda.h>";\n', '#include <hip/hip_runtime.h>\nconst char* s = "#include <cuda.h>";\n'),
    ("#include <cuda.h>\n#include <string>\nint f() { return strlen(s); }\n", "#include <hip/hip_runtime.h>\n#include <string.h>\n#include <string>\nint f() { return strlen(s); }\n"),
    ('#include "cuda.h" // x\nint f() { memset(p, 0, 1); }\n', '#include "hip/hip_runtime.h"\n#include "string.h" // x\nint f() { memset(p, 0, 1); }\n'),
    ("#include <stdio.h>\r\nint f() { memcpy(a, b, 1); }\r\n", "#include <hip/hip_runtime.h>\r\n#include <string.h>\r\n#include <stdio.h>\r\nint f() { memcpy(a, b, 1); }\r\n"),
    ("#include <cuda.h>\n#include <cstring>\nint f() { return strlen(s); }\n", "#include <hip/hip_runtime.h>\n#include <cstring>\nint f() { return strlen(s); }\n"),
    ("#include <string.h>\n#include <cuda.h>\nint f() { return strlen(s); }\n", "#include <string.h>\n#include <hip/hip_runtime.h>\nint f() { return strlen(s); }\n"),
    ("#include <cuda.h>\n#include <cublas_v2.h>\nint f() { return cublasHgemm(ARGS); }\n", "#include <hip/hip_runtime.h>\n#define HIPBLAS_USE_HIP_HALF\n#include <hipblas/hipblas.h>\nint f() { return hipblasHgemm(ARGS); }\n"),
    ("", ""),
    ("// only words\n", "// only words\n"),
]  # fmt: skip
HEADERS = [
    ("#if A\n#include <cuda.h>\n#else\n#include <cuda_runtime.h>\n#endif\n", "#if A\n#include <hip/hip_runtime.h>\n#else\n#include <hip/hip_runtime.h>\n#endif\n"),
    ("#include <cuda.h>\n#if A\n#include <cuda_runtime.h>\n#endif\n", "#include <hip/hip_runtime.h>\n#if A\n#endif\n"),
    ("#include <curand.h>\n#include <cufft.h>\n", "#include <hiprand/hiprand.h>\n#include <hipfft/hipfft.h>\n"),
    ("#include <cublas_v2.h>\n#include <cublas.h>\n", "#include <hipblas/hipblas.h>\n"),
    ("#include <cub/cub.cuh>\n", "#include <hipcub/hipcub.hpp>\n"),
    ("#include <cuComplex.h>\n", "#include <hip/hip_complex.h>\n"),
    ("#include <my/cuda.h>\n#include <cudalike.h>\n", "#include <my/cuda.h>\n#include <cudalike.h>\n"),
    ("#include <hip/hip_runtime.h>\n#include <cuda.h>\n", "#include <hip/hip_runtime.h>\n"),
    ("#include <hip/hip_runtime.h>\n#include <hip/hip_runtime.h>\n", "#include <hip/hip_runtime.h>\n"),
    ("#include <stdio.h>\n#include <stdio.h>\n", "#include <stdio.h>\n#include <stdio.h>\n"),
    ("#include <cuda.h\n#include >\n", "#include <cuda.h\n#include >\n"),
    ("__global__ void k();\n", "__global__ void k();\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), CASES)
def test_a_cuda_file_gets_the_runtime_once_and_first(text: str, wanted: str) -> None:
    assert ported(text) == wanted.encode()


@pytest.mark.parametrize(("text", "wanted"), HEADERS)
def test_a_header_gets_what_it_asked_for(text: str, wanted: str) -> None:
    assert ported(text, "a.h") == wanted.encode()


def test_a_file_that_others_include_needs_no_runtime_of_its_own() -> None:
    assert ported("int x;\n", implicit_include=False) == b"int x;\n"


def test_a_host_file_with_a_launch_is_compiled_by_nvcc_too() -> None:
    assert ported("void f() { k<<<1, 2>>>(); }\n", "a.cpp").startswith(b"#include <hip/hip_runtime.h>\n")
    assert ported("void f() { g(); }\n", "a.cpp") == b"void f() { g(); }\n"


def test_a_bom_stays_in_front() -> None:
    assert ported(b"\xef\xbb\xbf#include <stdio.h>\n").startswith(b"\xef\xbb\xbf#include <hip/hip_runtime.h>\n#include")
    assert ported(b"\xef\xbb\xbfint x;\n") == b"\xef\xbb\xbf#include <hip/hip_runtime.h>\nint x;\n"


def test_a_local_header_takes_the_name_that_the_port_gives_it() -> None:
    text = '#include "ops/k.cuh"\n#include "ops/k.cuh"\n#include <cuda.h>\n'
    wanted = b'#include "ops/k_hip.cuh"\n#include <hip/hip_runtime.h>\n'
    assert ported(text, "a.h", local_headers={"ops/k.cuh": "ops/k_hip.cuh"}) == wanted


def test_torch_headers_have_hip_copies() -> None:
    text = "#include <c10/cuda/CUDAStream.h>\n#include <ATen/cuda/CUDAContext.h>\nauto s = at::cuda::getCurrentCUDAStream();\n"
    result = ported(text, "a.cpp")
    assert b"c10/hip/HIPStream.h" in result
    assert b"at::cuda::getCurrentCUDAStream" in result


def test_a_header_without_counterpart_is_left_and_named() -> None:
    name = next(n.decode() for n in rules().includes if not rules().includes[n].hip and not n.endswith(b"*"))
    text = f"#include <{name}>\n"
    assert ported(text, "a.h") == text.encode()
    assert findings(text, "a.h")[0].status is Status.UNSUPPORTED
    assert left(text, "a.h") == [("unsupported", "manual")]


def test_halves_that_only_cublas_brought_get_their_headers() -> None:
    text = "#include <cublas_v2.h>\nvoid f(__half* a, __nv_bfloat16* b);\n"
    wanted = "#include <hipblas/hipblas.h>\n#include <hip/hip_fp16.h>\n#include <hip/hip_bf16.h>\nvoid f(__half* a, __hip_bfloat16* b);\n"
    assert ported(text, "a.h").decode() == wanted
    text = "#include <cublas_v2.h>\n#include <cuda_fp16.h>\nvoid f(half* a, int half);\n"
    assert ported(text, "a.h").count(b"fp16") == 1
    assert b"fp16" in ported("#include <cublas_v2.h>\nvoid f(half *a);\n", "a.h")
    assert b"fp16" not in ported("#include <cublas_v2.h>\nint half = 3, x = half / 2;\n", "a.h")

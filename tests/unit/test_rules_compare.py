"""The comparison behind rules/tables: declarations of both sides, and AMD's bindings."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TABLES = Path(__file__).resolve().parents[2] / "rules" / "tables"
pytest.importorskip("clang", reason="rules/tables reads headers with libclang, which has no wheel here")
sys.path.insert(0, str(TABLES))

from bindings import bindings, values  # noqa: E402
from compare import difference, fits, number, split_parameters  # noqa: E402
from headers import Declaration, Headers, declarations  # noqa: E402
from regenerate import is_namesake, is_other, public, shortened, write_changes  # noqa: E402

RENAMED = {"cudaStream_t": "hipStream_t", "cudaX": "hipX", "CUdeviceptr": "hipDeviceptr_t", "cuComplex": "hipComplex"}
ALIASES = {"hipDeviceptr_t": "void *"}


def call(text: str, canonical: str = "") -> Declaration:
    return Declaration("x", "function", "x.h", text, canonical or text)


def differ(cuda: str, hip: str) -> str:
    return difference(call(cuda), call(hip), RENAMED, ALIASES)


@pytest.mark.parametrize(
    ("cuda", "hip", "found"),
    [
        ("int (cudaStream_t, int)", "int (hipStream_t, int)", ""),
        ("int (int)", "int (int, int)", "it takes 2 arguments, CUDA's 1"),
        ("int (int, int)", "int (int)", "it takes 1 argument, CUDA's 2"),
        ("int (int)", "int (int, int =)", ""),
        ("int (int, int =)", "int (int, int)", "argument 2 has no default"),
        ("int (float *)", "int (double *)", "argument 1 is `double *`, CUDA's is `float *`"),
        ("int (float *)", "int (const float *)", ""),
        ("int (const float *)", "int (float *)", "argument 1 is `float *`, CUDA's is `const float *`"),
        ("int (float *)", "int (void *)", ""),
        ("int (const float *)", "int (void *)", "argument 1 is `void *`, CUDA's is `const float *`"),
        ("int (size_t)", "int (int)", "argument 1 is `int`, CUDA's is `size_t`"),
        ("int (int)", "int (size_t)", ""),
        ("int (CUdeviceptr)", "int (void *)", ""),
        ("int (int) | int (int, float)", "int (int)", "1 of 2 overloads: it takes 1 argument, CUDA's 2"),
        ("int (int)", "int (int) | template int (T)", ""),
        ("int (int, ...)", "int (int, ...)", ""),
        ("cudaX (int)", "hipX (int)", ""),
        ("cudaX (int)", "hipY (int)", "it returns `hipY`, CUDA's `hipX`"),
        ("int (void (*)(int, int), int)", "int (void (*)(int, int), int)", ""),
        ("int (int[3])", "int (int *)", ""),
        ("int (float4)", "int (HIP_vector_type<float, 4>)", ""),
        ("int (struct cudaX *)", "int (hipX *)", ""),
    ],
)
def test_signatures(cuda: str, hip: str, found: str) -> None:
    assert differ(cuda, hip) == found


def test_a_resolved_type_that_fits_will_do() -> None:
    cuda = call("int (myint)", "int (unsigned int)")
    assert difference(cuda, call("int (theirint)", "int (unsigned int)"), {}, {}) == ""
    assert difference(cuda, call("int (theirint *)", "int (unsigned int *)"), {}, {}) != ""


def test_values_of_constants_and_macros() -> None:
    def constant(text: str, kind: str = "constant") -> Declaration:
        return Declaration("x", kind, "x.h", text)

    assert difference(constant("1"), constant("0x1", "macro"), {}, {}) == ""
    assert difference(constant("0"), constant("111"), {}, {}) == "the value is 111, CUDA's is 0"
    assert difference(constant("0"), constant("( A | B )", "macro"), {}, {}) == ""


def test_fields_of_structures() -> None:
    def record(text: str) -> Declaration:
        return Declaration("x", "type", "x.h", text)

    assert difference(record("{a b reserved}"), record("{b a c}"), {}, {}) == ""
    assert difference(record("{a gone}"), record("{a}"), {}, {}) == "HIP's has no field gone"
    assert difference(record("{a}"), record(""), {}, {}) == ""


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), ("0x10u", 16), ("( - 1 )", -1), ("(-1)", -1), ("08", 8), ("A", None), ("1 << 2", None)],
)
def test_numbers(text: str, value: int | None) -> None:
    assert number(text) == value


def test_parameters_split_outside_brackets() -> None:
    assert split_parameters("int, void (*)(a, b), T<c, d>") == ["int", "void (*)(a, b)", "T<c, d>"]
    assert split_parameters("") == []


def test_what_fits() -> None:
    assert fits("int", "long")
    assert not fits("long", "int")
    assert not fits("int *", "long *")


def test_headers_are_read_with_scopes_overloads_values_and_defaults(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text(
        "#define N 3\n#define F(a, b) a\n#define OBJECT (a)\n"
        'extern "C" { int f(const char* p, unsigned n); }\n'
        "int g(int a = 1); int g(float a);\n"
        "enum kind { one = 1, two = 5 };\n"
        "struct record { int first, second; };\n"
        "namespace outer { inline namespace v1 { template <class T> struct box {};\n"
        "template <class T> T h(T a, int b = 0); } }\n"
        "typedef unsigned int word; int operator+(record, record);\n"
    )
    (tmp_path / "elsewhere").mkdir()
    head = Headers((tmp_path,), ("a.h",), ("-x", "c++", "-I", str(tmp_path), "-nostdinc"), language="cpp")
    found = {name: (item.kind, item.text) for name, item in declarations(head, str).items()}
    assert found == {
        "N": ("macro", "3"),
        "F": ("macro", "(a,b)"),
        "OBJECT": ("macro", "( a )"),
        "f": ("function", "int (const char *, unsigned int)"),
        "g": ("function", "int (int =) | int (float)"),
        "kind": ("type", "enum"),
        "one": ("constant", "1"),
        "two": ("constant", "5"),
        "record": ("type", "{first second}"),
        "outer::box": ("template", ""),
        "outer::h": ("function", "template T (T, int =)"),
        "word": ("type", "= unsigned int"),
    }


def test_bindings_are_read(tmp_path: Path) -> None:
    (tmp_path / "cyx.pxd").write_text(
        'cdef extern from "hip/x.h":\n\n    cdef int HIP_N\n\n    cdef struct hipS:\n        int field\n\n'
        "    ctypedef enum hipE:\n        hipOne\n        hipTwo\n\n    ctypedef void * hipP\n\n\n"
        "# cdef int comment(int a)\n"
        "cdef hipError_t hipF(void ** p,const void * q,size_t n) except? hipErrorX nogil\n\n\n"
        "cdef void hipG() noexcept nogil\n"
    )
    found = {name: (item.kind, item.header, item.text) for name, item in bindings(tmp_path).items()}
    assert found == {
        "HIP_N": ("macro", "hip/x.h", ""),
        "hipS": ("type", "hip/x.h", ""),
        "hipE": ("type", "hip/x.h", "enum"),
        "hipOne": ("constant", "hip/x.h", ""),
        "hipTwo": ("constant", "hip/x.h", ""),
        "hipP": ("type", "hip/x.h", "= void *"),
        "hipF": ("function", "hip/x.h", "hipError_t (void **, const void *, size_t)"),
        "hipG": ("function", "hip/x.h", "void ()"),
    }


@pytest.mark.parametrize(
    ("path", "header"),
    [
        ("hip/amd_detail/amd_hip_bf16.h", "hip/hip_bf16.h"),
        ("hip/amd_detail/amd_math_functions.h", "hip/hip_runtime.h"),
        ("hip/driver_types.h", "hip/hip_runtime_api.h"),
        ("hipsparse/internal/generic/hipsparse_spmv.h", "hipsparse/hipsparse.h"),
        ("hipcub/backend/rocprim/block/block_reduce.hpp", "hipcub/hipcub.hpp"),
        ("__clang_hip_math.h", "hip/hip_runtime.h"),
        ("rccl/rccl.h", "rccl/rccl.h"),
    ],
)
def test_a_user_includes_the_public_header(path: str, header: str) -> None:
    assert public(path) == header


def test_long_overload_lists_are_cut() -> None:
    assert shortened("int (int)") == "int (int)"
    many = " | ".join(f"int (int{n}, {'x' * 80})" for n in range(9))
    assert shortened(many).endswith("and 6 more")


def test_namesakes() -> None:
    assert is_namesake("cudaDevAttrAsyncEngineCount", "hipDeviceAttributeAsyncEngineCount")
    assert not is_namesake("cudaDevAttrGpuOverlap", "hipDeviceAttributeAsyncEngineCount")


def test_values_come_from_importable_bindings(tmp_path: Path) -> None:
    package = tmp_path / "rocm" / "bindings"
    package.mkdir(parents=True)
    (package / "hipsparselt.py").write_text(
        "from enum import IntEnum\nclass hipE(IntEnum):\n    hipOne = 1\n    hipAlias = 1\nHIP_N = 7\nflag = True\n"
    )
    assert values(tmp_path) == {"hipOne": 1, "hipAlias": 1, "HIP_N": 7}


def test_a_later_release_is_written_as_changes(tmp_path: Path) -> None:
    def item(name: str, kind: str, text: str, header: str = "hipblas/hipblas.h") -> Declaration:
        return Declaration(name, kind, header, text)

    before = {
        "kept": item("kept", "function", "int (int)"),
        "gone": item("gone", "function", "int (int)"),
        "elsewhere": item("elsewhere", "function", "int (int)", "rccl/rccl.h"),
        "E": item("E", "constant", "1"),
    }
    after = {
        "kept": item("kept", "function", "int (int)"),
        "fresh": item("fresh", "function", "int ()"),
        "E": item("E", "constant", "2"),
    }
    write_changes(tmp_path / "t.tsv", "source", before, after)
    lines = (tmp_path / "t.tsv").read_text().splitlines()[2:]
    assert lines == ["~E\tconstant\t2", "+fresh\tfunction\tint ()", "-gone"]
    assert is_other(item("f", "function", "int (int)"), item("f", "function", "int (int, int)"))
    assert not is_other(item("f", "function", "int (int, int =)"), item("f", "function", "int (int, int)"))

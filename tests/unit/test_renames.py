"""Which names are renamed, and which only look like CUDA."""
# ruff: noqa: E501  (a case is one line)

from __future__ import annotations

import pytest
from lexical import body, findings, left, ported, rules

from hipport.config import Config, Stage
from hipport.model import SourceFile, Status
from hipport.porting import vendor
from hipport.renames import find

KEPT = [
    "// cudaMalloc\n",
    "/* cudaMalloc\n cudaFree */ int x;",
    'const char* s = "cudaMalloc";',
    'const char* s = "a\\"cudaMalloc\\"";',
    'const char* s = R"x(cudaMalloc("a") )" cudaFree )x";',
    "auto x = obj.cudaMalloc(1);",
    "auto x = obj->cudaMalloc(1);",
    "auto x = obj -> cudaMalloc(1);",
    "auto x = mine::cudaMalloc(1);",
    "auto x = mine :: cudaMalloc(1);",
    "auto x = Pool<int>::cudaFree(p);",
    "int barracudaMalloc, cudaMallocator, my_cudaMalloc, cudaMalloc_2;",
    "int $cudaMalloc;",
    "namespace mini { namespace cub { int version; } } int y = mini::cub::version;",
    "int cub = 3; int z = cub + 1; f(cub);",
    "at::cuda::getCurrentCUDAStream();",
    "struct S { void cudaFree(void* p); void g() { cudaFree(0); } };",
    "struct S { int cudaSuccess; S() : cudaSuccess(0) {} };",
    "enum class Backend { cudaSuccess, other };",
    "namespace mine { void cudaFree(void* p) { } void g() { cudaFree(0); } }",
    "void f() { int cudaSuccess = 1; g(cudaSuccess); }",
    "void f(int cudaSuccess) { g(cudaSuccess); }",
    "#define cudaMalloc my_malloc\nvoid f() { cudaMalloc(p, 1); }",
    "static int cudaFree(void* p) { return 0; }\nvoid f() { cudaFree(p); }",
    "template <typename T> struct cudaArray { T x; };\ncudaArray<int> a;",
    "using cudaStream_t = hipStream_t;\ncudaStream_t s;",
    "#ifdef USE_HIP\n#define cudaMalloc hipMalloc\n#endif\nvoid f() { cudaMalloc(p, 1); }",
]

RENAMED = [
    ("cudaMalloc(p, 1);", "hipMalloc(p, 1);"),
    ("::cudaMalloc(p, 1);", "::hipMalloc(p, 1);"),
    ("return ::cudaMalloc(p, 1);", "return ::hipMalloc(p, 1);"),
    ("x = f<cudaStream_t>(0);", "x = f<hipStream_t>(0);"),
    ("std::vector<cudaStream_t> v;", "std::vector<hipStream_t> v;"),
    ("#define TRY(x) if ((x) != cudaSuccess) die()\n", "#define TRY(x) if ((x) != hipSuccess) die()\n"),
    ("#if 0\ncudaFree(p);\n#endif\n", "#if 0\nhipFree(p);\n#endif\n"),
    ("f(args...);cudaFree(p);", "f(args...);hipFree(p);"),
    ("using namespace cub;", "using namespace hipcub;"),
    ("namespace c = cub;", "namespace c = hipcub;"),
    ("namespace c = ::cub;", "namespace c = ::hipcub;"),
    ("using cub::BlockReduce;", "using hipcub::BlockReduce;"),
    ("::cub::BlockReduce<T, 4> b;", "::hipcub::BlockReduce<T, 4> b;"),
    ("return cub::Sum();", "return hipcub::Sum();"),
    ("cub :: Sum s;", "hipcub :: Sum s;"),
    ("thrust::sort(thrust::cuda::par, a, b);", "thrust::sort(thrust::hip::par, a, b);"),
    ("thrust::cuda::par.on(s)", "thrust::hip::par.on(s)"),
    ("cudaMemcpyToSymbol(c, p, n);", "hipMemcpyToSymbol(HIP_SYMBOL(c), p, n);"),
    ("cudaMemcpyToSymbol(c[i].x, p, n);", "hipMemcpyToSymbol(HIP_SYMBOL(c[i].x), p, n);"),
    ("cudaMemcpyFromSymbol(p, ns::c, n);", "hipMemcpyFromSymbol(p, HIP_SYMBOL(ns::c), n);"),
    ("cudaMemcpyToSymbol<float>(c, p, n);", "hipMemcpyToSymbol<float>(HIP_SYMBOL(c), p, n);"),
    ("cudaMemcpyToSymbol(HIP_SYMBOL(c), p, n);", "hipMemcpyToSymbol(HIP_SYMBOL(c), p, n);"),
    ("cudaEventCreate(&e, flags);", "hipEventCreateWithFlags(&e, flags);"),
    ("cudaGraphInstantiate(&x, g);", "hipGraphInstantiateWithFlags(&x, g, 0);"),
    ("cudaGraphInstantiate(&x, g, a, b, 0);", "hipGraphInstantiate(&x, g, a, b, 0);"),
    ("1.cudaMalloc", "1.cudaMalloc"),
    ("a ? cudaSuccess : cudaErrorUnknown", "a ? hipSuccess : hipErrorUnknown"),
    ("case cudaSuccess: break;", "case hipSuccess: break;"),
    ("cudaError_t cudaCheck() { return cudaSuccess; }", "hipError_t cudaCheck() { return hipSuccess; }"),
    ("struct CUstream_st;\nusing cudaStream_t = CUstream_st *;", "struct ihipStream_t;\nusing hipStream_t = ihipStream_t *;"),
    ("typedef struct CUstream_st *cudaStream_t;\nvoid f(cudaStream_t);", "typedef struct ihipStream_t *hipStream_t;\nvoid f(hipStream_t);"),
    ("template <class T> cudaError_t cudaMalloc(T** p, int n) { return ::cudaMalloc((void**)p, n); }", "template <class T> hipError_t hipMalloc(T** p, int n) { return ::hipMalloc((void**)p, n); }"),
    ("x = cudaDeviceSynchronize ();", "x = hipDeviceSynchronize ();"),
    ("namespace mini { namespace cub {} } cub::Sum s;", "namespace mini { namespace cub {} } hipcub::Sum s;"),
    ("namespace a { void cudaFree(int){} } void g() { cudaFree(p); }", "namespace a { void cudaFree(int){} } void g() { hipFree(p); }"),
    ("struct S { void cudaFree(); }; void g() { cudaFree(p); }", "struct S { void cudaFree(); }; void g() { hipFree(p); }"),
    ("#ifndef USE_CUDA\ntypedef void* cudaStream_t;\n#endif\ncudaStream_t s;", "#ifndef USE_CUDA\ntypedef void* hipStream_t;\n#endif\nhipStream_t s;"),
]  # fmt: skip


@pytest.mark.parametrize("text", KEPT)
def test_what_only_looks_like_cuda_stays(text: str) -> None:
    assert body(text, "a.h") == text


@pytest.mark.parametrize(("text", "wanted"), RENAMED)
def test_cuda_names_are_renamed(text: str, wanted: str) -> None:
    assert body(text, "a.h") == wanted


def test_the_first_token_of_a_file_is_a_name_too() -> None:
    assert ported("cudaFree(p);", "a.h") == b"hipFree(p);"
    assert ported(b"\xef\xbb\xbfcudaFree(p);", "a.h") == b"\xef\xbb\xbfhipFree(p);"


def test_a_name_of_another_file_of_the_repository_stays() -> None:
    assert (
        body("cudaFree(p); cudaMalloc(q, 1);", "a.h", declared=frozenset({b"cudaFree"}))
        == "cudaFree(p); hipMalloc(q, 1);"
    )
    text = "namespace mine { void g() { cudaFree(p); } } void h() { cudaFree(p); }"
    wanted = "namespace mine { void g() { cudaFree(p); } } void h() { hipFree(p); }"
    assert body(text, "a.h", declared=frozenset({b"mine::cudaFree"})) == wanted


@pytest.mark.parametrize(
    "text",
    [
        b"cudaFree(p); // \xe9\xff latin\n",
        b"cudaFree(p);\r\n#define A \\\r\n  cudaSuccess\r\n",
        b"cudaFree(p);\0cudaFree(q);\0",
        b"cudaFree(p);\rcudaFree(q);\r",
        b"\xef\xbb\xbf#include <cuda.h>\r\ncudaFree(p);",
        b'x = "\xff\xfe cudaFree"; cudaFree(p);',
        b"",
        b"cudaFree",
        b"'", b'"', b"/*", b"//", b"\\", b'R"x(', b"#", b"#include", b"#include <", b"<<<", b"cub::", b"cudaMemcpyToSymbol(",
    ],
)  # fmt: skip
def test_only_names_change_whatever_the_bytes(text: bytes) -> None:
    wanted = text.replace(b"cudaFree(", b"hipFree(").replace(b"cudaSuccess", b"hipSuccess")
    wanted = wanted.replace(b"<cuda.h>", b"<hip/hip_runtime.h>").replace(b"cub::", b"hipcub::")
    if text in (b"cudaFree", b"cudaMemcpyToSymbol("):
        wanted = text.replace(b"cuda", b"hip")
    assert ported(text, "a.h") == wanted


def test_an_unsupported_name_is_named_with_what_to_do() -> None:
    name = next(n.decode() for n in rules().names if not rules().names[n].hip and n.startswith(b"cuda"))
    (finding,) = findings(f"x = {name};", "a.h")
    assert finding.status is Status.UNSUPPORTED
    assert not finding.edits
    assert name in finding.message
    assert finding.next_step


@pytest.mark.parametrize(
    "text", ["#define API(x) cuda##x\n", "#define API(x) cublas ## x\n", "#define E(x) cudaMemcpy##x\n"]
)
def test_pasted_names_are_flagged_and_not_edited(text: str) -> None:
    assert ported(text, "a.h") == text.encode()
    assert ("token-paste", "manual") in left(text, "a.h")


def test_a_call_whose_arguments_are_hidden_is_renamed_and_listed() -> None:
    text = "auto f = cudaMemcpyToSymbol;"
    assert body(text, "a.h") == "auto f = hipMemcpyToSymbol;"
    assert left(text, "a.h") == [("rename", "review")]


def test_a_constant_with_another_number_is_safe_where_only_named() -> None:
    names = rules().names
    name = next(n.decode() for n in names if names[n].action == "by_name")
    assert left(f"cudaDeviceGetAttribute(&v, {name}, 0); if (k == {name}) g();", "a.h") == []
    for text in (f"int kind = {name} + 1;", f"mine({name});", f"a[{name}] = 0;"):
        assert left(text, "a.h") == [("rename", "review")]


def test_findings_come_in_the_order_of_the_file_and_tell_their_place() -> None:
    text = "cudaFree(a);\ncudaMalloc(b, 1);\n"
    spans = [(f.span.start, f.span.end) for f in findings(text, "a.h")]
    assert spans == [(0, 8), (13, 23)]


def test_a_big_file_with_very_many_names_takes_the_other_search() -> None:
    names = [n for n in rules().names if rules().names[n].hip and not rules().names[n].action][:900]
    line = b" ".join(name + b";" for name in names)
    text = b"\n".join([line] * 12)
    wanted = b"\n".join([b" ".join(rules().names[n].hip.encode() + b";" for n in names)] * 12)
    assert ported(text, "a.h") == wanted


def test_wmma_has_another_namespace() -> None:
    text = "using namespace nvcuda;\nwmma::fragment<int> f;\nnvcuda::wmma::fill_fragment(f, 0);\n"
    result = body(text, "a.h")
    assert "nvcuda" not in result
    assert "rocwmma::fragment<int> f;" in result
    assert "rocwmma::fill_fragment(f, 0);" in result


def test_a_jinja_template_keeps_its_placeholders() -> None:
    text = '{%- set t = "cudaStream_t" %}\n{{ cudaFree }}_x(cudaStream_t s);\n{# cudaFree isn\'t #}cudaFree(s);\n'
    wanted = text.replace("(cudaStream_t", "(hipStream_t").replace("#}cudaFree", "#}hipFree")
    assert body(text, "a.cu.j2").endswith(wanted[-40:])
    assert "{{ cudaFree }}_x(hipStream_t s)" in body(text, "a.cu.j2")
    assert '"cudaStream_t"' in body(text, "a.cu.j2")


def test_register_goes_where_clang_refuses_it() -> None:
    text = "__global__ void k() { register float x = 0; register const int *p; for (register int i = 0;;) {} }"
    wanted = text.replace("register ", "")
    assert body(text) == wanted
    kept = '__global__ void k() { register int a asm("v1"); my.register (x); int register_count; }'
    assert body(kept) == kept
    assert body("int f() { register int x = 0; return x; }", "a.c") == "int f() { register int x = 0; return x; }"


def test_words_that_only_nvcc_has_go() -> None:
    text = "__global__ void k(const __grid_constant__ T p) {}\n#ifndef __grid_constant__\n#endif\n"
    assert body(text) == text.replace("__grid_constant__ T", "T")


def test_calling_conventions_of_windows_go() -> None:
    text = (
        "void CUDART_CB done(void*);\ntypedef void (CUDART_CB *fn)(void*);\n#define CB void CUDART_CB\n"
        "#ifdef CUDART_CB\n#endif\nint x = CUDA_CB_SIZE; typedef int CUDAAPI tcuInit(unsigned);\n"
        "__nv_pure__ __device__ int f(int);\n"
    )
    wanted = text.replace("void CUDART_CB done", "void done").replace("(CUDART_CB *fn", "(*fn")
    wanted = wanted.replace("CB void CUDART_CB", "CB void ").replace("CUDAAPI ", "").replace("__nv_pure__ ", "")
    assert body(text) == wanted
    own = "#ifndef CUDART_CB\n#define CUDART_CB\n#endif\nvoid CUDART_CB done(void*);\n"
    assert body(own).endswith("void CUDART_CB done(void*);\n")


def test_a_cap_of_registers_goes_and_is_told() -> None:
    text = "__global__ void __maxnreg__(64) k(float* o) {}\n"
    assert body(text) == text.replace("__maxnreg__(64) ", "")
    assert left(text) == [("nvcc-word", "review")]


def test_halves_with_operators_are_asked_for_by_hips_macros() -> None:
    text = "#undef __CUDA_NO_HALF_OPERATORS__\n#ifdef __CUDACC_EXTENDED_LAMBDA__\nint x;\n#endif\n"
    wanted = text.replace("__CUDA_NO", "__HIP_NO").replace("__CUDACC_EXTENDED_LAMBDA__", "__HIPCC__")
    assert body(text) == wanted


@pytest.mark.parametrize(
    ("declared", "argument", "name"),
    [
        ("int dev = 0;", "dev", ""),
        ("cudaMemLocation loc = {cudaMemLocationTypeDevice, dev}; int dev;", "dev", ""),
        ("cudaMemLocation a = {cudaMemLocationTypeDevice, dev}, b = f(x, y), c{}, loc = g();", "loc", "_v2"),
        ("cudaMemLocation loc{};", "loc", "_v2"),
        ("", "{cudaMemLocationTypeHost, 0}", "_v2"),
    ],
)
def test_a_location_takes_the_second_version(declared: str, argument: str, name: str) -> None:
    for call, after in (("MemPrefetchAsync(p, n, ", ", 0)"), ("MemAdvise(p, n, cudaMemAdviseSetReadMostly, ", ")")):
        text = f"void f(void* p, size_t n) {{ {declared} cuda{call}{argument}{after}; }}"
        hip = call.replace("Async(", f"Async{name}(").replace("Advise(", f"Advise{name}(").replace("cudaMem", "hipMem")
        assert f"hip{hip}" in body(text)


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k() { cudaGridDependencySynchronize(); cudaTriggerProgrammaticLaunchCompletion(); }",
        "#define CUDA_API_PER_THREAD_DEFAULT_STREAM\n",
        "int v = NVTX_VERSION;",
        "void f() { nvtxNameCudaStreamA(0, 0); }",
        "float f(float x) { return __tanhf(x) + CURAND_2POW32_INV; }",
    ],
)
def test_names_of_cuda_without_a_counterpart_are_told(text: str) -> None:
    assert body(text) == text
    assert {rule for rule, _ in left(text)} == {"unsupported"}


def test_cublas_first_interface_is_told_at_its_header() -> None:
    assert ("include", "review") in left("#include <cublas.h>\n")
    assert left("#include <cublas_v2.h>\n") == []


def test_braces_assigned_to_a_half_get_its_type() -> None:
    text = "__device__ void f() { half2 a, b; float c; b = {}; c = {}; half2 d = {}; a = {1, 2}; }"
    assert body(text) == text.replace("b = {}", "b = half2{}")


ONLY = Config(only=(Stage.RENAME,))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x = __shfl_sync(0xffffffff, v, 1);", ["manual"]),
        ("x = __shfl_xor_sync(0xffffffffu, v, 1);", ["manual"]),
        ("#define FULL 0xffffffff\nx = __shfl_down_sync(FULL, v, 1);", ["manual"]),
        ("x = __shfl_sync(mask, v, 1);", ["review"]),
        ("x = __shfl_sync(0xffffffffffffffffull, v, 1);", []),
        ("x = __shfl_sync(__activemask(), v, 1);", ["review"]),
        ("unsigned b = __ballot_sync(0xffffffff, p);", ["manual"]),
        ("unsigned b = __activemask();", ["review"]),
        ("__syncwarp();", []),
        ("__syncwarp(0xffffffff);", ["manual"]),
        ("o.__shfl_sync(0xffffffff, v);", []),
        ("// __shfl_sync(0xffffffff, v, 1)", []),
        ('asm volatile("mov.u32 %0, %laneid;" : "=r"(l));', ["manual"]),
        ('asm("" ::: "memory");', []),
        ('asm("v_mov_b32 %0, %1" : "=v"(a) : "v"(b));', []),
    ],
)
def test_where_only_names_are_ported_warps_and_ptx_do_not_go_unsaid(text: str, wanted: list[str]) -> None:
    source = SourceFile("a.h", text.encode())
    assert [f.safety.value for f in find(source, rules(), ONLY)] == wanted
    later = [f for f in find(source, rules(), Config()) if f.rule in ("warp-mask", "inline-ptx")]
    assert later == []
    assert body(text, "a.h") == text


def test_the_global_name_is_cudas_wherever_it_stands() -> None:
    text = "namespace mine { void cudaFree(int) {} void g() { ::cudaFree(p); cudaFree(1); } }"
    assert body(text, "a.h") == text.replace("::cudaFree", "::hipFree")


def test_a_header_that_hip_lacks_goes_where_nothing_of_it_is_used() -> None:
    include = "#include <cooperative_groups/reduce.h>\n"
    assert body(include + "int x;\n", "a.h") == "int x;\n"
    assert body(include + "auto s = cg::reduce(t, v, cg::plus<int>());\n", "a.h").startswith(include)


def test_a_kernel_in_place_of_a_pointer_is_cast_once() -> None:
    text = (
        "cudaFuncSetCacheConfig(k, c); cudaFuncSetCacheConfig((const void*)k, c); cudaFuncSetCacheConfig((void *)k, c);"
    )
    wanted = text.replace("cudaFunc", "hipFunc").replace("(k,", "(reinterpret_cast<const void*>(k),")
    assert body(text, "a.h") == wanted


def test_directives_inside_an_argument_keep_it_as_it_is() -> None:
    text = "cudaMemcpyToSymbol(\n#ifdef A\n  a,\n#else\n  b,\n#endif\n  p, n);"
    assert body(text, "a.h") == text.replace("cudaM", "hipM")
    assert left(text, "a.h") == [("rename", "review")]


FETCHES = """texture<float, 1, cudaReadModeElementType> table;
__global__ void k(float* o, cudaTextureObject_t t, cudaSurfaceObject_t s) {
  o[0] = tex1Dfetch(table, 1) + tex1Dfetch<float>(t, 2) + p.tex2D(t) + lib::tex3D(t);
  surf2Dwrite(o[0], s, 4, 0);
}
"""


@pytest.mark.parametrize(
    ("targets", "told"),
    [
        (("gfx942", "gfx950"), ["tex1Dfetch", "surf2Dwrite"]),
        (("gfx90a", "gfx950"), ["tex1Dfetch", "surf2Dwrite"]),
        (("gfx90a", "gfx1100"), []),
    ],
)
def test_fetches_are_told_for_targets_that_cannot_sample(targets: tuple[str, ...], told: list[str]) -> None:
    source = SourceFile("a.cu", FETCHES.encode())
    found = [f for f in find(source, rules(), Config(targets=targets)) if f.rule == "texture-fetch"]
    assert [FETCHES.encode()[f.span.start : f.span.end].decode() for f in found] == told
    assert all("gfx950" in f.message and "gfx90a" not in f.message for f in found)
    own = find(source, rules(), Config(targets=targets), frozenset({b"tex1Dfetch", b"surf2Dwrite"}))
    assert not [f for f in own if f.rule == "texture-fetch"]


@pytest.mark.parametrize(
    ("code", "times"),
    [
        ("auto op = (cublasOperation_t)trans;", 1),
        ("f(static_cast<cublasOperation_t>(trans), cublasFillMode_t(lower), (cublasGemmAlgo_t) -1);", 3),
        ("auto a = (cudaDeviceAttr)i; auto r = static_cast<curandRngType_t>(100);", 2),
        ("auto op = (cublasOperation_t)(t ? CUBLAS_OP_T : CUBLAS_OP_N);", 0),
        ("auto op = cublasOperation_t(CUBLAS_OP_T);", 0),
        ("void f(cublasOperation_t); cublasOperation_t g(int x); size_t n = sizeof(cublasOperation_t);", 0),
        ("cublasOperation_t (*table)(int); std::vector<cublasOperation_t> ops; auto p = (cublasOperation_t*)q;", 0),
        ("auto k = (cudaMemcpyKind)1; auto e = (cudaError_t)code;", 0),
    ],
)
def test_enumerations_made_of_numbers_are_told(code: str, times: int) -> None:
    assert [rule for rule, _ in left(code)].count("enum-number") == times


@pytest.mark.parametrize(
    ("argument", "count"),
    [
        ("k<128, 128, 64>", 1),
        ("k<float, (N > 2), A<1, 2>>", 1),
        ("ns::k<T, 4>::run", 1),
        ("(void*)k<T, 4>", 1),
        ("&k<decltype(x), sizeof(T)>", 1),
        ("a < b, c > d", 2),
        ("a << 2, c >> 1", 2),
        ("1 < b, c > (d)", 2),
    ],
)
def test_arguments_of_templates_are_no_arguments_of_the_call(argument: str, count: int) -> None:
    text = f"void f() {{ cudaFuncSetAttribute({argument}, cudaFuncAttributeMaxDynamicSharedMemorySize, n); }}"
    whole = f"reinterpret_cast<const void*>({argument})"
    assert (whole in body(text) or ("(void*)" in argument and f"({argument}," in body(text))) == (count == 1), body(
        text
    )


def test_a_function_that_depends_on_its_call_is_no_macro_of_the_vendor_header() -> None:
    text = "void f() { cudaEventCreate(&e); cudaEventCreate (&e, 2); }"
    source = SourceFile("a.cu", text.encode())
    found = findings(text)
    assert ("cudaEventCreate", "hipEventCreate") in vendor.names(source, found)
    assert not [pair for pair in vendor.names(source, found) if "WithFlags" in pair[1]]
    assert body(text) == "void f() { hipEventCreate(&e); hipEventCreateWithFlags (&e, 2); }"
    assert "`cudaEventCreate` is `hipEventCreateWithFlags`" in {f.message for f in found}


def test_an_enumerator_qualified_by_its_type_is_renamed() -> None:
    text = (
        "auto k = cudaMemcpyKind::cudaMemcpyDeviceToHost; auto e = ::cudaError_t::cudaSuccess; int x = my::cudaSuccess;"
    )
    wanted = text.replace("cudaMemcpy", "hipMemcpy").replace("cudaError_t::cuda", "hipError_t::hip")
    assert body(text) == wanted


def test_a_prototype_in_a_namespace_declares_a_name_of_its_own() -> None:
    text = "namespace gpu { void* cudaMalloc(int); }\nvoid f() { gpu::cudaMalloc(1); cudaMalloc(p, 1); }\n"
    assert body(text) == text.replace("; cudaMalloc", "; hipMalloc")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ('auto f = dlsym(RTLD_NEXT, "cudaMalloc");', ["look up `hipMalloc`"]),
        (
            'auto l = dlopen("libcuda.so.1", RTLD_LAZY); auto m = dlopen("/x/libcudart.so", 1);',
            ["load libamdhip64.so"] * 2,
        ),
        ('cudaGetDriverEntryPoint("cuMemAlloc", &p, 0);', ["look up `hipMalloc`"]),
        ('auto f = dlsym(lib, "my_function"); auto l = dlopen("libcustom.so", 1); puts("cudaMalloc");', []),
    ],
)
def test_names_looked_up_at_run_time_are_told(code: str, told: list[str]) -> None:
    assert [f.next_step for f in findings(code) if f.rule == "symbol-name"] == told


def test_a_field_that_cuda_has_dropped_is_told() -> None:
    text = "bool f(cudaPointerAttributes a) {{ return a.{} == cudaMemoryTypeDevice; }}"
    assert left(text.format("memoryType")) == [("rename", "review")]
    assert left(text.format("type")) == []


def test_libraries_that_python_loads_are_told() -> None:
    text = 'import ctypes\nlib = ctypes.CDLL("libcudart.so")  # libcudart.so\n# ctypes.CDLL("libcuda.so")\nx = "libcuda.so"\n'
    assert left(text, "a.py") == [("symbol-name", "manual")]
    assert ported(text, "a.py") == text.encode()


def test_a_null_pointer_needs_no_cast() -> None:
    text = "void f() { cudaFuncSetCacheConfig(nullptr, cudaFuncCachePreferL1); }"
    assert body(text) == text.replace("cuda", "hip")


def test_a_struct_that_is_a_typedef_in_hip_loses_the_word() -> None:
    text = "void f(const struct cudaExternalMemoryHandleDesc* d, enum cudaMemcpyKind k, struct cudaPos p);\n"
    wanted = text.replace("struct cudaExternal", "hipExternal").replace("cuda", "hip")
    assert body(text) == wanted
    assert body("struct cudaExternalMemoryHandleDesc;\n") == "struct hipExternalMemoryHandleDesc;\n"


def test_graph_calls_with_edge_data_are_told() -> None:
    assert left("void f() { cuGraphAddDependencies(g, a, b, n); cuStreamGetCaptureInfo(s, &t, &i, &g, &d, &n); }") == []
    assert left("void f() { cuGraphAddDependencies(g, a, b, e, n); }") == [("rename", "review")]

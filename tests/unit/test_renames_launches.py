"""Kernel launches in every spelling, kept and as hipLaunchKernelGGL."""
# ruff: noqa: E501  (a case is one line)

from __future__ import annotations

import pytest
from lexical import body, left, ported

from hipport.config import Launch

KEPT = [
    "k<<<g, b>>>(n);",
    "k<1, 2><<<g, b>>>(n);",
    "k<1, (2 > 1)><<<g, b>>>(n);",
    "{k<<<g, b>>>(n);}",
    "if (1) k<<<g, b>>>(n);",
    "x->k<<<g, b>>>(n);",
    "arr[i]<<<g, b>>>(n);",
    "k<<<a < b ? a : b, 32>>>(n);",
    "k<<<std::min(4, n), dim3(1, 2), n >> 4 > 100 ? s : t>>>(n);",
    "k<<<grid<A<B<1>>>(n), 256>>>(x);",
    "#define RUN(k, ...) k<<<1, 2>>>(__VA_ARGS__)\n",
    "#define CFG <<<1, 2>>>\nk CFG (n);\n",
    "auto f = [&] { k<<<g, b, 0, s>>>(n); };",
    "k\n  <<<g,\n     b>>>\n  (n);",
    "std::vector<std::vector<std::vector<int>>> v;",
    "std::vector<std::vector<std::vector<int> > > v; int a = 1 << 2; f(a >> 3 > 2);",
    "<<<<<<< HEAD\nint a;\n=======\nint b;\n>>>>>>> other\n",
    "#if 0\nsee k<<< for more\n#endif\n",
    "k<<<CONFIG>>>(n);",
    "k<<<LAUNCH_PARAMS(n)>>>(n);",
    'std::cout << "a" << x << (b < c) << std::endl;',
]
MENDED = [
    ("k << <g, b>> >(n);", "k <<<g, b>>>(n);"),
    ("k< < <g, b> > >(n);", "k<<<g, b>>>(n);"),
    ("k<< <g, b>>>(n);", "k<<<g, b>>>(n);"),
    ("k<<<g, b> >>(n);", "k<<<g, b>>>(n);"),
    ("k<A<1> > << <g, (b >> 2)>> > (n);", "k<A<1> > <<<g, (b >> 2)>>> (n);"),
    ("k << <g,\n b >> > (n);", "k <<<g,\n b >>> (n);"),
]
CALLS = [
    ("k<<<g, b>>>(n);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, n);"),
    ("k<<<g, b>>>();", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0);"),
    ("k<<<dim3(1, 2), dim3(b), m>>> ( n );", "hipLaunchKernelGGL(k, dim3(1, 2), dim3(b), m, 0, n );"),
    ("k<<<g, b, m, s>>>(n, f(a, b));", "hipLaunchKernelGGL(k, dim3(g), dim3(b), m, s, n, f(a, b));"),
    ("k<1, 2><<<g, b>>>(n);", "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<1, 2>), dim3(g), dim3(b), 0, 0, n);"),
    ("k<1, (2 > 1)><<<g, b>>>(n);", "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<1, (2 > 1)>), dim3(g), dim3(b), 0, 0, n);"),
    ("{k<<<g, b>>>(n);}", "{hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, n);}"),
    ("if(1)k<<<g, b>>>(n);", "if(1)hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, n);"),
    ("x->k<<<g, b>>>(n);", "hipLaunchKernelGGL(x->k, dim3(g), dim3(b), 0, 0, n);"),
    ("o.a.k<<<g, b>>>(n);", "hipLaunchKernelGGL(o.a.k, dim3(g), dim3(b), 0, 0, n);"),
    ("arr[i + 1]<<<g, b>>>(n);", "hipLaunchKernelGGL(arr[i + 1], dim3(g), dim3(b), 0, 0, n);"),
    ("(*fp)<<<g, b>>>(n);", "hipLaunchKernelGGL((*fp), dim3(g), dim3(b), 0, 0, n);"),
    ("::a::k<<<g, b>>>(n);", "hipLaunchKernelGGL(::a::k, dim3(g), dim3(b), 0, 0, n);"),
    ("return ns::T<int>::k<<<g, b>>>(n);", "return hipLaunchKernelGGL(HIP_KERNEL_NAME(ns::T<int>::k), dim3(g), dim3(b), 0, 0, n);"),
    ("k<<<a < b ? a : b, 32>>>(n);", "hipLaunchKernelGGL(k, dim3(a < b ? a : b), dim3(32), 0, 0, n);"),
    ("k<<<g, b, 0, cudaStreamPerThread>>>(n);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, hipStreamPerThread, n);"),
    ("#define R(k, ...) k<<<1, 2>>>(__VA_ARGS__)\n", "#define R(k, ...) hipLaunchKernelGGL(k, dim3(1), dim3(2), 0, 0, __VA_ARGS__)\n"),
    ("template <class T> __global__ void k(T x) {}\nvoid f() { k<<<1, 2>>>(3); }", "template <class T> __global__ void k(T x) {}\nvoid f() { hipLaunchKernelGGL(HIP_KERNEL_NAME(k), dim3(1), dim3(2), 0, 0, 3); }"),
    ("#define K k<int>\nvoid f() { K<<<1, 2>>>(3); }", "#define K k<int>\nvoid f() { hipLaunchKernelGGL(HIP_KERNEL_NAME(K), dim3(1), dim3(2), 0, 0, 3); }"),
    ("k<<<CONFIG>>>(n);", "k<<<CONFIG>>>(n);"),
    ("k << <g, b>> >(n);", "hipLaunchKernelGGL(k, dim3(g), dim3(b), 0, 0, n);"),
]  # fmt: skip


@pytest.mark.parametrize("text", KEPT)
def test_a_launch_stays_in_every_spelling(text: str) -> None:
    assert body(text, "a.h") == text
    assert left(text, "a.h") == []


@pytest.mark.parametrize(("text", "wanted"), MENDED)
def test_split_chevrons_are_joined(text: str, wanted: str) -> None:
    assert body(text, "a.h") == wanted


@pytest.mark.parametrize(("text", "wanted"), CALLS)
def test_a_launch_becomes_a_call_where_that_is_asked(text: str, wanted: str) -> None:
    assert body(text, "a.h", Launch.GGL) == wanted


def test_a_launch_without_block_size_is_named() -> None:
    assert left("k<<<grid>>>(n);", "a.h") == [("launch", "manual")]
    assert ported("k<<<grid>>>(n);", "a.h") == b"k<<<grid>>>(n);"
    assert left("#define grid 1, 2\nk<<<grid>>>(n);", "a.h") == []
    assert left("template <class... A> void f(A... a) { k<<<a...>>>(n); }", "a.h") == []


def test_a_launch_in_a_branch_for_cuda_stays() -> None:
    text = "#ifdef USE_ROCM\nhipLaunchKernelGGL(k, 1, 2, 0, 0);\n#else\nk<<<1, 2>>>();\n#endif\n"
    assert body(text, "a.h", Launch.GGL) == text


def test_directives_inside_a_launch_keep_it_as_it_is() -> None:
    text = "k<<<g, b>>>(n,\n#ifdef A\n  a\n#else\n  b\n#endif\n);"
    assert body(text, "a.h", Launch.GGL) == text
    assert body("#include <b>\n<<<1, 2>>>(n);", "a.h", Launch.GGL) == "#include <b>\n<<<1, 2>>>(n);"

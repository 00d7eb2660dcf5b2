"""The LDS that is read off sources against what the compiler for AMD gives kernels, and text against clang."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from hipport.frontend import lds, libclang, shared, units
from hipport.model import SourceFile
from tests.toolchain.lds_kernels import made

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.frontend.lds import Held
    from hipport.frontend.unit import Unit
    from hipport.toolchain.compiler import Compiler

INCLUDES = "#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n#include <array>\n#include <cstdint>\n"
LIMIT = 60_000  # bytes: kernels with more are left out, the compiler refuses what is over 64 KiB
STEP = 16  # bytes that LLVM aligns LDS variables of more than 8 bytes to (AMDGPULowerModuleLDS)

FORMS = """
template <class T> struct Tile { T v[8][9]; };
struct __align__(32) Aligned { int a[3]; };
struct Cell { double a[8]; int b; };
union Either { Cell cell; float f[64]; };
constexpr int area(int n) { int s = 0; for (int i = 0; i < n; i++) s += n; return s; }
struct Sizes { static constexpr int kTile = 24; enum { kPad = 5 }; };
template <int N> struct Policy { static constexpr int kBytes = N * sizeof(Cell); };
__shared__ short whole[37];
template <class A> __device__ void touch(A& a, unsigned char* p) {
  unsigned char* b = (unsigned char*)&a;
  for (unsigned i = threadIdx.x; i < sizeof(a); i += blockDim.x) b[i] = p[i];
  __syncthreads();
  for (unsigned i = threadIdx.x; i < sizeof(a); i += blockDim.x) p[i] = b[sizeof(a) - 1 - i];
}
__global__ void cells(unsigned char* p) { __shared__ Cell s[200]; touch(s, p); }
__global__ void either(unsigned char* p) { __shared__ Either s[3]; touch(s, p); }
__global__ void aligned(unsigned char* p) { __shared__ Aligned s[5]; touch(s, p); }
__global__ void unnamed(unsigned char* p) { __shared__ union { float f[7]; double d[3]; } s; touch(s, p); }
__global__ void local(unsigned char* p) { struct Own { char c; long l; }; __shared__ Own s[4]; touch(s, p); }
__global__ void computed(unsigned char* p) { __shared__ float s[area(6)]; touch(s, p); }
__global__ void member(unsigned char* p) { __shared__ int s[Sizes::kTile][Sizes::kPad]; touch(s, p); }
__global__ void scoped(unsigned char* p) { constexpr int n = sizeof(Cell) * 3; __shared__ char s[n]; touch(s, p); }
__global__ void file(unsigned char* p) { touch(whole, p); }
__global__ void unused(unsigned char* p) { __shared__ float s[900]; __shared__ int n[9]; touch(n, p); }
__global__ void dynamic(unsigned char* p) {
  extern __shared__ unsigned char d[];
  __shared__ int n[9];
  touch(n, p);
  p[0] = d[p[1]];
}
__global__ void standard(unsigned char* p) { __shared__ std::array<Cell, 6> s; touch(s, p); }
template <class T = double, int N = 12> __global__ void defaults(unsigned char* p) { __shared__ T s[N]; touch(s, p); }
template <class T> __global__ void deduced(T* p) { __shared__ Tile<T> s; touch(s, (unsigned char*)p); }
template <class P> __global__ void policy(unsigned char* p) { __shared__ char s[P::kBytes]; touch(s, p); }
template <int... N> __global__ void pack(unsigned char* p) { __shared__ int s[(N + ...)]; touch(s, p); }
template <int N> __global__ void branch(unsigned char* p) {
  if constexpr (N > 4) { __shared__ double s[N]; touch(s, p); } else { __shared__ char s[N]; touch(s, p); }
}
template <class F> __global__ void apply(F f, unsigned char* p) { f(p); }
struct Functor { __device__ void operator()(unsigned char* p) const { __shared__ float s[33]; touch(s, p); } };
template <int N> void chosen(unsigned char* p) { branch<N><<<1, 64>>>(p); }
void run(unsigned char* p, int n, double* d) {
  cells<<<1, 64>>>(p); either<<<1, 64>>>(p); aligned<<<1, 64>>>(p); unnamed<<<1, 64>>>(p); local<<<1, 64>>>(p);
  computed<<<1, 64>>>(p); member<<<1, 64>>>(p); scoped<<<1, 64>>>(p); file<<<1, 64>>>(p); unused<<<1, 64>>>(p);
  dynamic<<<1, 64, 64>>>(p); standard<<<1, 64>>>(p);
  defaults<<<1, 64>>>(p); defaults<float><<<1, 64>>>(p); deduced<<<1, 64>>>(d); policy<Policy<7>><<<1, 64>>>(p);
  pack<3, 4, 5><<<1, 64>>>(p); apply<<<1, 64>>>(Functor{}, p);
  switch (n) { case 3: chosen<3>(p); break; default: chosen<30>(p); }
}
"""


def read(text: str) -> Unit:
    return units.read([SourceFile("k.cu", text.encode())])["k.cu"]


def launched(unit: Unit) -> dict[str, Held]:
    """What the launches of a file take, by the kernel's name and its template's arguments."""
    found = (held for c in unit.closures for launch in c.launches for held in lds.at_launch(unit, c, launch))
    return {held.label: held for held in found}


def compiled(amd: Compiler, folder: Path, text: str) -> dict[str, int]:
    """What the compiler gives each kernel of gfx942, by name with the template's arguments."""
    source = folder / "k.hip"
    source.write_text(INCLUDES + text, encoding="utf-8")
    built = amd.compile(source, "gfx942", output=folder / "k.co")
    assert built.ok, built.log
    names = {k.demangled.removeprefix("void ").rpartition("(")[0]: k.lds for k in built.kernels}
    return {name.replace(" >", ">"): size for name, size in names.items()}


def same_kernel(name: str, compiler_names: dict[str, int]) -> list[int]:
    plain = name.partition("<")[0]
    if name in compiler_names:
        return [compiler_names[name]]
    return [size for other, size in compiler_names.items() if other.partition("<")[0] == plain]


@pytest.mark.amd
def test_every_form_has_the_compilers_size(amd: Compiler, tmp_path: Path) -> None:
    if libclang.load() is None:
        pytest.skip("needs libclang")
    ours, theirs = launched(read(FORMS)), compiled(amd, tmp_path, FORMS)
    assert len(ours) == 20
    for label, held in ours.items():
        assert same_kernel(label, theirs) == [held.size], label
        assert held.whole, label


@pytest.mark.amd
@pytest.mark.parametrize("seed", range(3))
def test_kernels_made_at_random_have_the_compilers_size(amd: Compiler, tmp_path: Path, seed: int) -> None:
    if libclang.load() is None:
        pytest.skip("needs libclang")
    types, kernels = made(seed)
    big = {label.partition("<")[0] for label, h in launched(read(types + "".join(kernels))).items() if h.size > LIMIT}
    text = types + "".join(k for i, k in enumerate(kernels) if f"k{i}" not in big)
    unit = read(text)
    assert not unit.tree.problems
    ours, theirs = launched(unit), compiled(amd, tmp_path, text)
    assert len(ours) > len(kernels) // 2
    by_name = {re.match(r"k\d+", name).group(): size for name, size in theirs.items()}  # type: ignore[union-attr]
    for label, held in ours.items():
        size, arrays = by_name[label.partition("<")[0]], len(held.arrays)
        assert held.whole, label
        assert size == held.size if arrays == 1 else held.size <= size < held.size + STEP * arrays, label


@pytest.mark.parametrize("seed", range(10, 16))
def test_text_gives_clangs_size_or_none(seed: int) -> None:
    if libclang.load() is None:
        pytest.skip("needs libclang")
    types, kernels = made(seed)
    unit = read(types + "".join(kernels))
    sizes = [
        (array.size, unit.tree.shared[array.at], array.name)
        for function in unit.functions
        for array in shared.find(unit.text, unit.macros, function)
        if array.at in unit.tree.shared
    ]
    known = [(text, clang, name) for text, clang, name in sizes if text is not None]
    assert len(known) * 3 > len(sizes)
    assert all(text == clang for text, clang, _ in known), known

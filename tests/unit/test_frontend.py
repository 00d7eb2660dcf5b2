# ruff: noqa: E501  C++ fragments are clearest on their own lines
"""Reading device code: text, branches, constants, functions, launches, trees, meanings, waits, widths, closures."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from hipport.cli import app
from hipport.errors import UntestedError
from hipport.frontend import (
    branches,
    calls,
    compiledb,
    functions,
    launches,
    libclang,
    macros,
    reading,
    system,
    unit,
    units,
)
from hipport.frontend.branches import Side
from hipport.frontend.closure import Mode
from hipport.frontend.text import CodeText, blank
from hipport.frontend.waits import WaitKind
from hipport.model import SourceFile

if TYPE_CHECKING:
    from pathlib import Path

needs_clang = pytest.mark.skipif(libclang.load() is None, reason="libclang is not installed")


def read(**files: str) -> dict[str, unit.Unit]:
    return units.read([SourceFile(name.replace("__", "."), text.encode()) for name, text in files.items()])


def test_blanking_keeps_every_offset_and_leaves_no_comment_or_string() -> None:
    data = b'a // x\\\n y\n"s\'\\"/*" \'\\\'\' R"q(//)" )q" 1\'000 /* \n */ b\r\n'
    out = blank(data)
    assert len(out) == len(data)
    assert out.count(b"\n") == data.count(b"\n")
    assert out.split() == [b"a", b'"', b'"', b"'", b"'", b'R"', b'"', b"1'000", b"b"] or b"//" not in out


def test_a_branch_that_asks_for_amd_is_not_cuda_and_its_other_side_is_dead_there() -> None:
    text = CodeText.of(
        "a",
        b"0\n#if defined(USE_ROCM) && X > 1\n1\n#elif __CUDA_ARCH__ >= 700\n2\n#else\n3\n#endif\n#ifndef __HIPCC__\n4\n#endif\n#if 0\n5\n#else\n6\n#endif\n",
    )
    found = branches.read(text)
    sides = {
        text.code[i : i + 1]: found.at(i)
        for i in range(len(text.code))
        if text.code[i : i + 2] in (b"0\n", b"1\n", b"2\n", b"3\n", b"4\n", b"5\n", b"6\n")
    }
    assert sides[b"1"] is Side.AMD
    assert sides[b"2"] is Side.BOTH
    assert sides[b"4"] is Side.CUDA
    assert sides[b"5"] is Side.DEAD
    assert sides[b"6"] is Side.BOTH


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("0xffffffffu", 0xFFFFFFFF),
        ("(unsigned)-1", -1),
        ("~0", -1),
        ("W / 2", 16),
        ("1 << 5", 32),
        ("N", None),
        ("010", 8),
        ("-7 / 2", -3),
        ("4 +", None),
    ],
)
def test_constants_fold_and_unknown_ones_do_not(expression: str, value: int | None) -> None:
    known = macros.read([CodeText.of("a", b"#define W 32\n#define A B\n#define B A\n#define T 1\n#define T 2\n")])
    assert known.value(expression) == value
    assert known.value("A") is None
    assert known.value("T") is None


def test_functions_are_found_behind_macros_attributes_and_templates() -> None:
    source = b"""#define DEV __device__ inline
template <class T> __global__ void __launch_bounds__(256, 2) k(T* x) { f(x); }
DEV int f(const int* x) { return [=] __device__ (int i) { return i; }(1); }
__device__ int table[4] = {1, 2};
struct S { __device__ S(int a) : v(a) { g(); } int v; __host__ __device__ int operator()(int) const { return 1; } };
extern __global__ void declared(int);
"""
    text = CodeText.of("a.cu", source)
    found = list(functions.device_functions(text, macros.read([text])))
    assert [(f.name, f.kernel) for f in found] == [("k", True), ("f", False), ("S", False), ("operator", False)]
    assert found[0].calls == {"f"}


def test_a_launch_folds_its_sizes() -> None:
    source = b"""constexpr int T = 128;
void run() { dim3 block(32, T / 32); k<a<1>, 2><<<dim3(n, 2), block, T * sizeof(float), s>>>(x); m<<<(n + 3) / 4, T>>>(); }
"""
    text = CodeText.of("a.cu", source)
    first, second = launches.find(text, macros.read([text]))
    assert (first.kernel, first.grid, first.block, first.lds) == ("k", (None, 2, 1), (32, 4, 1), 512)
    assert (second.kernel, second.grid, second.block, second.lds) == ("m", (None, 1, 1), (128, 1, 1), 0)


@needs_clang
def test_a_header_is_read_through_its_includer_and_a_parse_is_the_same_from_the_cache(tmp_path, monkeypatch) -> None:
    files = {
        "k__cu": '#include <torch/extension.h>\nstruct P { int n; };\n#include "h.cuh"\n__global__ void k(P p, int* x) { x[0] = first(p, x); }\n',
        "h__cuh": "__device__ int first(P p, int* x) { int lane = threadIdx.x & 31; return __shfl_sync(0xffffffff, x[lane], p.n); }\n",
    }
    found = {}
    for folder in ("off", str(tmp_path), str(tmp_path)):
        monkeypatch.setenv("HIPPORT_CACHE", folder)
        reading.parse._prelude.cache_clear()
        found[folder, len(found)] = read(**files)
    reading.parse._prelude.cache_clear()
    off, cold, warm = found.values()
    assert off["h.cuh"].read_whole(off["h.cuh"].functions[0].start)
    assert [u["h.cuh"].tree for u in (cold, warm)] == [off["h.cuh"].tree] * 2
    assert any((tmp_path / "parses").rglob("*"))


@needs_clang
def test_every_side_of_a_condition_is_read_where_it_matters() -> None:
    one = read(
        a__cu="""#ifndef N
#define N 4
#endif
#if __CUDA_ARCH__ >= 300
__device__ float h(float v) { for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o); return v; }
#else
__device__ float h(float v) { __shared__ float s[32]; s[threadIdx.x % 32] = v; __syncthreads(); return s[0]; }
#endif
__global__ void k(float* x, int n) {
  int lane = threadIdx.x & 31;
#ifdef USE_HALF
  if (threadIdx.x / 32 == 0) { __syncthreads(); }
  for (int o = 16; o > 0; o >>= 1) x[n] += __shfl_down_sync(~0u, x[lane], o);
#elif defined(OTHER)
  int w2 = threadIdx.x >> 5; __shared__ float t[32]; t[w2] = 1;
#elif defined(USE_ROCM)
  int w3 = threadIdx.x / 32; __shared__ float u[32];
#else
  x[0] = h(x[1]);
#endif
}
"""
    )["a.cu"]
    widths = [(f.name, [(w.role.value, one.text.line(w.start)) for w in one.widths(f)]) for f in one.functions]
    assert widths == [
        ("h", [("shuffle", 5)]),
        ("h", [("partials", 7), ("lane", 7)]),
        ("k", [("lane", 10), ("warp", 12), ("shuffle", 13), ("warp", 15), ("partials", 15)]),
    ]
    assert [one.text.word(w.start, w.end) for f in one.functions for w in one.widths(f)][:5] == [
        "16",
        "32",
        "32",
        "31",
        "32",
    ]
    assert [w.kind for w in one.waits] == [WaitKind.BARRIER]
    assert all(one.read_whole(f.body) for f in one.functions)


@needs_clang
def test_a_side_that_does_not_parse_takes_nothing_from_the_others() -> None:
    text = """__global__ void k(int* x) {
#ifdef A
  int w = threadIdx.x / 32; __shfl_sync(~0u, w, nowhere, nothing);
#else
  int v = threadIdx.x / 32; x[v] = 1;
#endif
}
"""
    one = read(a__cu=text)["a.cu"]
    assert one.read_whole(one.functions[0].body)
    assert [one.text.line(w.start) for w in one.widths(one.functions[0])] == [5]


@needs_clang
def test_a_broken_function_leaves_the_others_read() -> None:
    one = read(
        a__cu="__global__ void bad(int* x) { unknown_t y = frob(1); }\n__global__ void good(int* x) { x[threadIdx.x] = 1; }\n"
    )["a.cu"]
    bad, good = one.functions
    assert not one.read_whole(bad.start)
    assert one.read_whole(good.start)


@needs_clang
def test_spans_are_those_of_the_file_also_in_macro_arguments() -> None:
    source = "#define TWICE(x) ((x) + (x))\n__global__ void k(int* x) { x[0] = TWICE(threadIdx.x % 32); if (threadIdx.x >> 5) x[1] = 2; }\n"
    one = read(a__cu=source)["a.cu"]
    widths = one.widths(one.functions[0])
    assert [source[w.start : w.end] for w in widths if not w.macro] == ["5"]
    assert all(source[w.start : w.end] in ("32", "5") or w.macro for w in widths)


@needs_clang
@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("if (w == 0) __syncthreads();", WaitKind.BARRIER),
        ("for (int i = w; i < 4; i += 2) __syncthreads();", WaitKind.BARRIER),
        ("while (atomicCAS(lock, 0, 1)) ;", WaitKind.LOCK),
        ("while (s[w - 1] == 0) __threadfence_block();", WaitKind.FLAG),
        ("if (threadIdx.x == 0) while (f[blockIdx.x] == 0);", WaitKind.BLOCK),
        ("if (blockIdx.x) __syncthreads();", None),
        ("if (threadIdx.x < 128) __syncthreads();", None),
        ("while (n > 0) { n -= 32; __syncthreads(); }", None),
        ("int old = *lock, seen; do { seen = old; old = atomicCAS(lock, seen, seen + 1); } while (seen != old);", None),
    ],
)
def test_waits_are_told_apart(code: str, kind: WaitKind | None) -> None:
    source = (
        "__global__ void k(int* lock, volatile int* f, int n) { __shared__ volatile int s[9]; int w = threadIdx.x / 32; "
        + code
        + " }"
    )
    assert [w.kind for w in read(a__cu=source)["a.cu"].waits] == ([kind] if kind else [])


@needs_clang
def test_a_kernel_that_waits_is_left_whole_and_what_others_share_is_not() -> None:
    one = read(
        a__cu="""__device__ int own(int v) { return __shfl_sync(~0u, v, 0); }
__device__ int shared(int v) { return __shfl_sync(~0u, v, 1); }
__global__ void waits(int* l) { while (atomicExch(l, 1)) ; *l = own(shared(1)); }
__global__ void free(int* l) { *l = shared(2); }
"""
    )["a.cu"]
    own, shared, waits, free = one.functions
    assert "lock" in one.blocked(own.body)
    assert "lock" in one.blocked(waits.body)
    assert not one.blocked(shared.body)
    assert not one.blocked(free.body)


@needs_clang
def test_the_command_shows_a_closure(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "__global__ void k(float* x) { __shared__ float s[4][32]; int lane = threadIdx.x % 32; s[0][lane] = __shfl_sync(~0u, x[0], 3); }\nvoid f(float* x) { k<<<2, 64>>>(x); }\n"
    )
    out = CliRunner().invoke(app, ["closure", str(tmp_path / "a.cu"), "--json"])
    assert out.exit_code == 0, out.output
    (one,) = json.loads(out.stdout)["closures"]
    assert one["kernel"] == "k"
    assert one["launches"][0]["block"] == [64, 1, 1]
    assert one["functions"][0]["shared"] == [{"name": "s", "type": "float[4][32]", "bytes": 512}]
    assert one["functions"][0]["values"]["lane"] == ["lane"]
    assert (
        CliRunner()
        .invoke(app, ["closure", str(tmp_path / "a.cu"), "--kernel", "none"])
        .stdout.strip()
        .endswith("no kernel `none`")
    )


def test_modes_are_those_of_the_settings() -> None:
    from hipport.config import WarpMode

    assert {m.value for m in Mode} == {m.value for m in WarpMode}


@needs_clang
def test_a_compile_database_supplies_the_macros(tmp_path: Path) -> None:
    source = "#ifndef LANES\n#error no\n#endif\n__global__ void k(int* x) { x[threadIdx.x % LANES] = WIDE; }\n"
    entry = {"directory": str(tmp_path), "file": "a.cu", "command": "nvcc -DLANES=32 -D WIDE=1 -std=c++20 -O3 -c a.cu"}
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps([entry, {"file": 3}, {"directory": "/x"}]))
    words = compiledb.read(tmp_path)
    assert words == {"a.cu": ("-DLANES=32", "-DWIDE=1", "-std=c++20")}
    files = [SourceFile("a.cu", source.encode())]
    one = units.read(files, commands=words)["a.cu"]
    assert one.read_whole(one.functions[0].body)
    without = units.read(files)["a.cu"]
    assert not without.read_whole(without.functions[0].body)
    (tmp_path / "build" / "compile_commands.json").write_text("no json")
    assert not compiledb.read(tmp_path)


def test_a_compile_database_is_read_in_all_spellings_and_no_further_than_the_repository(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    words = [
        *("nvcc", "-DA=1", "-D", "B", "--define-macro=C", "-UD", "-I", "../inc", "-isystem../sys", "-I/usr/include"),
        *(
            "--include-path=../..",
            "-std",
            "c++20",
            "-include",
            "../pre.h",
            "-include/etc/passwd",
            "-O2",
            "-c",
            "../a.cu",
        ),
    ]
    rows = [
        {"directory": "build", "file": "../a.cu", "arguments": words},
        {"file": "/elsewhere.cu", "command": "nvcc"},
        3,
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(rows))
    found = compiledb.read(tmp_path)
    assert found == {"a.cu": ("-DA=1", "-DB", "-DC", "-UD", "-Iinc", "-Isys", "-std=c++20", "-includepre.h")}


@needs_clang
def test_include_folders_forced_files_and_the_standard_come_from_the_compile_database() -> None:
    kernel = '#include "w.h"\n__global__ void k(int* x) { auto f = []<class T>(T v) { return v; }; x[threadIdx.x / W] = f(ONE); }\n'
    files = [
        SourceFile(name, text.encode())
        for name, text in {
            "src/a.cu": kernel,
            "src/other/w.h": "#define W 64\n",
            "inc/w.h": "#define W 32\n",
            "pre/p.h": "#define ONE 1\n",
        }.items()
    ]
    commands = {"src/a.cu": ("-Iinc", "-includepre/p.h", "-std=c++20")}
    one = units.read(files, commands=commands)["src/a.cu"]
    assert one.read_whole(one.functions[0].body), one.tree.problems
    assert [one.text.word(w.start, w.end) for w in one.widths(one.functions[0])] == ["W"]
    assert not units.read(files)["src/a.cu"].read_whole(one.functions[0].body)


@needs_clang
def test_the_systems_headers_give_what_the_stubs_do() -> None:
    try:
        system.folders()
    except UntestedError as error:
        pytest.skip(str(error))
    text = """#include <vector>
#include <cmath>
#include <sys/time.h>
#include <cuda_runtime.h>
#include "missing.h"
__global__ void __noinline__ k(float* x, timeval* t) {
  int lane = threadIdx.x % 32;
  for (int o = 16; o > 0; o >>= 1) x[lane] += __shfl_down_sync(~0u, sqrtf(fabs(x[lane])), o);
  assert(x[0] < max(1, 2)); printf("%f", x[0]); memcpy(x, t, sizeof(float)); timeval w = *t; w.tv_sec = 1;
}
int main() { std::vector<int> v(3); return (int)v.size(); }
"""
    files = [SourceFile("a.cu", text.encode())]
    real, stubs = (units.read(files, system_headers=wanted)["a.cu"] for wanted in (True, False))
    body = real.functions[0].body
    assert real.read_whole(body), real.tree.problems
    assert not stubs.read_whole(body)  # there is no timeval
    assert [w.role.value for w in real.widths(real.functions[0])] == ["lane", "shuffle"]


def test_missing_system_headers_are_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "_WANTED", ("no_such_header",))
    system.folders.cache_clear()
    (tmp_path / "a.cu").write_text("__global__ void k() {}\n")
    out = CliRunner().invoke(app, ["closure", str(tmp_path / "a.cu"), "--system-headers"])
    system.folders.cache_clear()
    assert isinstance(out.exception, UntestedError)
    assert "no header `no_such_header`" in str(out.exception)


def test_twenty_thousand_kernels_take_no_longer_each_than_two_thousand() -> None:
    text = b"#include <cuda_runtime.h>\n__device__ int h(int v) { return __shfl_sync(~0u, v, 0); }\n" + b"".join(
        b"__global__ void k%d(int* x) { x[0] = h(x[1]); }\nvoid r%d(int* x) { k%d<<<1, 32>>>(x); }\n" % (i, i, i)
        for i in range(20_000)
    )
    one = units.read([SourceFile("a.cu", text)], parse=False)["a.cu"]
    assert len(one.closures) == 20_000
    assert len(one.closures_of(one.functions[0])) == 20_000
    assert one.closures_of(one.functions[-1])[0].launches == one.launches_in(one.hosts[-1])
    assert one.crosses(one.function_at(one.functions[-1].body + 3))


@needs_clang
def test_calls_that_a_templates_parameters_decide_have_their_names() -> None:
    source = """struct S { template <class A> __device__ A get(A a) const; };
template <class T> __device__ T f(T v, const S& s, T* p) {
  T w = __shfl_xor_sync(~0u, v, 16);
  w += T(v);
  p[0] = s.get(w) + atomicAdd(p, w);
  return f<T>(w, s, p);
}
"""
    one = read(a__cu=source)["a.cu"]
    body = one.tree.bodies[one.functions[0].body]
    assert [n.name for n in body.walk() if n.kind == "call" and n.name] == ["__shfl_xor_sync", "get", "atomicAdd", "f"]


@needs_clang
def test_a_kernel_whose_addresses_follow_from_the_warp_size_is_no_native_one() -> None:
    source = """__global__ void k(const int* x, int* y) {
  int v = x[blockIdx.x * warpSize + threadIdx.x];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  if (threadIdx.x == 0) y[blockIdx.x] = v;
}
void run(const int* x, int* y) { k<<<4, 128>>>(x, y); }
"""
    (one,) = units.read([SourceFile("a.cu", source.encode())], Mode.NATIVE)["a.cu"].closures
    assert one.mode is Mode.SUBWARP
    assert "`warpSize` has a part" in one.reason


def test_a_launch_folds_no_variable_that_changes() -> None:
    text = b"""void f(int* p) {
  int a = 64, b = 64; dim3 c(32, 2), d(32, 2);
  g(&a); b = 96; c.x = 64;
  k<<<1, a>>>(p); k<<<1, b>>>(p); k<<<1, c>>>(p); k<<<1, d>>>(p);
}
"""
    found = launches.find(CodeText.of("a.cu", text), macros.read([]))
    assert [shot.block for shot in found] == [(None, 1, 1), (None, 1, 1), (None, None, None), (32, 2, 1)]


def test_a_call_of_the_global_name_is_found_and_one_of_another_namespace_is_not() -> None:
    source = b"return ::f(1); x = ::f(2); mine::f(3); mine:: f(4); vec<int>::f(5); else ::f(6);"
    found = calls.find(CodeText.of("a.cu", source), re.compile(rb"(?<!\w)f(?!\w)"))
    assert [source[a:b] for site in found for a, b in site.arguments] == [b"1", b"2", b"6"]

# ruff: noqa: E501 (PTX, an instruction a row)
"""Every row of rules/ptx.yaml with a replacement: compiled for five targets, executed on AMD machine code.

Each row becomes kernels that hold the PTX; a port of them computes on edge values what tests/ptx_semantics.py says.
"""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import numpy as np
import ptx_semantics as ptx
import pytest

from hipport.config import Config
from hipport.errors import UntestedError
from hipport.model import Safety, SourceFile
from hipport.porting import semantic, shims
from hipport.rewrites.inline_ptx import table
from hipport.source import edits

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
EXECUTED = ("gfx942", "gfx950")
LANES = 128
LETTER = {1: "r", 8: "r", 16: "h", 32: "r", 64: "l"}
HOLDS = {"r": "unsigned", "h": "unsigned short", "l": "unsigned long long", "f": "float", "d": "double"}
MEMORY = {
    "ld",
    "st",
    "atom",
    "red",
    "cp",
    "prefetch",
    "prefetchu",
    "discard",
    "applypriority",
    "cvta",
    "isspacep",
    "createpolicy",
}
# rows that are compiled only, and why
NOT_EXECUTED = {
    "clock": "counts time", "globaltimer": "counts time", "smid": "whichever CU it is", "nanosleep": "waits",
    "membar": "orders", "fence": "orders", "bar": "orders", "barrier": "orders", "trap": "ends the process",
    "brkpt": "ends the process", "griddepcontrol": "does nothing", "lane": "tested on whole warps by lane-ptx and half_wave",
}  # fmt: skip
WHOLE_WARP = {"activemask", "vote", "match", "redux", "shfl", "elect"}


def choices(pattern: str) -> list[dict[str, str]]:
    """For each group its words: all of the first two groups together, the rest one by one."""
    groups = re.findall(r"<(\w+):([^>]*)>", pattern)
    words = [(name, text.split("|")) for name, text in groups]
    memory = pattern.partition(".")[0] in MEMORY
    kinds = [
        [w for w in several if not memory or name != "t" or w in ("u8", "s16", "b32", "u64", "f32", "f64")]
        for name, several in words
    ]
    full = [dict(zip([n for n, _ in words], combination, strict=True)) for combination in itertools.product(*kinds)]
    if len(full) <= 12 and not memory:
        return full
    seen: list[dict[str, str]] = []
    for i, (name, _) in enumerate(words):
        for word in kinds[i]:
            one = {n: kinds[j][0] for j, (n, _) in enumerate(words)} | {name: word}
            if one not in seen:
                seen.append(one)
    return seen


class Case:
    """One opcode with its operands, and the kernel that holds it."""

    def __init__(self, rule: table.PtxRule, groups: dict[str, str], number: int, literal: str = "") -> None:
        self.rule, self.groups, self.name = rule, groups, f"k{number}"
        text = rule.ptx
        for name, word in groups.items():
            text = re.sub(rf"<{name}:[^>]*>", word, text)
        opcode, _, rest = text.partition(" ")
        self.opcode = re.sub(r"\[([^\]]*)\]", r"\1" if number % 2 else "", opcode)
        self.operands = [table._operand(part) for part in table._split(rest)]
        self.literal = literal
        self.words = self.opcode.split(".")[1:]
        self.base = self.opcode.split(".")[0]

    def type(self, form: table.OperandForm) -> str:
        return self.groups.get(form.type, form.type)

    @property
    def sources(self) -> list[str]:
        return [self.type(f) for f in self.operands if f.kind == "value" and f.name[0] != "d" and f.type != "imm"]

    @property
    def result(self) -> str:
        return next((self.type(f) for f in self.operands if f.name.startswith("d")), "")

    def letter(self, kind: str) -> str:
        return {"f32": "f", "f64": "d"}.get(kind) or LETTER[ptx.WIDTH[kind]]

    def kernel(self) -> str:
        """CUDA: a function that reads its sources as 64-bit words and writes the result as one."""
        lines, inputs, shown, before, after = [], [], [], [], []
        at = 1
        for i, form in enumerate(f for f in self.operands if f.kind == "value"):
            if form.name.startswith("d"):
                continue
            if form.type == "imm":
                continue
            kind = self.type(form)
            letter = self.letter(kind)
            name = f"a{i}"
            lines.append(read(letter, name, f"in[t * 4 + {at - 1}]"))
            inputs.append(f'"{letter}"({name})')
            at += 1
        number = itertools.count(1)
        for form in self.operands:
            if form.kind == "exact":
                shown.append(form.text)
            elif form.type == "imm":
                shown.append(self.literal)
            elif form.name.startswith("d"):
                shown.append("q" if self.type(form) == "pred" else "%0")
                if self.type(form) == "pred":
                    before.append(".reg .pred q;")
                    after.append("selp.u32 %0, 1, 0, q;")
            else:
                n = next(number)
                if self.type(form) == "pred":
                    before.append(f".reg .pred p{n}; setp.ne.u32 p{n}, %{n}, 0;")
                    shown.append(f"p{n}")
                else:
                    shown.append(f"%{n}")
        letter = self.letter(self.result)
        body = f"{self.opcode} {', '.join(shown)};"
        text = f"{{ {' '.join(before)} {body} {' '.join(after)} }}" if before else body
        return (
            f"__device__ void {self.name}(const unsigned long long* in, unsigned long long* out) {{\n"
            f"  int t = threadIdx.x; {' '.join(lines)} {HOLDS[letter]} r;\n"
            f'  asm volatile("{text}" : "={letter}"(r) : {", ".join(inputs)});\n'
            f"  out[t] = {written(letter, 'r')};\n}}\n"
        )


def read(letter: str, name: str, word: str) -> str:
    value = {"f": f"__uint_as_float((unsigned){word})", "d": f"__longlong_as_double((long long){word})"}.get(letter)
    return f"{HOLDS[letter]} {name} = {value or f'({HOLDS[letter]}){word}'};"


def written(letter: str, name: str) -> str:
    return {"f": f"__float_as_uint({name})", "d": f"(unsigned long long)__double_as_longlong({name})"}.get(letter, name)


def reason(rule: table.PtxRule) -> str:
    """Why a row is not executed by its values, or empty."""
    base = re.split(r"[.<\[ ]", rule.ptx)[0]
    register = re.search(r"%(\w+)", rule.ptx)
    word = (
        "lane"
        if register and (register[1].startswith("lane") or "tid" in register[1])
        else register[1].split("_")[0]
        if register
        else base
    )
    return NOT_EXECUTED.get(word.removesuffix("64"), "") or (
        "executed on whole warps below" if base in WHOLE_WARP else ""
    )


def cases() -> list[Case]:
    found: list[Case] = []
    for rule in table.rules():
        if (
            rule.flag
            or rule.carry
            or reason(rule)
            or re.split(r"[.<\[ *]", rule.ptx)[0] in MEMORY
            or "{" in rule.ptx
            or "cta" in rule.ptx
        ):
            continue
        for groups in choices(rule.ptx):
            for literal in ("0x96", "0xb8", "0xe8", "0x01") if ":imm" in rule.ptx else ("",):
                found.append(Case(rule, groups, len(found), literal))
    return found


CASES = cases()


def port(cuda: str) -> str:
    """The port of a source, which must leave nothing to a person."""
    data = cuda.encode()
    one = SourceFile("ptx.cu", data)
    found = semantic.find(one, Config(), None, ())
    left = [f for f in found if f.safety is Safety.MANUAL]
    assert not left, [(f.message, f.next_step) for f in left[:5]]
    done = edits.apply(data, semantic.with_shims(one, list(found), Config()))
    assert not done.skipped
    text = done.result.decode()
    assert "asm" not in re.sub(r"//[^\n]*", "", text)
    return text.replace("#include <cuda_runtime.h>", "#include <hip/hip_runtime.h>")


TOGETHER = 24  # cases of one kernel, a block each
CHUNKS = [CASES[i : i + TOGETHER] for i in range(0, len(CASES), TOGETHER)]


def chunk_kernel(number: int) -> str:
    lines = [
        f"  if (blockIdx.x == {i}) {c.name}(in + {i * LANES * 4}, out + {i * LANES});"
        for i, c in enumerate(CHUNKS[number])
    ]
    head = f'extern "C" __global__ void chunk{number}(const unsigned long long* in, unsigned long long* out) {{'
    return "\n".join([head, *lines, "}\n"])


@pytest.fixture(scope="module")
def source() -> str:
    kernels = "".join(case.kernel() for case in CASES) + "".join(map(chunk_kernel, range(len(CHUNKS))))
    return port("#include <cuda_runtime.h>\n" + kernels + HAND_WRITTEN)


@pytest.mark.amd
@pytest.mark.parametrize("target", TARGETS)
def test_every_replacement_compiles(target: str, source: str, amd: Any, tmp_path: Any) -> None:
    path = tmp_path / "ptx.hip"
    path.write_text(source)
    done = amd.compile(
        path, target, kind="asm", options=["-O0", "-Wall", "-Wno-unused-variable", "-Wno-unused-function"]
    )
    assert done.ok, done.log


@pytest.fixture(scope="module", params=EXECUTED)
def module(request: pytest.FixtureRequest, source: str, tmp_path_factory: pytest.TempPathFactory, amd: Any) -> Any:
    del amd
    import hipport

    path = tmp_path_factory.mktemp("ptx") / "ptx.hip"
    path.write_text(source)
    try:
        return hipport.device(f"isa:{request.param}").build(path)
    except UntestedError as error:
        pytest.skip(str(error))


EDGES = {
    "int": [0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x00123456, 0x7FFFFFFF, 0x80000000,
            0xFFFFFFFF, 0x89ABCDEF, 0x0123456789ABCDEF, 0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF],
    "f16": [0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x3C00, 0xBC00, 0x3555, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x4248, 0x3C01],
    "f32": [0, 0x80000000, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x80800000, 0x3F800000, 0xBF800000, 0x3F000000, 0x40490FDB, 0x4B000001,
            0xCB7FFFFF, 0x4F000000, 0xCF000000, 0x4F800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x3EAAAAAB,
            0x43E00000, 0x43E80000, 0x3B000000, 0x387FC000, 0x3F7FFFFF, 0x40200000, 0xC0200000, 0x3FC00000, 0x477FF000, 0x3F801000],
    "f64": [0, 1 << 63, 1, 0xFFFFFFFFFFFFF, 1 << 52, 0x3FF0000000000000, 0xBFF0000000000000, 0x3FE0000000000000, 0x400921FB54442D18,
            0x41DFFFFFFFC00000, 0x43E0000000000000, 0xC3E0000000000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000,
            0x7FF8000000000000, 0x36A0000000000000, 0x3690000000000001, 0x47EFFFFFF0000000, 0x4004000000000000],
}  # fmt: skip


def values(kind: str, seed: int) -> np.ndarray:
    """LANES words for an operand of a type: edges, then random ones."""
    rng = np.random.default_rng(seed)
    family = {"f16x2": "f16", "bf16": "f16", "bf16x2": "f16", "f32x2": "f32"}.get(
        kind, kind if kind in EDGES else "int"
    )
    edges = np.array(EDGES[family], np.uint64)
    out = rng.choice(edges, LANES)
    out[: len(edges)] = rng.permutation(edges)
    random = rng.integers(0, 1 << 64, LANES, dtype=np.uint64)
    if kind in ("f32", "f64"):
        random = (
            (rng.standard_normal(LANES) * 10.0 ** rng.integers(-3, 4, LANES))
            .astype(kind.replace("f", "float"))
            .view(f"uint{kind[1:]}")
            .astype(np.uint64)
        )
    out[::4] = random[::4]
    if kind in ("f16x2", "bf16x2"):
        other = rng.permutation(out)
        out = (out & np.uint64(0xFFFF)) | (other & np.uint64(0xFFFF)) << np.uint64(16)
    if kind == "f32x2":
        out = out | rng.permutation(out) << np.uint64(32)
    if kind == "pred":
        out = out & np.uint64(1)
    return out & np.uint64((1 << ptx.WIDTH[kind]) - 1)


def same(got: int, want: int, kind: str, *, approximate: bool) -> bool:
    got, want = got & ((1 << ptx.WIDTH[kind]) - 1), want & ((1 << ptx.WIDTH[kind]) - 1)
    if got == want:
        return True
    if kind in ptx.PACKED:
        part, width = ptx.PACKED[kind]
        return all(same(got >> s, want >> s, part, approximate=approximate) for s in (0, width))
    if kind not in ("f16", "bf16", "f32", "f64"):
        return False
    x, y = ptx.real(got, kind), ptx.real(want, kind)
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    if not approximate:
        return False
    if math.isinf(x) or math.isinf(y) or x == 0 or y == 0:
        return abs(x) + abs(y) < 2e-38 or abs(x - y) < 3e-6
    return abs(x - y) <= {"f16": 2e-3, "bf16": 8e-3, "f32": 4e-6, "f64": 1e-15}[kind] * abs(y) or abs(x - y) < 2e-6


@pytest.fixture(scope="module")
def results(module: Any) -> Any:
    """What a case is given, LANES words for each of four operands, and what it computes: a launch for each chunk."""
    known: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def run(case: Case) -> tuple[np.ndarray, np.ndarray]:
        number, place = divmod(CASES.index(case), TOGETHER)
        if number not in known:
            given = np.zeros((TOGETHER, LANES, 4), np.uint64)
            for j, one in enumerate(CHUNKS[number]):
                for i, kind in enumerate(one.sources):
                    given[j, :, i] = values(kind, 7 * i + len(one.opcode))
            out = np.zeros((TOGETHER, LANES), np.uint64)
            module[f"chunk{number}"](grid=len(CHUNKS[number]), block=LANES, args=[given, out])
            known[number] = given, out
        given, out = known[number]
        return given[place], out[place]

    return run


@pytest.mark.amd
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.opcode}{case.literal}")
def test_a_replacement_computes_what_ptx_computes(case: Case, results: Any) -> None:
    kinds = case.sources
    given, out = results(case)
    model, checked = ptx.MODEL[case.base], 0
    words = [w for w in case.words if w not in ("rn", "approx", "full")] if case.base != "cvt" else case.words
    approximate = case.base in ptx.APPROXIMATE and ("approx" in case.words or "full" in case.words)
    for t in range(LANES):
        sources = [int(given[t, i]) for i in range(len(kinds))]
        if case.base in ("sin", "cos") and not abs(ptx.real(sources[0], "f32")) <= math.pi:
            continue
        want = model(words, *sources, *([int(case.literal, 0)] if case.literal else []))
        if want is None:
            continue
        checked += 1
        assert same(int(out[t]), want, case.result, approximate=approximate), (
            f"{case.opcode} {[hex(s) for s in sources]}: got {int(out[t]):#x}, want {want:#x}"
        )
    assert checked > (8 if case.base in ("sin", "cos") else 20)


HAND_WRITTEN = r"""
#define N 128
extern "C" __global__ void carries(const unsigned long long* in, unsigned long long* out) {
  int t = threadIdx.x; unsigned a0 = in[t * 4], a1 = in[t * 4] >> 32, b0 = in[t * 4 + 1], b1 = in[t * 4 + 1] >> 32, s0, s1, s2;
  asm("add.cc.u32 %0, %3, %5;\n\taddc.cc.u32 %1, %4, %6;\n\taddc.u32 %2, 0, 0;" : "=r"(s0), "=r"(s1), "=r"(s2) : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
  out[t * 6] = s0 | (unsigned long long)s1 << 32; out[t * 6 + 1] = s2;
  asm("sub.cc.u32 %0, %3, %5; subc.cc.u32 %1, %4, %6; subc.u32 %2, 0, 0;" : "=r"(s0), "=r"(s1), "=r"(s2) : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
  out[t * 6 + 2] = s0 | (unsigned long long)s1 << 32; out[t * 6 + 3] = s2;
  unsigned long long lo = in[t * 4 + 2], hi = in[t * 4 + 3];
  asm("{ mad.lo.cc.u64 %0, %2, %3, %0; madc.hi.u64 %1, %2, %3, %1; }" : "+l"(lo), "+l"(hi) : "l"(in[t * 4]), "l"(in[t * 4 + 1]));
  out[t * 6 + 4] = lo; out[t * 6 + 5] = hi;
}
extern "C" __global__ void parts(const unsigned long long* in, unsigned long long* out) {
  int t = threadIdx.x; unsigned lo, hi; unsigned short h0, h1; unsigned long long whole; unsigned word;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(in[t]));
  asm volatile("mov.b64 %0, {%1, %2};" : "=l"(whole) : "r"(hi), "r"(lo));
  asm("{ .reg .b16 a, b; mov.b32 {a, b}, %2; mov.b16 %0, b; mov.b16 %1, a; }" : "=h"(h0), "=h"(h1) : "r"(lo));
  asm("mov.b32 %0, {%1, %2};" : "=r"(word) : "h"(h0), "h"(h1));
  out[t * 3] = lo | (unsigned long long)hi << 32; out[t * 3 + 1] = whole; out[t * 3 + 2] = word;
}
extern "C" __global__ void guarded(const int* in, int* out) {
  int t = threadIdx.x, r = -1;
  asm volatile("{\n .reg .pred p;\n .reg .s32 x<2>;\n setp.gt.s32 p, %1, 5;\n @p add.s32 x0, %1, 100;\n @!p sub.s32 x0, 0, %1;\n"
               " // a comment; with a semicolon\n mul.lo.s32 x1, x0, %[k];\n selp.s32 %0, x1, -7, p;\n}" : "+r"(r) : "r"(in[t]), [k] "n"(3));
  out[t] = r;
}
extern "C" __global__ void vectors(const unsigned* in, unsigned* out, float* f) {
  int t = threadIdx.x; unsigned a, b, c, d; float x, y;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(in + t * 4));
  asm volatile("st.global.cs.v4.b32 [%0], {%1, %2, %3, %4};" :: "l"(out + t * 4), "r"(d), "r"(c), "r"(b), "r"(a) : "memory");
  asm volatile("ld.volatile.global.v2.f32 {%0, %1}, [%2+8];" : "=f"(x), "=f"(y) : "l"(f + t * 4));
  asm volatile("st.global.wt.v2.f32 [%0], {%1, %2};" :: "l"(f + t * 4), "f"(y), "f"(x));
}
extern "C" __global__ void ordered(unsigned long long* m, unsigned* w, unsigned long long* out) {
  int t = threadIdx.x; unsigned v; unsigned long long l; unsigned short h; unsigned a, b, c, d; double e;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(w + t) : "memory");
  asm volatile("st.release.sys.global.u64 [%0], %1;" :: "l"(m + t), "l"((unsigned long long)v + 1) : "memory");
  asm volatile("ld.global.relaxed.sys.u64 %0, [%1];" : "=l"(l) : "l"(m + t));
  asm volatile("ld.cg.u8 %0, [%1+1];" : "=r"(v) : "l"(w + t));
  asm volatile("ld.global.cv.s16 %0, [%1];" : "=h"(h) : "l"(w + t));
  asm volatile("ld.relaxed.cta.global.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(w + (t & ~3)));
  asm volatile("ld.global.f64 %0, [%1];" : "=d"(e) : "l"(m + t));
  out[t] = l + v + h + a + 3ull * b + 5ull * c + 7ull * d + (unsigned long long)__double_as_longlong(e);
}
extern "C" __global__ void atomics(unsigned* m, unsigned long long* l, float* f, unsigned* seen) {
  int t = threadIdx.x; unsigned old; int least;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(m), "r"(3));
  seen[t] = old;
  asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" :: "l"(l), "l"((unsigned long long)t << 20) : "memory");
  asm volatile("atom.release.gpu.global.min.s32 %0, [%1], %2;" : "=r"(least) : "l"(m + 1), "r"(-t));
  asm volatile("red.global.max.u32 [%0], %1;" :: "l"(m + 2), "r"(t * 7));
  asm volatile("red.global.add.f32 [%0], %1;" :: "l"(f), "f"(0.5f));
  asm volatile("atom.acquire.cta.inc.u32 %0, [%1], %2;" : "=r"(old) : "l"(m + 3), "r"(9));
  asm volatile("red.global.dec.u32 [%0], %1;" :: "l"(m + 4), "r"(4));
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(m + 5), "r"(0), "r"(t + 1));
  seen[128 + t] = old;
  asm volatile("atom.or.b32 %0, [%1], %2;" : "=r"(old) : "l"(m + 6), "r"(1u << (t & 31)));
  asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(m + 8 + t), "r"(t * 5));
  seen[256 + t] = old;
}
extern "C" __global__ void shared(const unsigned* in, unsigned* out, const float4* wide, float4* sums) {
  __shared__ unsigned tile[128]; __shared__ float4 stage[2][128];
  int t = threadIdx.x; unsigned v, where; unsigned long long a64;
  unsigned smem = (unsigned)__cvta_generic_to_shared(tile + t);
  asm volatile("st.shared.u32 [%0], %1;" :: "r"(smem), "r"(in[t]) : "memory");
  asm("{ .reg .u64 p; cvta.to.shared.u64 p, %1; cvt.u32.u64 %0, p; }" : "=r"(where) : "l"(tile + (t ^ 1)));
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(where));
  asm volatile("red.shared.add.u32 [%0], %1;" :: "r"(smem), "r"(1) : "memory");
  asm volatile("cvta.to.global.u64 %0, %1;" : "=l"(a64) : "l"(out + t));
  unsigned kind;
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(kind) : "l"(tile + t));
  unsigned other;
  asm("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 2, 0, p; }" : "=r"(other) : "l"(out + t));
  *(unsigned*)a64 = v + (tile[t] == in[t] + 1) * 1000000u + (kind + other) * 10000000u;
  unsigned to = (unsigned)__cvta_generic_to_shared(&stage[0][t]);
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" :: "r"(to), "l"(wide + t) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" :: "r"(to + 2048), "l"(wide + t), "n"(16), "r"(t % 17) : "memory");
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.ca.shared.global [%1], [%2], 4; }" :: "r"(t & 1), "r"(to + 12), "l"(in + t));
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group %0;" :: "n"(0) : "memory");
  __syncthreads();
  sums[t] = stage[0][127 - t]; sums[128 + t] = stage[1][127 - t];
}
extern "C" __global__ void warps(const unsigned* in, unsigned* out) {
  int t = threadIdx.x; unsigned b, m, r, x, y; int s;
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 50; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(b) : "r"(in[t]));
  asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %1, 98; vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }" : "=r"(m) : "r"(in[t]));
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(s) : "r"((int)in[t]));
  asm volatile("{ .reg .b32 k; and.b32 k, %1, 3; match.any.sync.b32 %0, k, 0xffffffff; }" : "=r"(r) : "r"(in[t]));
  asm volatile("{ .reg .b32 k; shfl.sync.bfly.b32 k, %1, 1, 0x1f, -1; add.u32 %0, k, %1; }" : "=r"(x) : "r"(in[t]));
  asm volatile("{ .reg .u32 l; mov.u32 l, %%laneid; shfl.sync.idx.b32 %0, l, 5, 31, 0xffffffff; }" : "=r"(y));
  out[t * 6] = b; out[t * 6 + 1] = m; out[t * 6 + 2] = s; out[t * 6 + 3] = r; out[t * 6 + 4] = x; out[t * 6 + 5] = y;
}
extern "C" __global__ void predicated(const unsigned* in, unsigned* out) {
  int t = threadIdx.x; unsigned a, p, sum = in[t]; int leader = 0;
  asm volatile("{ .reg .pred q; shfl.sync.up.b32 %0|q, %2, 3, 0x1800, -1; selp.u32 %1, 1, 0, q; }" : "=r"(a), "=r"(p) : "r"(in[t]));
  out[t * 8] = a | p << 16;
  asm volatile("{ .reg .pred q; shfl.sync.down.b32 %0|q, %2, 5, 0x1f, -1; selp.u32 %1, 1, 0, q; }" : "=r"(a), "=r"(p) : "r"(in[t]));
  out[t * 8 + 1] = a | p << 16;
  asm volatile("{ .reg .pred q; shfl.sync.bfly.b32 %0|q, %2, 9, 0x1807, -1; selp.u32 %1, 1, 0, q; }" : "=r"(a), "=r"(p) : "r"(in[t]));
  out[t * 8 + 2] = a | p << 16;
  asm volatile("{ .reg .pred q; shfl.sync.idx.b32 %0|q, %2, %2, 0x100f, -1; selp.u32 %1, 1, 0, q; }" : "=r"(a), "=r"(p) : "r"(in[t]));
  out[t * 8 + 3] = a | p << 16;
#pragma unroll
  for (int i = 1; i < 32; i *= 2)
    asm volatile("{ .reg .u32 r; .reg .pred p; shfl.sync.up.b32 r|p, %0, %1, 0x0, -1; @p add.u32 r, r, %0; mov.u32 %0, r; }" : "+r"(sum) : "r"(i));
  out[t * 8 + 4] = sum;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1e1f, 0xffffffff;" : "=r"(a) : "r"(in[t]));
  out[t * 8 + 5] = a;
  if (t % 32 > 6)
    asm volatile("\n\
    { .reg .b32 %rx; .reg .pred %px;\n\
      elect.sync %rx|%px, %1;\n\
      @%px mov.s32 %0, 1; }" : "+r"(leader) : "r"(0xFFFFFFFF));
  out[t * 8 + 6] = leader;
  asm volatile("{ .reg .pred q; match.all.sync.b32 %0|q, %2, 0xffffffff; selp.u32 %1, 1, 0, q; }" : "=r"(a), "=r"(p) : "r"(t / 40));
  out[t * 8 + 7] = p && a == ~0u;
}
#define STORE "st.global"
extern "C" __global__ void packed_atomics(unsigned* w, float* sums, unsigned* seen) {
  int t = threadIdx.x; unsigned a, b; float x, y;
  __shared__ unsigned tile[2];
  if (t < 2) tile[t] = 0;
  __syncthreads();
  const unsigned one = 0x3c003c00u, two = 0x40003f80u;  // halves 1, 1; bfloat16 1, 2
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" :: "l"(w), "r"(one) : "memory");
  asm volatile("red.relaxed.gpu.global.add.noftz.bf16x2 [%0], %1;" :: "l"(w + 1), "r"(two) : "memory");
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(a) : "l"(w + 2), "r"(one) : "memory");
  seen[t] = a;
  asm volatile("red.global.add.noftz.f16 [%0], %1;" :: "l"((unsigned short*)w + 7), "h"((unsigned short)0x3c00) : "memory");
  asm volatile("red.release.gpu.global.add.noftz.bf16 [%0+2], %1;" :: "l"(w + 4), "h"((unsigned short)0x3f80) : "memory");
  asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" :: "l"(sums), "f"(1.0f), "f"((float)t) : "memory");
  asm volatile("red.relaxed.gpu.global.v4.f32.add [%0], {%1, %2, %3, %4};" :: "l"(sums + 4), "f"(1.0f), "f"(2.0f), "f"(-1.0f), "f"(0.5f));
  asm volatile("atom.global.v2.f32.add {%0, %1}, [%2], {%3, %4};" : "=f"(x), "=f"(y) : "l"(sums + 8), "f"(1.0f), "f"(2.0f) : "memory");
  seen[128 + t] = (unsigned)x; seen[256 + t] = (unsigned)y;
  asm volatile("red.global.add.noftz.v4.f16x2 [%0], {%1, %1, %1, %1};" :: "l"(w + 8), "r"(one) : "memory");
  asm volatile("red.global.max.noftz.v2.f16x2 [%0], {%1, %2};" :: "l"(w + 12), "r"(one), "r"(0xbc00c000u) : "memory");
  asm volatile("red.global.min.noftz.v2.bf16 [%0], {%1, %2};" :: "l"(w + 14), "h"((unsigned short)0x4000), "h"((unsigned short)0xc000));
  unsigned to = (unsigned)__cvta_generic_to_shared(tile);
  asm volatile("red.shared.add.noftz.f16x2 [%0], %1;" :: "r"(to), "r"(one) : "memory");
  __syncthreads();
  asm volatile("fence.acquire.gpu;" ::: "memory");
  asm volatile("fence.release.sys;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile(STORE ".u32 [%0], %1;" :: "l"(w + 16 + t), "r"(tile[0]));
  asm volatile(R"PTX({ .reg .u32 k; add.u32 k, %1, 1; st.global.u32 [%0], k; })PTX" :: "l"(w + 144 + t), "r"(t) : "memory");
}
extern "C" __global__ void advice(const float* in, float* out) {
  int t = threadIdx.x; unsigned long long policy; float v;
  asm volatile("prefetch.global.L2 [%0];" :: "l"(in + t));
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(v) : "l"(in + t), "l"(policy));
  asm volatile("nanosleep.u32 20;");
  asm volatile("prefetch.global.L2::evict_last [%0];" :: "l"(in + t));
  asm volatile("createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %0, [%1], %2, %2;" : "=l"(policy) : "l"(in), "r"(128));
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" :: "l"(in));
  asm volatile("fence.acq_rel.gpu; membar.cta;" ::: "memory");
  out[t] = v;
}
"""


def words(count: int, seed: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1 << 64, count, dtype=np.uint64)


@pytest.mark.amd
def test_a_carry_goes_through_a_text(module: Any) -> None:
    given = words(LANES * 4)
    given[::7] = np.uint64(0xFFFFFFFFFFFFFFFF)
    out = np.zeros((LANES, 6), np.uint64)
    module["carries"](grid=1, block=LANES, args=[given, out])
    for t in range(LANES):
        a, b, lo, hi = (int(x) for x in given[4 * t : 4 * t + 4])
        assert int(out[t, 0]) | int(out[t, 1]) << 64 == a + b
        assert int(out[t, 2]) == (a - b) % (1 << 64)
        assert int(out[t, 3]) == (0xFFFFFFFF if a < b else 0)
        assert int(out[t, 4]) | int(out[t, 5]) << 64 == (a * b + lo + (hi << 64)) % (1 << 128)


@pytest.mark.amd
def test_registers_come_apart_and_together(module: Any) -> None:
    given, out = words(LANES), np.zeros((LANES, 3), np.uint64)
    module["parts"](grid=1, block=LANES, args=[given, out])
    low, high = given & np.uint64(0xFFFFFFFF), given >> np.uint64(32)
    assert (out[:, 0] == given).all()
    assert (out[:, 1] == high | low << np.uint64(32)).all()
    assert (out[:, 2] == (low >> np.uint64(16) | low << np.uint64(16)) & np.uint64(0xFFFFFFFF)).all()


@pytest.mark.amd
def test_predicates_guard_instructions(module: Any) -> None:
    x, out = np.arange(LANES, dtype=np.int32) - 20, np.zeros(LANES, np.int32)
    module["guarded"](grid=1, block=LANES, args=[x, out])
    assert (out == np.where(x > 5, (x + 100) * 3, -7)).all()


@pytest.mark.amd
def test_vectors_are_loaded_and_stored_whole(module: Any) -> None:
    given = words(LANES * 2).view(np.uint32)
    out, f = np.zeros(LANES * 4, np.uint32), np.arange(LANES * 4, dtype=np.float32)
    module["vectors"](grid=1, block=LANES, args=[given, out, f])
    assert (out.reshape(-1, 4) == given.reshape(-1, 4)[:, ::-1]).all()
    want = np.arange(LANES * 4, dtype=np.float32).reshape(-1, 4)
    assert (f.reshape(-1, 4) == np.stack([want[:, 3], want[:, 2], want[:, 2], want[:, 3]], 1)).all()


@pytest.mark.amd
def test_orderings_and_scopes_keep_the_values(module: Any) -> None:
    w = words(LANES // 2).view(np.uint32)
    m, out = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    module["ordered"](grid=1, block=LANES, args=[m, w, out])
    wide = w.astype(np.uint64)
    assert (m == wide + np.uint64(1)).all()
    quad = wide.reshape(-1, 4).repeat(4, 0)
    want = m + (wide >> np.uint64(8) & np.uint64(255)) + (wide & np.uint64(0xFFFF)) + m
    want += quad[:, 0] + np.uint64(3) * quad[:, 1] + np.uint64(5) * quad[:, 2] + np.uint64(7) * quad[:, 3]
    assert (out == want).all()


@pytest.mark.amd
def test_atomics_count_every_lane(module: Any) -> None:
    m, wide, f, seen = (
        np.zeros(256, np.uint32),
        np.zeros(1, np.uint64),
        np.zeros(1, np.float32),
        np.zeros(384, np.uint32),
    )
    m[8:136] = np.arange(128) + 40
    module["atomics"](grid=1, block=LANES, args=[m, wide, f, seen])
    assert sorted(seen[:128]) == [3 * i for i in range(128)]
    assert wide[0] == sum(range(128)) << 20
    assert (m[0], m[1].astype(np.int32), m[2], f[0]) == (384, -127, 127 * 7, 64.0)
    assert m[3] == 128 % 10
    counter = 0
    for _ in range(128):
        counter = 4 if counter == 0 or counter > 4 else counter - 1
    assert m[4] == counter
    winners = seen[128:256]
    assert (winners == 0).sum() == 1
    assert m[5] == int(np.argmin(winners)) + 1
    assert (winners[winners > 0] == m[5]).all()
    assert m[6] == 0xFFFFFFFF
    assert (m[8:136] == np.arange(128) * 5).all()
    assert (seen[256:] == np.arange(128) + 40).all()


@pytest.mark.amd
def test_shared_addresses_and_copies(module: Any) -> None:
    given = np.arange(LANES, dtype=np.uint32) * 3 + 1
    wide = (np.arange(LANES * 4, dtype=np.float32) + 1).reshape(LANES, 4)
    out, sums = np.zeros(LANES, np.uint32), np.zeros((2 * LANES, 4), np.float32)
    module["shared"](grid=1, block=LANES, args=[given, out, wide, sums])
    assert (out == given.reshape(-1, 2)[:, ::-1].reshape(-1) + 1000000 + 30000000).all()
    first = wide.copy()
    first[1::2, 3] = given[1::2].view(np.float32)
    second = wide.view(np.uint8).reshape(LANES, 16).copy()
    for t in range(LANES):
        second[t, t % 17 :] = 0
    assert (sums[:LANES].view(np.uint32) == first[::-1].view(np.uint32)).all()
    assert (sums[LANES:].copy().view(np.uint8).reshape(LANES, 16) == second[::-1]).all()


@pytest.mark.amd
def test_warp_instructions_know_32_lanes(module: Any) -> None:
    x = (np.arange(LANES, dtype=np.uint32) * 37) % 100
    out = np.zeros((LANES, 6), np.uint32)
    module["warps"](grid=1, block=LANES, args=[x, out])
    for t in range(LANES):
        warp = range(t // 32 * 32, t // 32 * 32 + 32)
        bits = lambda test: sum(1 << o % 32 for o in warp if test(int(x[o])))  # noqa: B023,E731
        assert out[t, 0] == bits(lambda v: v > 50)
        assert out[t, 1] == any(x[o] > 98 for o in warp)
        assert out[t, 2] == sum(int(x[o]) for o in warp)
        assert out[t, 3] == bits(lambda v: v % 4 == int(x[t]) % 4)  # noqa: B023
        assert out[t, 4] == x[t] + x[t ^ 1]
        assert out[t, 5] == 5


@pytest.mark.amd
def test_warp_instructions_tell_who_was_in_range(module: Any) -> None:
    x = (np.arange(LANES, dtype=np.uint32) * 37) % 100
    out = np.zeros((LANES, 8), np.uint32)
    module["predicated"](grid=1, block=LANES, args=[x, out])

    def shuffled(t: int, kind: str, by: int, limits: int) -> int:
        """PTX ISA 8.5, 9.7.9.6: the pseudocode of shfl.sync, with the predicate in bit 16."""
        lane, segment, clamp = t % 32, limits >> 8 & 31, limits & 31
        far = lane & segment | clamp & ~segment
        source = {"up": lane - by, "down": lane + by, "bfly": lane ^ by, "idx": lane & segment | by & ~segment & 31}[
            kind
        ]
        within = source >= far if kind == "up" else source <= far
        return int(x[t - lane + (source if within else lane)]) | within << 16

    for t in range(LANES):
        assert out[t, 0] == shuffled(t, "up", 3, 0x1800)
        assert out[t, 1] == shuffled(t, "down", 5, 0x1F)
        assert out[t, 2] == shuffled(t, "bfly", 9, 0x1807)
        assert out[t, 3] == shuffled(t, "idx", int(x[t]) & 31, 0x100F)
        assert out[t, 4] == sum(int(v) for v in x[t // 32 * 32 : t + 1])
        assert out[t, 5] == shuffled(t, "bfly", 1, 0x1E1F) & 0xFFFF
        assert out[t, 6] == (t % 32 == 7)
        assert out[t, 7] == (t // 32 * 32 // 40 == (t // 32 * 32 + 31) // 40)


@pytest.mark.amd
def test_packed_and_vector_atomics_add_every_lane(module: Any) -> None:
    w, sums, seen = np.zeros(272, np.uint32), np.zeros(12, np.float32), np.zeros(384, np.uint32)
    w[14] = 0x3F803F80
    module["packed_atomics"](grid=1, block=LANES, args=[w, sums, seen])
    half, brain = 0x5800, 0x4300  # 128 as a half and as a bfloat16
    assert w[0] == w[2] == half << 16 | half
    assert w[1] == 0x4380 << 16 | brain
    olds = [float(np.uint16(v & 0xFFFF).view(np.float16)) for v in seen[:128]]
    assert sorted(olds) == list(range(128))
    assert (seen[:128] >> 16 == seen[:128] & 0xFFFF).all()
    assert (w[3], w[4]) == (half << 16, brain << 16)
    assert list(sums[:2]) == [128, sum(range(128))]
    assert list(sums[4:10]) == [128, 256, -128, 64, 128, 256]
    assert sorted(seen[128:256]) == list(range(128))
    assert sorted(seen[256:]) == list(range(0, 256, 2))
    assert (w[8:12] == half << 16 | half).all()
    assert list(w[12:15]) == [0x3C003C00, 0, 0xC0003F80]
    assert (w[16:144] == half << 16 | half).all()
    assert (w[144:] == np.arange(128) + 1).all()


@pytest.mark.amd
def test_advice_changes_nothing(module: Any) -> None:
    x, out = np.arange(LANES, dtype=np.float32), np.zeros(LANES, np.float32)
    module["advice"](grid=1, block=LANES, args=[x, out])
    assert (out == x).all()


LEFT = {
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%1}, {%1}, {%0};": "rocWMMA",
    "wgmma.fence.sync.aligned;": "Triton",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];": "TMA",
    "mbarrier.init.shared.b64 [%0], %1;": "mbarrier",
    "bar.sync 1, 64;": "named barrier",
    "addc.u32 %0, %1, %1;": "carry of another",
    "add.cc.u32 %0, %1, %1;": "may use its carry",
    "{ L1: bra L1; }": "control flow",
    "atom.global.exch.b128 %0, [%1], %0;": "atomicCAS",
    "red.async.relaxed.cluster.global.add.u32 [%1], %0;": "clusters",
    "clusterlaunchcontrol.try_cancel.async.shared::cta.b128 [%0], [%1];": "clusters",
    "prefetch.tensormap [%1];": "TMA",
    "st.bulk.weak.shared::cta [%1], 16, 0;": "TMA",
    "mov.u32 %0, %%nsmid;": "multiProcessorCount",
    "mov.u32 %0, %%dynamic_smem_size;": "dynamic LDS",
    "mov.u32 %0, %%cluster_ctaid.x;": "clusters",
    "cvt.rn.satfinite.e2m1x2.f32 %0, %1, %1;": "gfx950 alone",
    "pmevent 7;": "profiler",
    "frobnicate.u32 %0, %1;": "instructions",
    "s_nop 0": "",
    "fns.b32 %0, %1, 0, 1;": "no counterpart",
    "exit;": "whole wave",
    "setmaxnreg.inc.sync.aligned.u32 240;": "registers",
}


@pytest.mark.parametrize("text", LEFT)
def test_what_has_no_counterpart_says_where_to_go(text: str) -> None:
    data = f'__global__ void k(unsigned* x) {{ unsigned r; asm volatile("{text}" : "=r"(r) : "r"(x[0])); x[1] = r; }}\n'
    found = semantic.find(SourceFile("a.cu", data.encode()), Config(), None, ())
    if not LEFT[text]:
        assert not [f for f in found if f.rule == "inline-ptx"]
        return
    (one,) = [f for f in found if f.rule == "inline-ptx"]
    assert one.safety is Safety.MANUAL
    assert not one.edits
    assert LEFT[text] in one.next_step


@pytest.mark.parametrize("text", [c.kernel() for c in CASES[::7]] + HAND_WRITTEN.split("extern")[1:])
def test_a_text_brings_the_shims_that_it_names(text: str) -> None:
    data = (text if text.startswith("__device__") else f"extern{text}").encode()
    found = semantic.find(SourceFile("a.cu", data), Config(), None, ())
    for one in found:
        named = {n for e in one.edits for n in re.findall(rb"hipport::(\w+)", e.text)}
        supplied = "".join(shims.header(name) for name in one.shims)
        assert all(re.search(rf"\b{n.decode()}\b", supplied) for n in named), (one.message, named, one.shims)


def test_every_row_has_a_case_or_a_reason() -> None:
    assert all(r.code[0] == "P" and (r.flag or r.hip) for r in table.rules())
    unexecuted = [
        r.ptx
        for r in table.rules()
        if not r.flag and not r.carry and reason(r) and reason(r) not in NOT_EXECUTED.values()
    ]
    assert all(re.split(r"[.\[]", r)[0] in WHOLE_WARP for r in unexecuted)
    bases = {c.base for c in CASES}
    assert bases <= set(ptx.MODEL)

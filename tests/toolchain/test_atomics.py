"""The table of atomics in rules/targets.yaml is what the compiler makes of them, by target, type, memory and flag."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from hipport.targets import Vendor, load, target

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

TARGETS = sorted(t.name for t in load().values() if t.vendor is Vendor.AMD and t.knows("atomics"))
FLAGS = {"default": (), "unsafe_flag": ("-munsafe-fp-atomics",)}
# row of the table -> a kernel
KERNELS = {
    "global_f32_add": "(float* p, float v) { atomicAdd(p + threadIdx.x, v); }",
    "global_f64_add": "(double* p, double v) { atomicAdd(p + threadIdx.x, v); }",
    "global_f16_or_bf16_scalar_add": "(_Float16* p, _Float16 v) {"
    " __hip_atomic_fetch_add(p + threadIdx.x, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }",
    "int32_int64_add": "(int* p, unsigned long long* q, int v) {"
    " p[9] = atomicAdd(p + threadIdx.x, v); atomicAdd(q, v); }",
    "global_f32_max": "(float* p, float v) { atomicMax(p + threadIdx.x, v); atomicMin(p + 99 + threadIdx.x, v); }",
    "global_f64_max": "(double* p, double v) { atomicMax(p + threadIdx.x, v); atomicMin(p + 99 + threadIdx.x, v); }",
    "lds_f32_max": "(float* p) { __shared__ float s[64]; s[threadIdx.x] = 1; __syncthreads();"
    " atomicMax(&s[(int)p[threadIdx.x]], 1.0f); __syncthreads(); p[0] = s[3]; }",
    "lds_f64_max": "(double* p) { __shared__ double s[64]; s[threadIdx.x] = 1; __syncthreads();"
    " atomicMax(&s[(int)p[threadIdx.x]], 1.0); __syncthreads(); p[0] = s[3]; }",
    "lds_f32_add": "(float* p) { __shared__ float s[64]; s[threadIdx.x] = 1; __syncthreads();"
    " atomicAdd(&s[(int)p[threadIdx.x]], 1.0f); __syncthreads(); p[0] = s[3]; }",
    "lds_f64_add": "(double* p) { __shared__ double s[64]; s[threadIdx.x] = 1; __syncthreads();"
    " atomicAdd(&s[(int)p[threadIdx.x]], 1.0); __syncthreads(); p[0] = s[3]; }",
}
USED = "(float* p, float v) { p[99] = atomicAdd(p + threadIdx.x, v); }"  # its result is used
# pairs have no atomic of C++: row -> address space and type in LLVM's IR
PAIRS = {
    "global_v2f16_add": (1, "<2 x half>"),
    "global_v2bf16_add": (1, "<2 x bfloat>"),
    "lds_v2f16_add": (3, "<2 x half>"),
    "lds_v2bf16_add": (3, "<2 x bfloat>"),
}
IR = """define amdgpu_kernel void @{name}(ptr addrspace({space}) %p, {kind} %v) {{
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %a = getelementptr {kind}, ptr addrspace({space}) %p, i32 %t
  %r = atomicrmw fadd ptr addrspace({space}) %a, {kind} %v syncscope("agent") monotonic, align 4{notes}
  ret void
}}
"""
HEAD = 'target triple = "amdgcn-amd-amdhsa"\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n!0 = !{}\n'
NOTES = ", !amdgpu.no.fine.grained.memory !0, !amdgpu.ignore.denormal.mode !0"
LOOP = re.compile(r"cmpswap|cmpst|cmpstore", re.IGNORECASE)


def loops(assembly: str, name: str) -> bool:
    """Whether a kernel's code holds a compare-and-swap."""
    begin = assembly.index(f"\n{name}:")
    return LOOP.search(assembly, begin, assembly.index("s_endpgm", begin)) is not None


@pytest.fixture
def clang(amd: Compiler) -> Compiler:
    if not amd.name.startswith("clang 22"):
        pytest.skip(f"the table is that of LLVM 22, this is {amd.name}")
    return amd


@pytest.mark.amd
@pytest.mark.parametrize("name", TARGETS)
def test_the_table_of_atomics_is_what_the_compiler_does(name: str, clang: Compiler, tmp_path: Path) -> None:
    source = tmp_path / "atomics.hip"
    kernels = "".join(f'extern "C" __global__ void {row}{text}\n' for row, text in {**KERNELS, "used": USED}.items())
    source.write_text(f"#include <hip/hip_runtime.h>\n{kernels}", encoding="utf-8")
    table = target(name).fact("atomics").value
    for flag, options in FLAGS.items():
        output = tmp_path / f"{flag}.s"
        done = clang.compile(source, name, kind="asm", output=output, options=options)
        assert done.ok, done.log
        assembly = output.read_text(encoding="utf-8")
        for row in KERNELS:
            said = table[row][flag] if isinstance(table[row], dict) else table[row]
            assert loops(assembly, row) == (said == "cas"), (row, flag, said)
        assert loops(assembly, "used") == (table["global_f32_add"][flag] in ("cas", "native_noret"))


@pytest.mark.amd
@pytest.mark.parametrize("name", TARGETS)
def test_the_table_of_pairs_is_what_the_compiler_does(name: str, clang: Compiler, tmp_path: Path) -> None:
    table = target(name).fact("atomics").value
    for flag, notes in (("default", ""), ("unsafe_flag", NOTES)):
        source, output = tmp_path / f"{flag}.ll", tmp_path / f"{flag}.s"
        parts = [IR.format(name=row, space=space, kind=kind, notes=notes) for row, (space, kind) in PAIRS.items()]
        source.write_text(HEAD + "".join(parts), encoding="utf-8")
        words = [clang.place, "--target=amdgcn-amd-amdhsa", f"-mcpu={name}", "-nogpulib", "-S", "-x", "ir"]
        ran = subprocess.run([*words, str(source), "-o", str(output)], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        assembly = output.read_text(encoding="utf-8")
        for row in PAIRS:
            said = table[row][flag] if isinstance(table[row], dict) else table[row]
            assert loops(assembly, row) == (said == "cas"), (row, flag, said)


@pytest.mark.amd
def test_the_flag_says_of_memory_what_the_pairs_are_told(clang: Compiler, tmp_path: Path) -> None:
    source = tmp_path / "flag.hip"
    source.write_text(f'#include <hip/hip_runtime.h>\nextern "C" __global__ void add{USED}\n', encoding="utf-8")
    for options, told in ((FLAGS["default"], False), (FLAGS["unsafe_flag"], True)):
        output = tmp_path / "flag.ll"
        done = clang.compile(source, "gfx90a", kind="llvm", output=output, options=options)
        assert done.ok, done.log
        line = next(line for line in output.read_text(encoding="utf-8").splitlines() if "atomicrmw fadd" in line)
        assert all((f"!{note}" in line) == told for note in re.findall(r"!(amdgpu[\w.]+)", NOTES))

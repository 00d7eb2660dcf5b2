"""The table of atomics in rules/targets.yaml is what the compiler makes of them, by target and flag."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from hipport.targets import target

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
# row of the table -> a kernel whose name is the row
KERNELS = {
    "global_f32_add": "(float* p, float v) { atomicAdd(p + threadIdx.x, v); }",
    "global_f64_add": "(double* p, double v) { atomicAdd(p + threadIdx.x, v); }",
    "int32_int64_add": "(int* p, unsigned long long* q, int v) {"
    " p[9] = atomicAdd(p + threadIdx.x, v); atomicAdd(q, v); }",
    "lds_f32_add": "(float* p) { __shared__ float s[64]; s[threadIdx.x] = 1; __syncthreads();"
    " atomicAdd(&s[(int)p[threadIdx.x]], 1.0f); __syncthreads(); p[0] = s[3]; }",
    "lds_f64_add": "(double* p) { __shared__ double s[64]; s[threadIdx.x] = 1; __syncthreads();"
    " atomicAdd(&s[(int)p[threadIdx.x]], 1.0); __syncthreads(); p[0] = s[3]; }",
}
LOOP = re.compile(r"cmpswap|cmpst|cmpstore", re.IGNORECASE)


def loops(assembly: str) -> dict[str, bool]:
    """Kernel -> whether its code holds a compare-and-swap."""
    found = {}
    for name in KERNELS:
        begin = assembly.index(f"\n{name}:")
        found[name] = LOOP.search(assembly, begin, assembly.index("s_endpgm", begin)) is not None
    return found


@pytest.mark.amd
@pytest.mark.parametrize("name", TARGETS)
def test_the_table_of_atomics_is_what_the_compiler_does(name: str, amd: Compiler, tmp_path: Path) -> None:
    if not amd.name.startswith("clang 22"):
        pytest.skip(f"the table is that of LLVM 22, this is {amd.name}")
    source = tmp_path / "atomics.hip"
    kernels = "".join(f'extern "C" __global__ void {row}{text}\n' for row, text in KERNELS.items())
    source.write_text(f"#include <hip/hip_runtime.h>\n{kernels}", encoding="utf-8")
    table = target(name).fact("atomics").value
    for flag, options in (("default", ()), ("unsafe_flag", ("-munsafe-fp-atomics",))):
        output = tmp_path / f"{flag}.s"
        done = amd.compile(source, name, kind="asm", output=output, options=options)
        assert done.ok, done.log
        for row, loop in loops(output.read_text(encoding="utf-8")).items():
            entry = table[row]
            said = entry[flag] if isinstance(entry, dict) else entry
            assert loop == (said == "cas"), (row, flag, said)

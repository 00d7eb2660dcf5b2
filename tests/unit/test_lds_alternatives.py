"""What may not be there together is not added: sides of `#if`, branches and helpers that a template discards."""

from __future__ import annotations

import pytest

from hipport.frontend import lds, libclang, units
from hipport.model import SourceFile

KERNEL = """
template <int N> __global__ void k(float* x) {{
{body}
}}
"""
HELPERS = """
__device__ float large(float v) { __shared__ float s[5000]; s[threadIdx.x] = v; return s[0]; }
__device__ float small(float v) { __shared__ float s[50]; s[threadIdx.x] = v; return s[0]; }
"""


def held(code: str, *, parse: bool = False) -> lds.Held:
    unit = units.read([SourceFile("k.cu", code.encode())], parse=parse)["k.cu"]
    return lds.of_kernel(unit, unit.closures[0])


def uses(*names: str) -> str:
    return "".join(f"  {name}[threadIdx.x] = x[0]; x[1] = {name}[0];\n" for name in names)


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("  __shared__ float a[10], b[20];\n" + uses("a", "b"), 120),
        (
            "#if X\n  __shared__ float a[10];\n"
            + uses("a")
            + "#else\n  __shared__ double b[20];\n"
            + uses("b")
            + "#endif",
            160,
        ),
        (
            "#if X\n  __shared__ float a[100];\n#if Y\n  __shared__ float b[10];\n"
            "#elif Z\n  __shared__ float c[30];\n#endif\n"
            + uses("a", "b", "c")
            + "#else\n  __shared__ double d[20];\n#endif\n"
            + uses("d"),
            520,
        ),
        ("#ifdef USE_ROCM\n  __shared__ float a[10];\n#else\n  __shared__ float a[999];\n#endif\n" + uses("a"), 40),
        (
            "  __shared__ float a[10];\n  if (x[0] > 1) { __shared__ float b[20];\n" + uses("b") + "  }\n" + uses("a"),
            120,
        ),
        (
            "  __shared__ float a[10];\n"
            + uses("a")
            + "  if constexpr (N > 4) {\n    __shared__ float b[20];\n"
            + uses("b")
            + "  } else if constexpr (N > 2) {\n    __shared__ float c[30];\n"
            + uses("c")
            + "  } else {\n    __shared__ float d[40];\n"
            + uses("d")
            + "  }\n",
            40,
        ),
        ("  if constexpr (N > 4) x[0] = large(x[1]); else x[0] = small(x[1]);\n", 0),
        ("  x[2] = small(x[0]);\n  if constexpr (N > 4) x[0] = large(x[1]);\n", 200),
        ("  x[2] = small(x[0]) + large(x[1]);\n", 20200),
        ("  __shared__ float a[10], never[999];\n" + uses("a"), 40),
    ],
)
def test_only_what_is_there_together_counts(body: str, size: int) -> None:
    assert held(HELPERS + KERNEL.format(body=body)).size == size


def test_an_instance_has_the_branch_that_its_arguments_choose() -> None:
    if libclang.load() is None:
        pytest.skip("needs libclang")
    body = "  if constexpr (N > 4) x[0] = large(x[1]); else x[0] = small(x[1]);\n"
    code = HELPERS + KERNEL.format(body=body) + "void run(float* x) { k<3><<<1, 64>>>(x); k<9><<<1, 64>>>(x); }\n"
    unit = units.read([SourceFile("k.cu", code.encode())])["k.cu"]
    (closure,) = unit.closures
    seen = {h.label: h.size for launch in closure.launches for h in lds.at_launch(unit, closure, launch)}
    assert seen == {"k<3>": 200, "k<9>": 20000}


def test_amds_side_counts_where_clang_was_shown_the_other() -> None:
    code = "__global__ void k(float* x) {\n#ifdef USE_ROCM\n  __shared__ float a[10];\n"
    code += "#else\n  __shared__ float b[999];\n#endif\n" + uses("a") + "#ifndef USE_ROCM\n" + uses("b") + "#endif\n}\n"
    assert held(code, parse=True).size == 40

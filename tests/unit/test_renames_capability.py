"""Compute capability compared in host code: AMD fills the same fields with the gfx version."""

from __future__ import annotations

import pytest
from lexical import findings

HEAD = "cudaDeviceProp prop;\n"
TOLD = [
    "if (prop.major >= 8) f();",
    "if (8 <= p->major) f();",
    "int sm = prop.major * 10 + prop.minor;",
    "int sm = (prop.major << 4) + prop.minor;",
    "int sm = 10 * props[i].major + props[i].minor;",
    "bool hopper = at::cuda::getCurrentDeviceProperties()->major == 9;",
    "if (prop.major > 8 || (prop.major == 8 && prop.minor >= 9)) f();",
]
SILENT = [
    'printf("%d.%d", prop.major, prop.minor);',
    "if (prop.major == 9999 && prop.minor == 9999) f();",
    "if (prop.major < 1) f();",
    "// prop.major >= 8",
    "#ifndef USE_ROCM\nif (prop.major >= 8) f();\n#endif",
    "std::cout << prop.major << 2;",
]


def told(text: str) -> list[str]:
    return [f.rule for f in findings(text) if f.rule == "capability-gate"]


@pytest.mark.parametrize("line", TOLD)
def test_a_comparison_is_told_once(line: str) -> None:
    assert told(HEAD + line + "\n") == ["capability-gate"]


@pytest.mark.parametrize("line", SILENT)
def test_what_decides_nothing_is_left(line: str) -> None:
    assert not told(HEAD + line + "\n")


def test_what_every_amd_gpu_passes_is_for_review() -> None:
    found = [f.safety.value for f in findings(HEAD + "if (prop.major < 6) f();\nif (prop.major >= 9) f();\n")]
    assert found[-2:] == ["review", "manual"]


def test_another_thing_called_major_is_left() -> None:
    assert not told("struct Version { int major; } v;\nint f() { return v.major >= 8; }\n")


@pytest.mark.parametrize(
    "text",
    [
        "cudaDeviceProp p; int sm = i.prop.major * 10 + i.prop.minor;",
        "cudaDeviceProp p; bool b = ctx->device[d].prop.major >= 8;",
        "void f(const cudaDeviceProp& p) { switch (p.major) { case 9: hopper(); default: old(); } }",
    ],
)
def test_a_capability_deep_in_a_structure_or_a_switch_is_told(text: str) -> None:
    assert ("capability-gate", "manual") in [(f.rule, f.safety.value) for f in findings(text + "\n")]

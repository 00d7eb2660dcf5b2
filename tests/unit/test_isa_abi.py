"""The two spellings of the launch interface, C and ctypes, are one."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

from hipport.device.isa import abi

NATIVE = Path(abi.__file__).resolve().parents[1] / "native"
PAIRS = {
    "hipport_arg": abi.Arg,
    "hipport_kernel": abi.Kernel,
    "hipport_symbol": abi.Symbol,
    "hipport_module": abi.ModuleHeader,
    "hipport_allocation": abi.Allocation,
    "hipport_launch": abi.Launch,
    "hipport_fault": abi.Fault,
    "hipport_counts": abi.Counts,
}


def test_every_structure_has_the_same_layout_in_c_and_in_ctypes(tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    lines = ['#include "abi.h"', "#include <stdio.h>", "#include <stddef.h>", "int main(void) {"]
    for name, mirror in PAIRS.items():
        lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
        lines += [f'printf("{name}.{f[0]} %zu\\n", offsetof(struct {name}, {f[0]}));' for f in mirror._fields_]
    lines.append('printf("classes %d\\nrunaway %d\\n", HIPPORT_CLASSES, HIPPORT_RUNAWAY);')
    lines.append('printf("unknown %d\\n", HIPPORT_UNKNOWN_OPCODE);')
    source = tmp_path / "layout.c"
    source.write_text("\n".join([*lines, "return 0; }"]))
    subprocess.run([compiler, f"-I{NATIVE}", source, "-o", tmp_path / "layout"], check=True)
    seen = dict(
        line.split()
        for line in subprocess.run(
            [tmp_path / "layout"], check=True, capture_output=True, text=True
        ).stdout.splitlines()
    )
    for name, mirror in PAIRS.items():
        assert int(seen[name]) == ctypes.sizeof(mirror), name
        for field in mirror._fields_:
            assert int(seen[f"{name}.{field[0]}"]) == getattr(mirror, field[0]).offset, f"{name}.{field[0]}"
    assert int(seen["classes"]) == len(abi.CLASSES)
    assert int(seen["runaway"]) == abi.FaultKind.RUNAWAY
    assert int(seen["unknown"]) == abi.FaultKind.UNKNOWN_OPCODE

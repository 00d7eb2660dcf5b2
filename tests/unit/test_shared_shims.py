"""The shims of a folder's port: each lies once in a folder of its own, and files include it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hipport import api
from hipport.config import Config, Style
from hipport.errors import HipportError
from hipport.porting import shims

if TYPE_CHECKING:
    from pathlib import Path

    from hipport.toolchain.compiler import Compiler

SUM = "__global__ void {}(unsigned* x) {{ x[0] = __reduce_add_sync(~0u, x[0]); }}\n"
ALL = "#include <cuda_runtime.h>\n__device__ int g(int x) { int s; return __match_all_sync(~0u, x, &s); }\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    (folder / "src/deep").mkdir(parents=True)
    (folder / "include").mkdir()
    (folder / "top.cu").write_text(SUM.format("top"))
    (folder / "src/deep/low.cu").write_text("#include <cuda_runtime.h>\n" + SUM.format("low"))
    (folder / "src/g.cuh").write_text("#pragma once\n" + ALL)
    (folder / "include/installed.cuh").write_text("#pragma once\n" + ALL)
    (folder / "src/made.cu.j2").write_text("#include <cuda_runtime.h>\n" + SUM.format("made"))
    return folder


def written(out: Path) -> dict[str, str]:
    files = [p for p in sorted(out.rglob("*")) if p.is_file() and ".hipport" not in p.parts]
    return {p.relative_to(out).as_posix(): p.read_text() for p in files}


def test_a_folder_holds_each_shim_once(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    api.port(source, out)
    found = written(out)
    assert found["top.hip"].startswith('#include <hip/hip_runtime.h>\n#include "hipport_shims/reduce_sync.h"\n')
    assert '#include "../../hipport_shims/reduce_sync.h"\n' in found["src/deep/low.hip"]
    assert '#include "../hipport_shims/half_wave.h"\n' in found["src/g.cuh"]
    assert found["hipport_shims/half_wave.h"].startswith("#pragma once\n#include <hip/hip_runtime.h>\n#ifndef")
    holding = [path for path, text in found.items() if "#define HIPPORT_SHIM_REDUCE_SYNC\n" in text]
    assert holding == ["hipport_shims/reduce_sync.h", "src/made.hip.j2"]
    assert "#define HIPPORT_SHIM_HALF_WAVE\n" in found["include/installed.cuh"]


def test_a_second_port_keeps_them_also_where_nothing_is_read_anew(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    api.port(source, out)
    first = written(out)
    api.port(source, out)
    assert written(out) == first
    for path in ("top.cu", "src/deep/low.cu", "src/made.cu.j2"):
        (source / path).unlink()
    api.port(source, out)
    assert {p for p in written(out) if p.startswith("hipport_shims/")} == {"hipport_shims/half_wave.h"}
    again = api.port(out, tmp_path / "again")
    assert not any(f.counts for f in again.report.files)


def test_both_vendors_include_them_for_amd_alone(source: Path, tmp_path: Path) -> None:
    api.port(source, tmp_path / "out", config=Config(style=Style.DUAL))
    text = (tmp_path / "out/src/deep/low.cu").read_text()
    amd = text.index("hipport_shims/reduce_sync.h")
    assert text.rindex("#if defined(__HIP_PLATFORM_AMD__)", 0, amd) > text.rfind("#endif", 0, amd)


def test_a_patch_brings_them_and_one_file_holds_its_own(source: Path, tmp_path: Path) -> None:
    patch = api.port(source, patch=True).patch.decode()
    assert patch.count("+++ b/hipport_shims/") == 2
    one = tmp_path / "one.hip"
    api.port(source / "top.cu", one)
    assert "#define HIPPORT_SHIM_REDUCE_SYNC\n" in one.read_text()
    assert one.read_text().startswith("#include <hip/hip_runtime.h>\n")


def test_a_link_of_that_name_is_never_followed(source: Path, tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    api.port(source, out)
    for path in (out / "hipport_shims").iterdir():
        path.unlink()
    (out / "hipport_shims").rmdir()
    (out / "hipport_shims").symlink_to(elsewhere)
    with pytest.raises(HipportError, match="no folder"):
        api.port(source, out)
    assert not list(elsewhere.iterdir())


def test_every_shim_stands_as_a_shared_header() -> None:
    for name in shims.names():
        if not shims.shim(name).parameters:
            text = shims.shared_header(name).decode()
            assert text.count("#define HIPPORT_SHIM_") == 1
            assert [f"{other}.h" in text for other in shims.shim(name).requires] == [True] * len(
                shims.shim(name).requires
            )


@pytest.mark.amd
def test_the_port_of_a_folder_compiles(source: Path, tmp_path: Path, amd: Compiler) -> None:
    out = tmp_path / "out"
    api.port(source, out)
    for name in ("top.hip", "src/deep/low.hip"):
        done = amd.compile(out / name, "gfx942", kind="asm", options=["-O0"])
        assert done.ok, done.log


def test_a_shim_goes_after_the_runtime_that_a_file_without_includes_is_given(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text("// A comment.\n\n__global__ void k(int* x) { x[0] = __reduce_add_sync(0xffffffff, x[1]); }\n")
    api.port(source, tmp_path / "k.hip", config=Config())
    text = (tmp_path / "k.hip").read_text()
    assert text.index("#include <hip/hip_runtime.h>") < text.index("HIPPORT_SHIM_REDUCE_SYNC")

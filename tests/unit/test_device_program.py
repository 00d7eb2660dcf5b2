"""Whole programs: hipcc's command line, the linker's stubs, the copy of a folder, the target's numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hipport.device.executor import Limits
from hipport.device.program import device_file
from hipport.device.program.commandline import parse
from hipport.device.program.link import missing_symbols, stubs
from hipport.device.program.project import copy_of
from hipport.targets import target

if TYPE_CHECKING:
    from pathlib import Path


def test_a_compile_line_is_taken_apart() -> None:
    line = parse(
        ["-O2", "-std=c++17", "-I", "../x", "-DN=3", "--offload-arch=gfx90a", "-c", "main.cu", "-o", "out/main.o"]
    )
    assert line.mode == "compile"
    assert line.sources == (("main.cu", "hip"),)
    assert line.output == "out/main.o"
    assert line.compile_options == ("-O2", "-std=c++17", "-I", "../x", "-DN=3")


def test_a_link_line_drops_the_platforms_libraries_and_keeps_the_others() -> None:
    line = parse(
        [
            "a.o",
            "b.a",
            "-o",
            "main",
            "-L/opt/rocm/lib",
            "-lhipblas",
            "-lrocrand",
            "-lm",
            "-lpthread",
            "-Wl,-rpath,x",
            "-fopenmp",
        ]
    )
    assert line.mode == "link"
    assert line.objects == ("a.o", "b.a")
    assert line.link_options == ("-L/opt/rocm/lib", "-lm", "-lpthread", "-Wl,-rpath,x", "-fopenmp")


@pytest.mark.parametrize(
    ("words", "language"),
    [("x.c", "c"), ("x.cpp", "hip"), ("-x c++ x.cpp", "c++"), ("x.S", "assembler-with-cpp"), ("x.hip", "hip")],
)
def test_languages_are_hipccs(words: str, language: str) -> None:
    assert parse(words.split()).sources[0][1] == language


def test_relocatable_device_code_and_genco_are_seen() -> None:
    assert parse(["-fgpu-rdc", "-c", "x.cu"]).relocatable
    assert parse(["-dc", "x.cu"]).mode == "compile"
    assert parse(["--genco", "x.cu", "-o", "x.co"]).mode == "genco"
    assert parse(["-E", "x.cu"]).mode == "preprocess"


def test_missing_symbols_of_both_linkers() -> None:
    log = (
        "x.o: undefined reference to `hipblasCreate'\n"
        "ld.lld: error: undefined symbol: hipGraphLaunch\n"
        "undefined reference to `hipblasCreate'"
    )
    assert missing_symbols(log) == ("hipblasCreate", "hipGraphLaunch")
    assert 'hipport_not_provided("hipGraphLaunch")' in stubs(missing_symbols(log))


def test_a_copy_sees_what_lies_beside_the_folder(tmp_path: Path) -> None:
    (tmp_path / "all/group/one/sub").mkdir(parents=True)
    (tmp_path / "all/group/common").mkdir()
    (tmp_path / "all/data").mkdir()
    for name in ("all/group/one/main.cu", "all/group/one/old.o", "all/group/common/x.h", "all/data/d.txt"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    (tmp_path / "scratch").mkdir()
    copy = copy_of(tmp_path / "all/group/one", tmp_path / "scratch")
    assert sorted(path.name for path in copy.iterdir()) == ["main.cu", "sub"]
    assert (copy / "../common/x.h").read_text() == "x"
    assert (copy / "../../data/d.txt").read_text() == "x"
    assert not (copy / "main.cu").is_symlink()


def test_the_runtime_is_told_the_targets_own_numbers() -> None:
    rows = device_file.rows(target("gfx950"), Limits(memory=4 << 30, threads=3, order="random:7", poison=False))
    assert rows["arch"] == "gfx950"
    assert rows["lds_bytes"] == target("gfx950").lds_dynamic_bytes
    assert (rows["wave_size"], rows["threads"], rows["order"], rows["poison"]) == (64, 3, "random:7", 0)
    assert rows["memory_limit"] == 3 << 30
    assert rows["compute_units"] > 0

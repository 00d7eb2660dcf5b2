"""AMD branches that a macro of the build chooses: told where no build file of the tree sets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hipport import api
from hipport.config import Config
from hipport.porting import build_facts
from hipport.source import discover

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = (
    "#ifdef USE_ROCM\nint wave = 64;\n#else\nint wave = 32;\n#endif\n#ifdef USE_ROCM\n#endif\n__global__ void k() {}\n"
)
MAKEFILE = "k: k.cu\n\tnvcc k.cu -o k\n"


def told(folder: Path, files: dict[str, str]) -> list[tuple[str, int, str]]:
    for name, text in files.items():
        (folder / name).write_text(text)
    report = api.port(folder, config=Config(), detail=True).report
    rows = [(row.path, found) for row in report.files for found in row.findings]
    return [(path, f.line, f.finding.next_step) for path, f in rows if f.finding.rule == "own-branch"]


def test_a_macro_that_no_build_sets_is_told_once_a_file(tmp_path: Path) -> None:
    assert told(tmp_path, {"k.cu": SOURCE, "Makefile": MAKEFILE}) == [("k.cu", 1, "build the port with -DUSE_ROCM")]


@pytest.mark.parametrize(
    "files",
    [
        {"k.cu": SOURCE, "Makefile": MAKEFILE + "hip: ; hipcc -DUSE_ROCM k.cu\n"},
        {"k.cu": SOURCE, "CMakeLists.txt": "target_compile_definitions(k PRIVATE USE_ROCM)\n"},
        {"k.cu": SOURCE, "setup.py": "from torch.utils.cpp_extension import CUDAExtension\n", "Makefile": "all:\n"},
        {"k.cu": SOURCE, "CMakeLists.txt": "find_package(Torch REQUIRED)\n"},
        {"k.cu": SOURCE},  # how it is built is not known
        {"k.cu": "#define USE_ROCM 1\n" + SOURCE, "Makefile": MAKEFILE},
        {"k.cu": '#include "c.h"\n' + SOURCE, "c.h": "#define USE_ROCM\n", "Makefile": MAKEFILE},
        {
            "k.cu": SOURCE.replace("#ifdef USE_ROCM", "#if defined(USE_ROCM) || defined(__HIPCC__)"),
            "Makefile": MAKEFILE,
        },
        {"k.cu": "#include <torch/extension.h>\n" + SOURCE, "Makefile": MAKEFILE},
        {"k.cu": "// #ifdef USE_ROCM\n__global__ void k() {}\n", "Makefile": MAKEFILE},
    ],
)
def test_look_alikes_are_not_told(tmp_path: Path, files: dict[str, str]) -> None:
    assert told(tmp_path, files) == []


def test_what_build_files_tell(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("CFLAGS = -DUSE_HIP\n")
    assert build_facts.read(discover.discover(tmp_path)) == (False, build_facts.MACROS - {b"USE_HIP"})
    (tmp_path / "setup.py").write_text("from torch.utils.cpp_extension import CUDAExtension\n")
    assert build_facts.read(discover.discover(tmp_path)) == (True, frozenset())

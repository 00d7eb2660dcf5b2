"""Makefiles, in both styles."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from buildport import ported, said

from hipport.config import Style

if TYPE_CHECKING:
    from pathlib import Path

MAKEFILE = """\
# built with nvcc 12
CUDA_HOME ?= /usr/local/cuda
NVCC      := $(CUDA_HOME)/bin/nvcc
NVCCFLAGS := -O3 -arch=sm_80 -lineinfo -Xcompiler -fPIC -Xcompiler "-Wall,-Wextra"  # why
LDLIBS    := -L$(CUDA_HOME)/lib64 -lcudart -lcublas

lib.so: k.o
\t$(NVCC) -shared -o $@ $^ $(LDLIBS)

%.o: %.cu
\t@echo "  NVCC $<"
\t$(NVCC) $(NVCCFLAGS) -c -o $@ $<
"""


def test_a_makefile_for_hip() -> None:
    new, findings = ported("Makefile", MAKEFILE, {"k.cu": "k.hip"})
    assert (
        new
        == """\
# built with nvcc 12
ROCM_PATH ?= /opt/rocm
NVCC      := $(ROCM_PATH)/bin/hipcc
NVCCFLAGS := -O3 --offload-arch=gfx942 --offload-arch=gfx950 -gline-tables-only -fPIC -Wall -Wextra  # why
LDLIBS    := -L$(ROCM_PATH)/lib -lamdhip64 -lhipblas

lib.so: k.o
\t$(NVCC) -shared -o $@ $^ $(LDLIBS)

%.o: %.hip
\t@echo "  NVCC $<"
\t$(NVCC) $(NVCCFLAGS) -c -o $@ $<
"""
    )
    assert all(f.family == "build" for f in findings)


def test_sources_that_keep_their_names_are_told_to_be_hip() -> None:
    new, _ = ported("Makefile", MAKEFILE)
    assert "\n%.o: %.cu\n" in new
    assert "\t$(NVCC) $(NVCCFLAGS) -x hip -c -o $@ $<\n" in new
    new, _ = ported("Makefile", "all:\n\tnvcc -o m a.cu b.o -lcufft\n")
    assert new == "all:\n\thipcc -o m -x hip a.cu -x none b.o -lhipfft\n"


def test_both_vendors() -> None:
    new, _ = ported("Makefile", MAKEFILE, style=Style.DUAL)
    without = "".join(line for line in MAKEFILE.splitlines(keepends=True))
    for line in without.splitlines():
        assert line in new
    assert new.count("ifdef HIP\n") == new.count("else\n") == new.count("endif\n") == 2
    if shutil.which("make"):
        for words, compiler in (([], "/usr/local/cuda/bin/nvcc"), (["HIP=1"], "/opt/rocm/bin/hipcc")):
            run = subprocess.run(
                ["make", "-n", "-f", "-", *words, "-o", "k.cu", "k.o"],
                input=new.replace("%.o: %.cu", "k.o:"), check=True, capture_output=True, text=True,
            )  # fmt: skip
            assert compiler in run.stdout


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ARCH = sm_60\nCC := nvcc\nCFLAGS := -Xcompiler -Wall -arch=$(ARCH)\n",
         "ARCH = gfx942,gfx950\nCC := hipcc\nCFLAGS := -Wall --offload-arch=$(ARCH)\n"),
        ("NVCC = nvcc\nGEN = -gencode arch=compute_$(A),code=sm_$(A)\n",
         "NVCC = hipcc\nGEN = --offload-arch=gfx942 --offload-arch=gfx950\n"),
        ("NVCCFLAGS = -O3 \\\n  -lineinfo \\\n  --extended-lambda \\\n  -g\n",
         "NVCCFLAGS = -O3 \\\n  -gline-tables-only \\\n  -g\n"),
        ("CXX = g++\nCXXFLAGS = -G -t -O2 -arch arm64\n", "CXX = g++\nCXXFLAGS = -G -t -O2 -arch arm64\n"),
        ("NVCCFLAGS += $(foreach s,$(SMS),-gencode arch=compute_$(s),code=sm_$(s))\n",
         "NVCCFLAGS += --offload-arch=gfx942 --offload-arch=gfx950\n"),
        ("all:\n\tg++ -I/usr/local/cuda-12.4/include a.cpp -L/usr/local/cuda/lib64/stubs -lcuda\n",
         "all:\n\tg++ -I/opt/rocm/include a.cpp -L/opt/rocm/lib -lamdhip64\n"),
        ("all:\n\techo nvcc -lineinfo  # -lcublas\n", "all:\n\techo nvcc -lineinfo  # -lcublas\n"),
        ("cuda_home:\n\trm -f cuda.o\n", "cuda_home:\n\trm -f cuda.o\n"),
        ("NVCC := $(shell which nvcc)\r\nX = 1\r\n", "NVCC := $(shell which hipcc)\r\nX = 1\r\n"),
    ],
)  # fmt: skip
def test_lines(before: str, after: str) -> None:
    assert ported("Makefile", before)[0] == after


def test_what_a_person_must_do_is_said() -> None:
    _, findings = ported(
        "Makefile", "a:\n\tnvcc -dlink a.o -o b.o\n\tnvprof ./a\n\tnvcc -ptx k.cu\n\tg++ a.o -lcudnn\n"
    )
    text = said(findings)
    assert "--hip-link" in text
    assert "rocprofv3" in text
    assert "MIOpen" in text
    assert "hipModuleLoad" in text


def test_corpus_makefiles_still_parse(tmp_path: Path) -> None:
    """Every construct that the reader tells apart, through make itself."""
    if not shutil.which("make"):
        pytest.skip("no make")
    text = "ifeq ($(DEBUG),1)\nNVCCFLAGS += -G\nelse\nNVCCFLAGS += -O3\nendif\ndefine D\nnvcc x\nendef\n" + MAKEFILE
    for style in Style:
        new, _ = ported("Makefile", text, style=style)
        (tmp_path / "Makefile").write_text(new)
        (tmp_path / "k.cu").touch()
        subprocess.run(["make", "-n", "-C", str(tmp_path)], check=True, capture_output=True)

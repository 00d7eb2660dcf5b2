"""The table of nvcc's options: complete, and each word of clang's side is one that clang takes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hipport.buildfiles import flags
from hipport.model import Safety

OPTIONS = [line.split() for line in (Path(__file__).with_name("nvcc13_options.txt")).read_text().splitlines()]
TARGETS = ("gfx942", "gfx950")


def becomes(command: str, *, owned: bool = True, keep_arch: bool = True) -> str:
    words = command.split()
    changes = list(flags.translate(words, targets=TARGETS, owned=owned, keep_arch=keep_arch))
    return " ".join(flags.replaced(words, changes))


@pytest.mark.parametrize("spellings", OPTIONS, ids=lambda s: s[0])
def test_every_option_of_nvcc_13_has_an_answer(spellings: list[str]) -> None:
    for spelling in spellings:
        answer = flags.explain(spelling)
        assert answer is not None, spelling
        assert answer.names[: len(spellings)] == tuple(spellings)
        assert answer.becomes or answer.note or answer.safety is Safety.SAFE
        if answer.safety is Safety.MANUAL:
            assert answer.note, f"{spelling}: says nothing to do"


def test_the_list_is_that_of_the_nvcc_here() -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("no nvcc on this machine")
    shown = subprocess.run([nvcc, "--version"], check=True, capture_output=True, text=True).stdout
    if "release 13.0" not in shown:
        pytest.skip("nvcc is not 13.0, whose list is kept here")
    text = subprocess.run([nvcc, "--help"], check=True, capture_output=True, text=True).stdout
    found = []
    for line in text.splitlines():
        if line.startswith("--"):
            short = re.search(r"\s\((-[^)]*)\)\s*$", line)
            found.append([line.split()[0], *([short[1]] if short else [])])
    assert found == OPTIONS


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("-O3 -std=c++17 -I inc -DX=1", "-O3 -std=c++17 -I inc -DX=1"),
        ("-arch=sm_80 -lineinfo", "--offload-arch=gfx942 --offload-arch=gfx950 -gline-tables-only"),
        ("-gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 -O2",
         "--offload-arch=gfx942 --offload-arch=gfx950 -O2"),
        ('-Xcompiler -fPIC -Xcompiler "-Wall,-Wextra"', "-fPIC -Wall -Wextra"),
        ("--compiler-options=-O2,-g", "-O2 -g"),
        ("-Xcompiler -Wl,-rpath,/x", "-Wl,-rpath,/x"),
        ("-Xlinker -rpath,/x", "-Wl,-rpath,/x"),
        ("--expt-relaxed-constexpr --extended-lambda --threads 4 -t=0 -O1", "-O1"),
        ("-Xptxas -v,-O3", "-Rpass-analysis=kernel-resource-usage"),
        ("-Xptxas -dlcm=ca -c", "-c"),
        ("-rdc=true -dc a.cu", "-fgpu-rdc -fgpu-rdc -c a.cu"),
        ("--relocatable-device-code false", "-fno-gpu-rdc"),
        ("--fmad=false --ftz=true", "-ffp-contract=off -fgpu-flush-denormals-to-zero"),
        ("--default-stream per-thread", "-fgpu-default-stream=per-thread"),
        ("--std c++17 -x cu a.cu", "-std=c++17 -x hip a.cu"),
        ("-lcublas -lcudart -lm -lcurand", "-lhipblas -lamdhip64 -lm -lhiprand"),
        ("-U__CUDA_NO_HALF_OPERATORS__ -DWITH_CUDA", "-U__HIP_NO_HALF_OPERATORS__ -DWITH_CUDA"),
        ("-Werror all-warnings -Werror reorder", "-Werror -Werror=reorder"),
        ("-G -g", "-g -Xarch_device -O0 -g"),
        ("-lcudnn -ptx -dlink", "-lcudnn -ptx -dlink"),  # for a person
        ("-maxrregcount=32 -ccbin g++-12 -c", "-c"),
    ],
)  # fmt: skip
def test_commands(cuda: str, hip: str) -> None:
    assert becomes(cuda) == hip


def test_words_that_gcc_has_too_change_in_nvccs_commands_alone() -> None:
    assert becomes("-G -t 4 -e main -m 64 -run", owned=False) == "-G -t 4 -e main -m 64 -run"
    assert becomes("-arch arm64") == "-arch arm64"  # Apple's
    assert becomes("-lcublas -use_fast_math", owned=False).startswith("-lhipblas -fgpu-flush")


def test_a_stream_for_each_thread_is_an_option_where_launches_are_compiled() -> None:
    macro = "-DCUDA_API_PER_THREAD_DEFAULT_STREAM"
    assert becomes(f"-O2 {macro}=1") == "-O2 -fgpu-default-stream=per-thread"
    assert becomes(macro, owned=False) == "-DHIP_API_PER_THREAD_DEFAULT_STREAM"


def test_where_the_build_names_the_targets_architectures_go() -> None:
    assert becomes("-O2 -gencode arch=compute_80,code=sm_80", keep_arch=False) == "-O2"


def test_explain_answers_values_and_libraries() -> None:
    assert flags.explain("-rdc").becomes == "true: -fgpu-rdc; false: -fno-gpu-rdc"  # type: ignore[union-attr]
    assert flags.explain("-lcublas").becomes == "-lhipblas"  # type: ignore[union-attr]
    assert flags.explain("--use_fast_math").safety is Safety.REVIEW  # type: ignore[union-attr]
    assert flags.explain("--no-such-option") is None


def clangs_words() -> list[str]:
    """Every option that the table writes and that needs no value of the user's, one command each."""
    found = set()
    for option in flags.table().options.values():
        for words in (option.hip, *option.by_value.values()):
            if words and not any("{value}" in w for w in words):
                found.add(" ".join(words))
    return sorted(found - {"-x c", "-x c++", "-shared", "-no-hip-rt", "--help", "--version", "-M", "-MM", "-###", "-v"})


@pytest.mark.amd
@pytest.mark.slow
def test_clang_takes_every_word_that_the_table_writes(amd, tmp_path: Path) -> None:
    source = tmp_path / "k.hip"
    source.write_text("#include <hip/hip_runtime.h>\n__global__ void k(float* x) { x[threadIdx.x] /= 3.f; }\n")
    base = [*amd.driver, *amd.options, "-x", "hip", f"--rocm-path={amd.rocm}", f"--rocm-device-lib-path={amd.bitcode}"]
    base += [
        "-isystem",
        str(amd.rocm / "include"),
        "--offload-arch=gfx950",
        "-fsyntax-only",
        "-Werror=unknown-argument",
    ]
    words = [w for line in clangs_words() for w in line.split()]
    run = subprocess.run([*base, *words, str(source)], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert "unknown argument" not in run.stderr, run.stderr
    assert "unsupported option" not in run.stderr, run.stderr

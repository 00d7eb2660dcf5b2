"""CMake: the language's grammar, and what becomes of CUDA in both styles."""

from __future__ import annotations

import pytest
from buildport import ported, said

from hipport.buildfiles.cmake_parse import CMakeSyntaxError, commands
from hipport.config import Style

FINDCUDA = """\
cmake_minimum_required(VERSION 3.18)  # old
project(scale CXX)
find_package(CUDA REQUIRED)
set(CUDA_NVCC_FLAGS "${CUDA_NVCC_FLAGS} -O3 -gencode arch=compute_80,code=sm_80 --expt-relaxed-constexpr")
cuda_add_library(scale STATIC scale.cu OPTIONS -lineinfo)
target_include_directories(scale PUBLIC ${CUDA_INCLUDE_DIRS})
target_link_libraries(scale ${CUDA_LIBRARIES} ${CUDA_CUBLAS_LIBRARIES})
"""
LANGUAGE = """\
cmake_minimum_required(VERSION 3.20...3.28)
project(k LANGUAGES CUDA CXX)
set(CMAKE_CUDA_STANDARD 17)
find_package(CUDAToolkit 12.0 REQUIRED)
add_library(k SHARED src/a.cu src/b.cpp)
set_target_properties(k PROPERTIES CUDA_ARCHITECTURES "70;75" CUDA_STANDARD 17)
target_compile_options(k PRIVATE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall>
  $<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math -Xcompiler=-Wall>)  # fast
target_compile_features(k PUBLIC cuda_std_17)
target_link_libraries(k PUBLIC CUDA::cudart CUDA::curand)
"""


def test_the_grammar() -> None:
    text = '#[[ a ( ]] set(A [=[ b ]] ]=] "q \\" ; ${B}" u\\ v;w $(MAKE) a="b c" # end\n)\n'
    text += "if((A AND NOT (B)) OR C)\nendif()"
    found = [(c.name, [a.text for a in c.args]) for c in commands(text)]
    assert found == [
        ("set", ["A", "[=[ b ]] ]=]", '"q \\" ; ${B}"', "u\\ v;w", "$(MAKE)", 'a="b c"']),
        ("if", ["(", "A", "AND", "NOT", "(", "B", ")", ")", "OR", "C"]),
        ("endif", []),
    ]
    for command in commands(text):
        assert text[command.start : command.name_end].lower() == command.name
        assert all(text[a.start : a.end] == a.text for a in command.args)


@pytest.mark.parametrize("text", ["set(A", 'set("A)', "set", "set(A [[b)", "#[[ never closed", "(", "[[x]]"])
def test_what_cmake_does_not_read(text: str) -> None:
    with pytest.raises(CMakeSyntaxError):
        list(commands(text))
    new, findings = ported("CMakeLists.txt", f"# cuda\n{text}")
    assert new == f"# cuda\n{text}"
    assert [f.rule for f in findings] == ["build-unparsed"]


def test_findcuda() -> None:
    new, _ = ported("CMakeLists.txt", FINDCUDA, {"scale.cu": "scale.hip"})
    assert (
        new
        == """\
cmake_minimum_required(VERSION 3.21.3)  # old
project(scale CXX)
set(CMAKE_HIP_ARCHITECTURES "gfx942;gfx950" CACHE STRING "AMD GPU targets")
list(APPEND CMAKE_PREFIX_PATH $ENV{ROCM_PATH} /opt/rocm)
find_package(hip REQUIRED)
enable_language(HIP)
set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -O3")
add_library(scale STATIC scale.hip)
target_compile_options(scale PRIVATE "$<$<COMPILE_LANGUAGE:HIP>:-gline-tables-only>")
target_include_directories(scale PUBLIC ${hip_INCLUDE_DIRS})
find_package(hipblas REQUIRED)
target_link_libraries(scale hip::host roc::hipblas)
"""
    )


def test_cuda_as_a_language() -> None:
    new, findings = ported("CMakeLists.txt", LANGUAGE, {"src/a.cu": "src/a.hip"})
    assert (
        new
        == """\
cmake_minimum_required(VERSION 3.21.3...3.28)
set(CMAKE_HIP_ARCHITECTURES "gfx942;gfx950" CACHE STRING "AMD GPU targets")
project(k LANGUAGES HIP CXX)
set(CMAKE_HIP_STANDARD 17)
list(APPEND CMAKE_PREFIX_PATH $ENV{ROCM_PATH} /opt/rocm)
find_package(hip REQUIRED)
add_library(k SHARED src/a.hip src/b.cpp)
set_target_properties(k PROPERTIES HIP_ARCHITECTURES "${CMAKE_HIP_ARCHITECTURES}" HIP_STANDARD 17)
target_compile_options(k PRIVATE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall>
  $<$<COMPILE_LANGUAGE:HIP>:-fgpu-flush-denormals-to-zero;-fno-hip-fp32-correctly-rounded-divide-sqrt;\
-ffp-contract=fast;-fgpu-approx-transcendentals -Wall>)  # fast
target_compile_features(k PUBLIC hip_std_17)
find_package(hiprand REQUIRED)
target_link_libraries(k PUBLIC hip::host hip::hiprand)
"""
    )
    assert "review build-flag" in said(findings)


@pytest.mark.parametrize("text", [FINDCUDA, LANGUAGE])
def test_both_vendors_keep_every_cuda_command(text: str) -> None:
    new, _ = ported("CMakeLists.txt", text, style=Style.DUAL)
    before = [(c.name, c.values()) for c in commands(text)]
    cuda = list(_taken(new, hip=False))
    assert [c for c in cuda if c != ("option", ["USE_HIP", "Build for AMD GPUs with HIP", "OFF"])] == before
    hip = [name for name, values in _taken(new, hip=True) if "LANGUAGE" in values and "HIP" in values]
    assert "set_source_files_properties" in hip


def _taken(text: str, *, hip: bool) -> list[tuple[str, list[str]]]:
    """The commands that CMake runs with USE_HIP so set."""
    out: list[tuple[str, list[str]]] = []
    stack: list[bool] = []
    for command in commands(text):
        if command.name == "if" and command.values() == ["USE_HIP"]:
            stack.append(hip)
        elif command.name == "else" and stack:
            stack[-1] = not stack[-1]
        elif command.name == "endif" and stack:
            stack.pop()
        elif all(stack):
            out.append((command.name, command.values()))
    return out


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("set(CMAKE_CUDA_ARCHITECTURES 80 90 CACHE STRING x)",
         'set(CMAKE_HIP_ARCHITECTURES "gfx942;gfx950" CACHE STRING x)'),
        ("set_source_files_properties(a.cpp PROPERTIES LANGUAGE CUDA)",
         "set_source_files_properties(a.cpp PROPERTIES LANGUAGE HIP)"),
        ("add_compile_options($<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-lineinfo>)",
         "add_compile_options($<$<COMPILE_LANG_AND_ID:HIP,Clang>:-gline-tables-only>)"),
        ('string(APPEND CMAKE_CUDA_FLAGS " -Xptxas -v")',
         'string(APPEND CMAKE_HIP_FLAGS " -Rpass-analysis=kernel-resource-usage")'),
        ("add_definitions(-D__CUDA_NO_HALF_OPERATORS__)", "add_definitions(-D__HIP_NO_HALF_OPERATORS__)"),
        ("file(GLOB S src/*.cu src/*.h)", "file(GLOB S src/*.hip src/*.h)"),
        ("message(STATUS CUDA::cudart ${CUDA_VERSION})", "message(STATUS CUDA::cudart ${CUDA_VERSION})"),
        ("# find_package(CUDA)\n", "# find_package(CUDA)\n"),
        ("if(USE_HIP)\nelse()\nproject(x CUDA)\nendif()", "if(USE_HIP)\nelse()\nproject(x CUDA)\nendif()"),
        ("if(CUDA_FOUND)\nendif(CUDA_FOUND)", "if(hip_FOUND)\nendif(hip_FOUND)"),
        ("add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:${CUDA_NVCC_FLAGS}>)\nlist(APPEND CUDA_NVCC_FLAGS -lineinfo)",
         ("add_compile_options($<$<COMPILE_LANGUAGE:HIP>:${CUDA_NVCC_FLAGS}>)\n"
         "list(APPEND CUDA_NVCC_FLAGS -gline-tables-only)")),
    ],
)  # fmt: skip
def test_commands(before: str, after: str) -> None:
    assert ported("sub/CMakeLists.txt", before, {"sub/src/a.cu": "sub/src/a.hip"})[0] == after


def test_a_file_that_builds_for_hip_already_is_left() -> None:
    text = "project(x CXX)\nenable_language(HIP)\nfind_package(CUDAToolkit)\ntarget_link_libraries(x CUDA::cudart)\n"
    new, findings = ported("CMakeLists.txt", text)
    assert new == text
    assert "builds for HIP already" in said(findings)


def test_what_has_no_counterpart_is_said() -> None:
    _, findings = ported(
        "CMakeLists.txt",
        "cuda_compile_ptx(P k.cu)\nfind_package(CUDNN)\nif(CUDA_VERSION VERSION_LESS 12)\nendif()\n"
        "target_link_libraries(t CUDA::npps)\nlist(GET CMAKE_CUDA_ARCHITECTURES 0 A)\n",
    )
    text = said(findings)
    for word in ("no PTX", "MIOpen", "hip_VERSION", "RPP", "list(GET)"):
        assert word in text


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ('string(APPEND CMAKE_CUDA_FLAGS " --expt-extended-lambda")', 'string(APPEND CMAKE_HIP_FLAGS " ")'),
        ('target_compile_options(k PRIVATE "--expt-relaxed-constexpr")', 'target_compile_options(k PRIVATE "")'),
        (
            'set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS "-maxrregcount=32")',
            'set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS "")',
        ),
        (
            "set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS -lineinfo OBJECT_DEPENDS b)",
            "set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS -gline-tables-only OBJECT_DEPENDS b)",
        ),
        (
            "set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS --extended-lambda OBJECT_DEPENDS b)",
            'set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS "" OBJECT_DEPENDS b)',
        ),
        ('list(APPEND MY_CUDA_FLAGS "-gencode" "arch=compute_80,code=sm_80" -lineinfo)', None),
        ('list(APPEND MY_CUDA_FLAGS -Xcompiler "-fPIC")', "list(APPEND MY_CUDA_FLAGS -fPIC)"),
        ('list(APPEND MY_CUDA_FLAGS "-Xcompiler" -fPIC)', "list(APPEND MY_CUDA_FLAGS -fPIC)"),
        ('list(APPEND MY_CUDA_FLAGS -Xcompiler "-fPIC -O3")', 'list(APPEND MY_CUDA_FLAGS "-fPIC -O3")'),
        ('list(APPEND MY_CUDA_FLAGS "-O3 -Xcompiler" -fPIC)', 'list(APPEND MY_CUDA_FLAGS "-O3 -fPIC")'),
        (
            'target_compile_options(k PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler -fopenmp>")',
            'target_compile_options(k PRIVATE "$<$<COMPILE_LANGUAGE:HIP>:SHELL:-fopenmp>")',
        ),
    ],
)
def test_quotes_keep_their_partners(line: str, becomes: str | None) -> None:
    new, _ = ported("CMakeLists.txt", f"# CUDA\n{line}\n")
    assert new.count('"') % 2 == 0
    assert [c.name for c in commands(new)] == [c.name for c in commands(line)]
    if becomes is not None:
        assert new == f"# CUDA\n{becomes}\n"


def test_several_options_for_one_are_a_list_where_options_are() -> None:
    fast = "-fgpu-flush-denormals-to-zero{0}-fno-hip-fp32-correctly-rounded-divide-sqrt{0}-ffp-contract=fast"
    for line, parted in (
        ('target_compile_options(k PRIVATE "--use_fast_math")', ";"),
        ('set_source_files_properties(a.cu PROPERTIES COMPILE_OPTIONS "--use_fast_math")', ";"),
        ('set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS "--use_fast_math")', " "),
        ('set(CMAKE_CUDA_FLAGS "--use_fast_math")', " "),
        ('target_compile_options(k PRIVATE "SHELL:--use_fast_math -g")', " "),
    ):
        new, _ = ported("CMakeLists.txt", f"# CUDA\n{line}\n")
        assert fast.format(parted) in new, new


def test_commands_that_run_nvcc() -> None:
    new, findings = ported(
        "CMakeLists.txt",
        'add_custom_command(OUTPUT k.o COMMAND ${CMAKE_CUDA_COMPILER} -c -arch=sm_80 -Xcompiler "-fPIC" k.cu\n'
        '  DEPENDS k.cu COMMENT "nvcc -arch=sm_80")\n'
        "add_custom_target(t COMMAND /usr/local/cuda/bin/nvcc -ptx k.cu COMMAND echo nvcc -lineinfo)\n"
        "execute_process(COMMAND nvcc --version OUTPUT_VARIABLE v)\n",
    )  # fmt: skip
    assert "COMMAND ${CMAKE_HIP_COMPILER} -c --offload-arch=gfx942 --offload-arch=gfx950 -fPIC k.cu\n" in new
    assert 'COMMENT "nvcc -arch=sm_80"' in new
    assert "bin/hipcc -ptx k.cu COMMAND echo nvcc -lineinfo)" in new
    assert "COMMAND nvcc --version" in new
    assert "manual build-flag: `-ptx`" in said(findings)
    assert "manual build-compiler: this asks nvcc" in said(findings)


def test_properties_without_a_counterpart_are_told() -> None:
    new, findings = ported(
        "CMakeLists.txt",
        "set_target_properties(k PROPERTIES CUDA_SEPARABLE_COMPILATION ON POSITION_INDEPENDENT_CODE ON)\n"
        "set_property(TARGET j PROPERTY CUDA_SEPARABLE_COMPILATION OFF)\n",
    )
    assert new.count("CUDA_SEPARABLE_COMPILATION") == 2
    assert [f.message for f in findings] == ["`CUDA_SEPARABLE_COMPILATION` has no counterpart with HIP"]

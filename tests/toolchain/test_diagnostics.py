"""What compilers print -> diagnostics, remarks, kernels; and back to the CUDA source of a port."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from hipport.source.edits import Placed
from hipport.source.sourcemap import MAP_PATH, MappedFile, SourceMap, dump, mapped_edits
from hipport.toolchain.demangling import demangled
from hipport.toolchain.diagnostics import Diagnostic, diagnostics, kernel_remarks
from hipport.toolchain.lds import lds_arrays
from hipport.toolchain.missing import missing_headers
from hipport.toolchain.nvcc import launch_bounds, ptxas_kernels
from hipport.toolchain.origins import with_origins

if TYPE_CHECKING:
    from pathlib import Path

CLANG = """In file included from k.hip:1:
./a b.h:3:7: warning: unused variable 'x' [-Wunused-variable]
    3 |   int x;
      |       ^
k.hip:2:43: fatal error: 'x.h' file not found
1 warning and 1 error generated when compiling for gfx942.
./a b.h:3:7: warning: unused variable 'x' [-Wunused-variable]
k.hip:9:1: error: host side
2 errors generated when compiling for host.
clang++: error: unable to execute command: Killed
lld: error: undefined symbol: f()
error: Invalid record
k.hip:9:1: note: not a diagnostic of its own
"""


def test_clangs_messages_with_the_targets_that_share_them() -> None:
    assert diagnostics(CLANG) == (
        Diagnostic("./a b.h", 3, 7, "warning", "unused variable 'x'", "-Wunused-variable", "gfx942,host"),
        Diagnostic("k.hip", 2, 43, "error", "'x.h' file not found", "", "gfx942"),
        Diagnostic("k.hip", 9, 1, "error", "host side", "", "host"),
        Diagnostic("", 0, 0, "error", "unable to execute command: Killed"),
        Diagnostic("", 0, 0, "error", "undefined symbol: f()"),
        Diagnostic("", 0, 0, "error", "Invalid record"),
    )


NVCC = """c.cu(7): warning #177-D: variable "unused" was declared but never referenced
c.cu(9): error: identifier "nowhere" is undefined
ptxas error   : Entry function '_Z1fPi' uses too much shared data (0x13880 bytes, 0xc000 max)
nvcc fatal   : Unsupported gpu architecture 'compute_70'
"""
PTXAS = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5spillPf' for 'sm_90'
ptxas info    : Function properties for _Z5spillPf
    800 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 800 bytes cumulative stack size
ptxas info    : Function properties for _Z6calledv
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function '_Z1kIfEvPT_i' for 'sm_80'
ptxas info    : Function properties for _Z1kIfEvPT_i
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 13 registers, used 1 barriers, 4096 bytes smem, 364 bytes cmem[0]
"""


def test_nvccs_messages() -> None:
    assert diagnostics(NVCC) == (
        Diagnostic("c.cu", 7, 0, "warning", 'variable "unused" was declared but never referenced', "177-D"),
        Diagnostic("c.cu", 9, 0, "error", 'identifier "nowhere" is undefined'),
        Diagnostic("", 0, 0, "error", "Entry function '_Z1fPi' uses too much shared data (0x13880 bytes, 0xc000 max)"),
        Diagnostic("", 0, 0, "error", "Unsupported gpu architecture 'compute_70'"),
    )


def test_ptxas_kernels_and_the_bounds_of_the_ptx(tmp_path: Path) -> None:
    ptx = tmp_path / "k.ptx"
    ptx.write_text(
        ".visible .entry _Z1kIfEvPT_i(\n\t.param .u64 p\n)\n.maxntid 16, 16, 1\n{\n ret;\n}\n", encoding="utf-8"
    )
    spill, k = ptxas_kernels(PTXAS, launch_bounds([ptx]))
    assert (spill.name, spill.target, spill.vgpr, spill.scratch, spill.vgpr_spill, spill.lds) == (
        "_Z5spillPf",
        "sm_90",
        32,
        800,
        3,
        0,
    )
    assert (k.target, k.vgpr, k.lds, k.block_size, k.wave) == ("sm_80", 13, 4096, 256, 32)
    assert spill.block_size == 1024


def test_a_name_for_people() -> None:
    assert demangled("plain") == "plain"
    assert demangled("_Z1kIfEvPT_i") in {"void k<float>(float*, int)", "_Z1kIfEvPT_i"}
    assert demangled("_Znot a name") == "_Znot a name"


def test_remarks_of_two_kernels() -> None:
    log = "".join(
        f"a b.hip:{line}:1: remark: Function Name: {name} [-Rpass-analysis=kernel-resource-usage]\n"
        f"    {line} | __global__ void\n"
        f"a b.hip:{line}:1: remark:     TotalSGPRs: {line} [-Rpass-analysis=kernel-resource-usage]\n"
        f"a b.hip:{line}:1: remark:     LDS Size [bytes/block]: 8 [-Rpass-analysis=kernel-resource-usage]\n"
        f"a b.hip:{line}:1: remark:     Dynamic Stack: False [-Rpass-analysis=kernel-resource-usage]\n"
        for name, line in (("k", 3), ("m", 7))
    )
    found = kernel_remarks(log)
    assert [(r.name, r.file, r.line, r.values) for r in found] == [
        ("k", "a b.hip", 3, {"TotalSGPRs": 3, "LDS Size": 8}),
        ("m", "a b.hip", 7, {"TotalSGPRs": 7, "LDS Size": 8}),
    ]


def test_a_header_of_rocm_is_named_and_one_of_the_project_is_not() -> None:
    log = "k.hip:1:10: fatal error: 'hipcub/block/block_scan.hpp' file not found\n"
    log += "k.hip:2:10: fatal error: 'mine.h' file not found\n"
    (found,) = missing_headers(diagnostics(log))
    assert "hipCUB" in found.message
    assert (found.file, found.line) == ("k.hip", 1)


IR = """@_ZZ1kvE4tile = internal addrspace(3) global [32 x %struct.S] poison, align 4, !dbg !0
@"odd name" = internal unnamed_addr addrspace(3) global i32 poison, align 4, !dbg !20
@other = addrspace(1) global i32 0, !dbg !30
define protected amdgpu_kernel void @k(ptr %p) !dbg !40 {
  call void @helper(), !dbg !41
}
define internal void @helper() {
  store i32 0, ptr addrspace(3) @_ZZ1kvE4tile
  call void @helper()
}
define protected amdgpu_kernel void @m() {
  store i32 0, ptr addrspace(3) @"odd name"
}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "tile", scope: !9, file: !3, line: 12, type: !4, isLocal: true)
!3 = !DIFile(filename: "k.hip", directory: "/src", checksumkind: CSK_MD5, checksum: "0")
!4 = !DIDerivedType(tag: DW_TAG_typedef, name: "tile_t", file: !3, line: 2, baseType: !5)
!5 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 4096, elements: !7)
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "one", scope: !9, file: !22, line: 3, type: !23)
!22 = !DIFile(filename: "/abs/h.h", directory: "/src")
!23 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
"""


def test_lds_arrays_are_read_from_ir_through_calls_typedefs_and_quoted_names() -> None:
    found = lds_arrays(IR)
    assert set(found) == {"k", "m"}
    (tile,) = found["k"]
    assert (tile.name, tile.size, tile.file, tile.line) == ("tile", 512, "/src/k.hip", 12)
    (one,) = found["m"]
    assert (one.name, one.size, one.file, one.line) == ("one", 4, "/abs/h.h", 3)


def test_a_message_about_a_port_names_the_cuda_place(tmp_path: Path) -> None:
    source = b"#include <cuda_runtime.h>\n\nvoid f() { cudaFree(nowhere); }\n"
    ported = b"#include <hip/hip_runtime.h>\n#include <more.h>\n\nvoid f() { hipFree(nowhere); }\n"
    edits = mapped_edits(
        source,
        [Placed(10, 24, 10, 45), Placed(38, 46, 59, 66)],
    )
    assert ported[:10] == source[:10]
    port = tmp_path / "port"
    (port / ".hipport").mkdir(parents=True)
    (port / "src").mkdir()
    (port / "src/k.hip").write_bytes(ported)
    mapped = MappedFile("src/k.cu", hashlib.sha256(source).hexdigest(), hashlib.sha256(ported).hexdigest(), edits)
    (port / MAP_PATH).write_bytes(dump(SourceMap({"src/k.hip": mapped})))
    column = ported.splitlines()[3].index(b"nowhere") + 1
    told = Diagnostic(str(port / "src/k.hip"), 4, column, "error", "use of undeclared identifier 'nowhere'")
    foreign = Diagnostic("/usr/include/x.h", 1, 1, "error", "elsewhere")
    found, other = with_origins([told, foreign])
    assert found.origin.startswith("src/k.cu:3:")
    assert found.where == found.origin
    assert other == foreign
    (port / "src/k.hip").write_bytes(ported + b"// edited since\n")
    assert with_origins([told]) == (told,)


def test_a_header_of_cudas_side_is_not_a_library_that_is_missing() -> None:
    def error(header: str) -> Diagnostic:
        return Diagnostic("k.hip", 1, 10, "error", f"'{header}' file not found", "", "gfx942")

    assert missing_headers([error("thrust/system/cuda/detail/util.h")]) == ()
    assert "rocThrust" in missing_headers([error("thrust/sort.h")])[0].message

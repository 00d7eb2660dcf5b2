"""Write rules/tables/*.tsv anew: what each ROCm release declares, and where CUDA 13 differs from it.

    python rules/tables/regenerate.py --work /somewhere [--fetch]

`--fetch` brings the headers first: ROCm 7.2 from Debian experimental (apt-get as root, unpacked below --work, nothing
installed), AMD's bindings of HIP 10 and NVIDIA's CUDA 13 wheels from PyPI. About 2 GB pass through, 80 MB stay.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import clang  # noqa: E402  (these are found once the path is set)
from bindings import bindings  # noqa: E402
from compare import difference, number  # noqa: E402
from headers import Declaration, Headers, declarations  # noqa: E402
from sources import CUDA_ROOTS, ROCM_ROOT, fetch, versions  # noqa: E402

from hipport.renames.judge import arity  # noqa: E402
from hipport.renames.names import BINDINGS_OF, HEADERS_OF  # noqa: E402
from hipport.renames.rules import read_rules  # noqa: E402

if TYPE_CHECKING:
    from hipport.model import RenameRule

ROCM_HEADS = """hip/hip_runtime.h hip/hip_runtime_api.h hip/hiprtc.h hip/hip_ext.h hip/hip_fp16.h hip/hip_bf16.h
hip/hip_fp8.h hip/hip_fp6.h hip/hip_fp4.h hip/hip_complex.h hip/hip_cooperative_groups.h hip/library_types.h
hip/hip_math_constants.h hip/hip_profile.h hip/hip_gl_interop.h hipblas/hipblas.h hipblaslt/hipblaslt.h
hipsparse/hipsparse.h hipsolver/hipsolver.h hipfft/hipfft.h hipfft/hipfftXt.h hiprand/hiprand.h
hiprand/hiprand_kernel.h hiprand/hiprand_mtgp32_host.h rccl/rccl.h miopen/miopen.h roctracer/roctx.h
rocm_smi/rocm_smi.h hipsparselt/hipsparselt.h hipcub/hipcub.hpp""".split()
CUDA_HEADS = """cuda_runtime.h cuda_runtime_api.h cuda.h nvrtc.h cuda_fp16.h cuda_bf16.h cuda_fp8.h cuda_fp6.h
cuda_fp4.h cuComplex.h cublas_v2.h cublasLt.h cusparse.h cusolverDn.h cusolverSp.h cusolverRf.h cufft.h cufftXt.h
curand.h curand_kernel.h cuda_profiler_api.h cudaGL.h cuda_gl_interop.h math_constants.h nvtx3/nvToolsExt.h nvml.h
cusparseLt.h cudnn.h nccl.h""".split()
# where a name that a folder's inner header declares comes from, for a user
PUBLIC = (
    (r"hip/amd_detail/amd_hip_(fp16|bf16|fp8|fp6|fp4|complex|cooperative_groups)\.h", r"hip/hip_\1.h"),
    (r"hip/amd_detail/.*gl_interop.*", "hip/hip_gl_interop.h"),
    (r"hip/(?:amd_detail/.*|hip_vector_types\.h|texture_types\.h|surface_types\.h|hip_common\.h)", "hip/hip_runtime.h"),
    (r"hip/(?:driver_types|channel_descriptor|hip_version|hip_deprecated)\.h", "hip/hip_runtime_api.h"),
    (r"hipblas-common/.*|hipblas/.*", "hipblas/hipblas.h"),
    (r"(hipsparse|hipsolver|hipblaslt|miopen|rccl|hipsparselt)/.*", r"\1/\1.h"),
    (r"hipcub/.*", "hipcub/hipcub.hpp"),
    (r"hipfft/hipfft(?:-.*)?\.h", "hipfft/hipfft.h"),
    (r"hiprand/hiprand_kernel.*", "hiprand/hiprand_kernel.h"),
    (r"__clang_hip_.*", "hip/hip_runtime.h"),
)
KEPT_ROOTS = ("hip", "rccl/", "miopen/", "roctracer/")  # of other folders, only what a rule names
LONGEST_TEXT = 400
UNCHECKED = frozenset({"include", "namespace", "prefix", "template"})


def main() -> None:
    """Read everything, write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="where the headers are, or are brought")
    parser.add_argument("--fetch", action="store_true", help="bring the headers first")
    options = parser.parse_args()
    if options.fetch:
        fetch(options.work)
    rocm = rocm_declarations(options.work / ROCM_ROOT)
    cuda = cuda_declarations([options.work / root for root in CUDA_ROOTS])
    rules = [rule for rule, _, _ in read_rules(HERE.parent)]
    wanted = {rule.hip for rule in rules}
    kept = {n: d for n, d in rocm.items() if n in wanted or is_kept(d)}
    files = header_files(options.work / ROCM_ROOT, wanted)
    write_table(HERE / f"rocm-{HEADERS_OF}.tsv", versions(options.work, "debian"), kept, files)
    later = bindings(options.work / "bindings")
    write_changes(HERE / f"rocm-{BINDINGS_OF}.tsv", versions(options.work, "bindings"), rocm, later)
    write_differences(HERE / "differences.tsv", versions(options.work, "cuda"), rules, cuda, rocm)


def rocm_declarations(root: Path) -> dict[str, Declaration]:
    """What the ROCm headers declare for device code, clang's own HIP headers included."""
    builtin = Path(clang.__file__).parent / "native/resource/include"
    arguments = (
        *("-x", "hip", "-nogpulib", "--cuda-device-only", "--offload-arch=gfx950", "-isystem", str(root), "-std=c++17"),
        *("-ferror-limit=0", "-D__HIP_PLATFORM_AMD__", f"--rocm-path={root.parent}", "--cuda-path=/nonexistent"),
    )
    stubs = (("/usr/include/libdrm/drm.h", ""),)
    found = declarations(Headers((root, builtin), tuple(ROCM_HEADS), arguments, stubs=stubs), public)
    return {n: d for n, d in found.items() if "/" in d.header}


def cuda_declarations(roots: list[Path]) -> dict[str, Declaration]:
    """What the CUDA 13 headers declare."""
    arguments = [
        *("-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-host-only", "--cuda-gpu-arch=sm_90", "-std=c++17"),
        *("-ferror-limit=0", "-D__CUDACC__", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0"),
        *("--cuda-path=/nonexistent", "-include", "cuda_runtime.h"),
    ]
    for root in roots:
        arguments += ["-isystem", str(root)]
    arguments += ["-isystem", str(roots[0] / "cccl")]
    return declarations(Headers(tuple(roots), tuple(CUDA_HEADS), tuple(arguments), language="cu"), str)


def public(path: str) -> str:
    """The header to include for a name that `path` declares."""
    for pattern, header in PUBLIC:
        if re.fullmatch(pattern, path):
            return re.sub(pattern, header, path)
    return path


def is_kept(item: Declaration) -> bool:
    """Whether a name goes into the table without any rule that names it."""
    if not item.header.startswith(KEPT_ROOTS):
        return False
    if item.name.startswith(("_HIP", "HIP_INCLUDE", "__HIP_", "__hip_builtin")) or "::detail" in item.name:
        return False
    return item.kind != "macro" or not item.name.endswith(("_H", "_H_", "_HPP_", "_HPP"))


def header_files(root: Path, named: set[str]) -> list[str]:
    """The header files that users or rules include."""
    paths = (p.relative_to(root).as_posix() for p in root.rglob("*.h*"))
    inner = ("/detail/", "/internal/", "/backend/", "/amd_detail/", "/impl/")
    return sorted(p for p in paths if p in named or (p.startswith("hip") and not any(i in p for i in inner)))


def write_table(path: Path, source: str, names: dict[str, Declaration], files: list[str]) -> None:
    """One section a header: name, kind, signature or value."""
    lines = [f"# What ROCm {HEADERS_OF} declares. {source}\n", "[files]\n", *(f"{f}\n" for f in files)]
    by_header: dict[str, list[Declaration]] = {}
    for item in names.values():
        by_header.setdefault(item.header, []).append(item)
    for header in sorted(by_header):
        lines.append(f"[{header}]\n")
        items = sorted(by_header[header], key=lambda d: d.name)
        lines += [f"{item.name}\t{item.kind}\t{shortened(item.text)}".rstrip() + "\n" for item in items]
    path.write_text("".join(lines))


def shortened(text: str) -> str:
    """Long overload lists: the first few and how many more."""
    parts = text.split(" | ")
    if len(text) <= LONGEST_TEXT or len(parts) <= 4:
        return text[:LONGEST_TEXT]
    return " | ".join([*parts[:3], f"and {len(parts) - 3} more"])


def write_changes(path: Path, source: str, before: dict[str, Declaration], after: dict[str, Declaration]) -> None:
    """A later release as changes: `+` new, `-` gone, `~` another value or arity, of the headers its bindings cover."""
    covered = {"hip/hip_runtime_api.h", *(d.header for d in after.values() if "/" in d.header)}
    covered.discard("hip/hip_runtime.h")  # the bindings say so of all of the runtime, device functions they lack
    lines = [f"# What ROCm {BINDINGS_OF} declares, as changes to {HEADERS_OF}. {source}\n"]
    lines.append(f"# Covered: {' '.join(sorted(covered))}\n")
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old is None and new is not None and not name.startswith("_"):
            lines.append(f"+{name}\t{new.kind}\t{new.text}".rstrip() + "\n")
        elif old is not None and new is None and old.header in covered and is_bound(old):
            lines.append(f"-{name}\n")
        elif old is not None and new is not None and is_other(old, new):
            lines.append(f"~{name}\t{new.kind}\t{new.text}\n")
    path.write_text("".join(lines))


def is_other(old: Declaration, new: Declaration) -> bool:
    """Whether a later declaration has another value, or takes another number of arguments."""
    if old.kind == new.kind == "function":
        least, most = arity(old.text)
        return not least <= arity(new.text)[1] <= most
    one, two = number(old.text), number(new.text)
    return one is not None and two is not None and one != two


def is_bound(item: Declaration) -> bool:
    """Whether bindings would declare it: a plain C function or an enumerator."""
    if item.kind not in {"function", "constant"} or "::" in item.name or item.name.startswith("_"):
        return False
    return "template" not in item.text and "&" not in item.text


def write_differences(
    path: Path, source: str, rules: list[RenameRule], cuda: dict[str, Declaration], rocm: dict[str, Declaration]
) -> None:
    """CUDA name and what differs behind its rename, for every rule whose two sides the headers declare."""
    both = [r for r in rules if r.kind not in UNCHECKED and r.status != "identity" and r.hip in rocm and r.cuda in cuda]
    renamed = {r.cuda: r.hip for r in rules if r.hip and r.kind not in UNCHECKED}
    aliases = {n: d.text[2:] for n, d in rocm.items() if d.kind == "type" and d.text.startswith("= ")}
    shared = collapsed(both, cuda)
    rows = []
    for rule in both:
        found = difference(cuda[rule.cuda], rocm[rule.hip], renamed, aliases)
        if rule.hip in shared and rule.cuda in shared[rule.hip]:
            found = "HIP has one constant for this and for others of CUDA's"
        if found:
            rows.append(f"{rule.cuda}\t{found}\n")
    head = f"# Where CUDA 13 and ROCm {HEADERS_OF} differ behind a rename. {source}\n"
    path.write_text(head + "".join(sorted(rows)))


def collapsed(rules: list[RenameRule], cuda: dict[str, Declaration]) -> dict[str, list[str]]:
    """HIP constants that stand for CUDA constants of different values, with those."""
    by_hip: dict[str, dict[str, int | None]] = {}
    for rule in rules:
        if rule.kind in {"constant", "macro"}:
            by_hip.setdefault(rule.hip, {})[rule.cuda] = number(cuda[rule.cuda].text)
    several = {
        hip: sorted(cuda_name for cuda_name in values if not is_namesake(cuda_name, hip))
        for hip, values in by_hip.items()
        if len({value for value in values.values() if value is not None}) > 1
    }
    return {hip: names for hip, names in several.items() if names}


def is_namesake(cuda: str, hip: str) -> bool:
    """Whether the two names are one name with another prefix."""
    tail = re.sub(
        r"^(?:cudadevattr|cudeviceattribute|cuda|cublas|cusolver|cusparse|cudnn|cu)", "", cuda.lower().replace("_", "")
    )
    return hip.lower().replace("_", "").endswith(tail)


if __name__ == "__main__":
    main()

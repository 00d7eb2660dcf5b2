"""What the rules of the lexical tier, the port and the build files say: pages for `hipport explain RULE`."""

from __future__ import annotations

PAGES = {
    "rename": """A CUDA name became its HIP counterpart. SAFE: the same meaning on every target. REVIEW: applied, and
signature, value or meaning differ as the finding says. `hipport explain NAME` tells about one name;
docs/rules.md, how the table is checked.""",
    "unsupported": """A CUDA name without a HIP counterpart in the chosen ROCm version is left as it is. The
finding says what to do instead. Another `--rocm` may have it: `hipport explain NAME --rocm
10.0`.""",
    "include": """An #include became that of the HIP header, was added where nvcc includes cuda_runtime.h by itself,
or went as a duplicate. A header that HIP lacks stays and is counted as unsupported.""",
    "namespace": """A CUDA namespace or a name that is CUDA only when qualified: `cub::` is `hipcub::`,
`thrust::cuda::par` is `thrust::hip::par`. A namespace of that name which the repository declares
itself is left alone.""",
    "launch": """A kernel launch. `<<<...>>>` is kept (its spelling is mended where HIP's compiler would stop); with
`--launch ggl` it becomes hipLaunchKernelGGL.""",
    "guard": """A preprocessor test of a CUDA macro. Asking whether this is device code is SAFE; asking for a
feature by architecture or version is REVIEW: HIP has no compute capability and no CUDA version.""",
    "own-branch": """A file has code of its own for AMD, chosen by a macro such as USE_ROCM that no compiler sets, and
no build file of the tree names it: the port would take the CUDA side. PyTorch's builds set USE_ROCM; others need
`-DUSE_ROCM`.""",
    "token-paste": """A name made by `##` or an API name pasted to another token: no rule sees the result, so
nothing is edited. Write the HIP names into the macro by hand.""",
    "kernel-in-string": """CUDA source inside a string (NVRTC, cupy.RawKernel, torch load_inline). It is not edited:
port the text itself, or build it from a ported file.""",
    "include-not-ported": """A ported file includes one that is not ported (vendored or submodule code). Port it too
with `--vendored`, or give its HIP version an include path of its own.""",
    "include-renamed-source": """An #include names a source file that the port renames; the reference follows.""",
    "name-taken": """The port of a file would take the name of a file that exists; it gets another name, and
references follow.""",
    "output-kept": """The output holds a file that hipport did not write; it is left as it is.""",
    "unparsed-file": """A file that could not be read as source. It is copied unchanged, and counted as unparsed.""",
    "shim": """A header that hipport supplies for an API that ROCm lacks was added to the port.""",
    "build-flag": """A compiler option of a build file became clang's, or has no counterpart.""",
    "build-arch": """A list of NVIDIA architectures in a build file (`sm_80`, CMAKE_CUDA_ARCHITECTURES) became the AMD
targets, or is named where it is computed.""",
    "build-compiler": """nvcc in a build file became hipcc, or CMake's CUDA compiler its HIP compiler; where the file
asks nvcc something (its version, its folder) that is named.""",
    "build-language": """A build file's language, targets or source properties became HIP's: `enable_language(HIP)`,
`-x hip` before sources that keep their `.cu` names.""",
    "build-library": """A CUDA library that a build file links became ROCm's, or has no counterpart.""",
    "build-path": """A folder of the CUDA toolkit in a build file became ROCm's (ROCM_PATH), or has no counterpart.""",
    "build-tool": """A build file runs a tool of NVIDIA's (cuobjdump, nvprof, nvidia-smi); the finding names ROCm's.""",
    "build-dependency": """A package that a project asks for exists for CUDA only, or as another package for ROCm.""",
    "build-image": """A container or CI file takes a CUDA image, package or tool; the finding names ROCm's.""",
    "build-bazel": """A CUDA rule of Bazel: rules_rocm or @local_config_rocm has to take its place, by hand.""",
    "build-meson": """Meson has no HIP language: compile HIP sources by a custom target that calls hipcc.""",
    "torch-arch-list": """TORCH_CUDA_ARCH_LIST chooses NVIDIA architectures; on ROCm PYTORCH_ROCM_ARCH does.""",
    "torch-inline-source": """CUDA source in a Python string that torch compiles at run time (load_inline). torch
hipifies it by itself on ROCm; nothing is edited, so no rewrite for the wave is in it.""",
    "torch-hipify-launch": """torch's own hipify, which runs over sources for both vendors on ROCm, would take more than
the kernel's name before `<<<`. Put a blank or a line end there.""",
    "reference-not-updated": """A script or document names a source that the port renames; it is not edited.""",
    "unused-ignore": """A `hipport: ignore[...]` comment that excuses nothing.""",
    "build-unparsed": """A build file, or a part of it, that could not be read; it is unchanged.""",
    "build-source": """A list of sources in a build file follows the renamed files.""",
    "capability-gate": """A compute capability decides something, in a build file or by `prop.major` in code. gfx names
have no such order, and `major.minor` of a HIP device is its gfx version (gfx942: 9.4): ask for the feature or the
target.""",
    "warp-mask": """A warp function whose mask has 32 bits, where only names are ported: ROCm takes 64, one a lane of
a wave. The rewrites of a whole port mend it (`hipport explain shuffle-width`, `ballot-width`).""",
    "matrix-units": """Code tied to NVIDIA's matrix units, TMA or clusters: CUTLASS, CuTe, `__cluster_dims__`, the
1-bit, 4-bit and TF32 precisions of wmma, TF32 switches. The finding says where to go on AMD; one a file for each.""",
    "grid-constant": """`__grid_constant__` of a kernel's parameter goes: HIP has no such word, and AMD's
compiler reads parameters in place.""",
    "nvcc-word": """A word that only CUDA's headers have goes: `CUDART_CB`, `CUDA_CB`, `CUDAAPI` and `CUDARTAPI` are
calling conventions of Windows, `__nv_pure__` a hint. `__maxnreg__(N)` caps a kernel's registers; HIP's counterpart is
`__launch_bounds__` with its second number, in waves a SIMD.""",
    "symbol-name": """A library or function of CUDA that is looked up by its name at run time (`dlopen("libcuda.so.1")`,
`dlsym(lib, "cuMemAlloc")`, cudaGetDriverEntryPoint): the string stays, and the look-up fails on AMD. The finding
names ROCm's.""",
    "enum-number": """An enumeration of a library is made of a number, `(cublasOperation_t)trans` or
`static_cast<cublasGemmAlgo_t>(i)`: the enumerators have other numbers in ROCm (CUBLAS_OP_N is 0, HIPBLAS_OP_N is
111), so the cast compiles and names another operation, or none. Choose the enumerator by name.""",
    "texture-fetch": """A texture or surface fetch (`tex2D`, `surf2Dwrite`) keeps its name in HIP and does not compile
for a target without texture units, such as gfx942 and gfx950: ROCm's headers (`__HIP_NO_IMAGE_SUPPORT`) refuse it,
and hipCreateTextureObject fails there. Read linear memory instead. One finding a file for each function.""",
    "half-braces": """`x = {}` of a `half` or `half2` becomes `x = half2{}`: CUDA's class has one assignment that takes
the braces, HIP's has several, and the call is ambiguous.""",
    "register-class": """The storage class `register` goes: C++17, clang's default for HIP, has none.""",
    "vendor-header": """In `--style dual` a file includes one generated header, which gives exactly the CUDA names that
the repository uses their HIP spelling on AMD.""",
    "torch-hipify-mark": """The first line that tells torch's own hipify, which runs again when an extension is built on
ROCm, to leave a ported file alone.""",
    "cuda-home-gate": """A build file asks for CUDA_HOME, which is None on ROCm: ask for torch.version.hip too.""",
}

"""CMake's names for CUDA, and what stands for each with HIP as a language (CMake 3.21.3 and later)."""

from __future__ import annotations

import re

from hipport.buildfiles.flags import table

# Variables of the CUDA language, FindCUDA and FindCUDAToolkit that are variables with HIP too.
VARIABLES = {
    "CMAKE_CUDA_ARCHITECTURES": "CMAKE_HIP_ARCHITECTURES",
    "CMAKE_CUDA_STANDARD": "CMAKE_HIP_STANDARD",
    "CMAKE_CUDA_STANDARD_REQUIRED": "CMAKE_HIP_STANDARD_REQUIRED",
    "CMAKE_CUDA_EXTENSIONS": "CMAKE_HIP_EXTENSIONS",
    "CMAKE_CUDA_COMPILER": "CMAKE_HIP_COMPILER",
    "CMAKE_CUDA_COMPILER_ID": "CMAKE_HIP_COMPILER_ID",
    "CMAKE_CUDA_COMPILER_LOADED": "CMAKE_HIP_COMPILER_LOADED",
    "CMAKE_CUDA_COMPILER_LAUNCHER": "CMAKE_HIP_COMPILER_LAUNCHER",
    "CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES": "hip_INCLUDE_DIRS",
    "CUDA_INCLUDE_DIRS": "hip_INCLUDE_DIRS",
    "CUDA_TOOLKIT_INCLUDE": "hip_INCLUDE_DIRS",
    "CUDAToolkit_INCLUDE_DIRS": "hip_INCLUDE_DIRS",
    "CUDA_FOUND": "hip_FOUND",
    "CUDAToolkit_FOUND": "hip_FOUND",
}
_FLAGS = re.compile(r"(?:CMAKE_CUDA_FLAGS|CUDA_NVCC_FLAGS)(_\w+)?")
# Variables that hold libraries: what is linked instead.
_LIBRARY_VARIABLE = re.compile(r"CUDA_(?:(CUDART|CUDA)_LIBRARY|(\w+?)_(?:LIBRARY|LIBRARIES)|LIBRARIES)")
TARGETS = {
    "toolkit": "",
    "cuda_driver": "cuda",
    "nvml": "nvidia-ml",
    "nvtx3": "nvToolsExt",
    "cudart_static": "cudart",
    "nvrtc_static": "nvrtc",
}
PROPERTIES = {
    "CUDA_ARCHITECTURES": "HIP_ARCHITECTURES",
    "CUDA_STANDARD": "HIP_STANDARD",
    "CUDA_STANDARD_REQUIRED": "HIP_STANDARD_REQUIRED",
    "CUDA_EXTENSIONS": "HIP_EXTENSIONS",
}
# Asked for, or set, by name: no counterpart that means the same.
LEFT = {
    "CUDA_VERSION": "compare hip_VERSION, whose numbers are ROCm's, or leave the test out",
    "CUDA_VERSION_MAJOR": "compare hip_VERSION_MAJOR, whose numbers are ROCm's, or leave the test out",
    "CUDA_VERSION_STRING": "compare hip_VERSION, whose numbers are ROCm's, or leave the test out",
    "CUDAToolkit_VERSION": "compare hip_VERSION, whose numbers are ROCm's, or leave the test out",
    "CUDAToolkit_VERSION_MAJOR": "compare hip_VERSION_MAJOR, whose numbers are ROCm's, or leave the test out",
    "CMAKE_CUDA_COMPILER_VERSION": "compare CMAKE_HIP_COMPILER_VERSION, whose numbers are clang's",
    "CUDA_TOOLKIT_ROOT_DIR": "ROCM_PATH is where ROCm lies",
    "CUDAToolkit_ROOT": "ROCM_PATH is where ROCm lies",
    "CUDAToolkit_BIN_DIR": "ROCm's programs lie in ${ROCM_PATH}/bin",
    "CUDAToolkit_LIBRARY_DIR": "ROCm's libraries lie in ${ROCM_PATH}/lib",
    "CUDAToolkit_TARGET_DIR": "ROCM_PATH is where ROCm lies",
    "CUDA_NVCC_EXECUTABLE": "CMAKE_HIP_COMPILER is the compiler",
    "CUDAToolkit_NVCC_EXECUTABLE": "CMAKE_HIP_COMPILER is the compiler",
    "CMAKE_CUDA_HOST_COMPILER": "clang compiles the host side itself: leave it out",
    "CUDA_HOST_COMPILER": "clang compiles the host side itself: leave it out",
    "CMAKE_CUDA_RUNTIME_LIBRARY": "HIP's runtime is a shared library: leave it out",
    "CUDA_RUNTIME_LIBRARY": "HIP's runtime is a shared library: leave it out",
    "CUDA_USE_STATIC_CUDA_RUNTIME": "HIP's runtime is a shared library: leave it out",
    "CMAKE_CUDA_SEPARABLE_COMPILATION": "give the target's compile and link options -fgpu-rdc",
    "CUDA_SEPARABLE_COMPILATION": "give the target's compile and link options -fgpu-rdc",
    "CUDA_RESOLVE_DEVICE_SYMBOLS": "give the target's compile and link options -fgpu-rdc",
    "CUDA_PTX_COMPILATION": "AMD GPUs have no PTX: compile a code object with --offload-device-only",
    "CMAKE_CUDA_PTX_COMPILATION": "AMD GPUs have no PTX: compile a code object with --offload-device-only",
}
# Commands of FindCUDA and its kin that have no counterpart.
LEFT_COMMANDS = {
    "cuda_compile": "add the sources to a target: HIP is a language",
    "cuda_compile_ptx": "AMD GPUs have no PTX: compile a code object with --offload-device-only",
    "cuda_compile_cubin": "compile a code object with --offload-device-only",
    "cuda_compile_fatbin": "compile a code object with --offload-device-only",
    "cuda_wrap_srcs": "add the sources to a target: HIP is a language",
    "cuda_build_clean_target": "leave it out",
    "cuda_select_nvcc_arch_flags": "CMAKE_HIP_ARCHITECTURES names the targets: leave it out",
    "torch_cuda_get_nvcc_gencode_flag": "CMAKE_HIP_ARCHITECTURES names the targets: leave it out",
    "thrust_create_target": "find_package(rocthrust) brings roc::rocthrust",
    "cub_create_target": "find_package(hipcub) brings hip::hipcub",
}
LEFT_PACKAGES = {
    "thrust": "find_package(rocthrust) brings roc::rocthrust",
    "cub": "find_package(hipcub) brings hip::hipcub",
    "cccl": "rocThrust, hipCUB and libhipcxx are packages of their own: rocthrust, hipcub, libhipcxx",
    "libcudacxx": "libhipcxx is its counterpart",
    "cudnn": "MIOpen is another API: port the calls, then find_package(miopen)",
    "nccl": "find_package(rccl) brings roc::rccl",
    "cutlass": "composable_kernel is its counterpart, with another API",
    "nvidiacutlass": "composable_kernel is its counterpart, with another API",
    "tensorrt": "MIGraphX is its counterpart, with another API",
    "nvtx3": "roctx is its counterpart, with other names",
    "optix": "HIP RT is another API",
    "cusparselt": "find_package(hipsparselt) brings roc::hipsparselt",
}


def variable(name: str) -> str:
    """The variable that stands for one of CUDA's, or nothing."""
    match = _FLAGS.fullmatch(name)
    return f"CMAKE_HIP_FLAGS{match[1] or ''}" if match else VARIABLES.get(name, "")


def linked(name: str) -> tuple[str, str] | None:
    """The target and the package for a library of CUDA (`cublas`), or None where there is none."""
    library = table().libraries.get(name)
    if library is None or library.manual or not library.target:
        return None
    return library.target, library.package


def library_variable(name: str) -> str | None:
    """The library that a variable of FindCUDA holds: `CUDA_CUBLAS_LIBRARIES` -> cublas; None for other variables."""
    match = _LIBRARY_VARIABLE.fullmatch(name)
    if not match:
        return None
    if not match[2]:
        return "cudart"
    wanted = match[2].lower()
    return next((n for n in table().libraries if n.lower() in {wanted, f"cu{wanted}"}), None)

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="row_softmax",
    version="0.1.0",
    packages=["row_softmax"],
    ext_modules=[
        CUDAExtension(
            name="row_softmax._C",
            sources=["csrc/binding.cpp", "csrc/softmax_kernel.cu"],
            extra_compile_args={
                "cxx": ["-O3", "-std=c++20"],
                "nvcc": [
                    "-O3",
                    "-std=c++20",
                    "--use_fast_math",
                    "-lineinfo",
                    "-gencode=arch=compute_80,code=sm_80",
                    "-gencode=arch=compute_90,code=sm_90",
                ],
            },
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)

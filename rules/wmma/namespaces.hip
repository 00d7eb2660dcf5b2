// review: mma.h nvcuda::wmma nvcuda::wmma nvcuda::wmma
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <rocwmma/rocwmma.hpp>

__global__ void tile(const half* a, float* c) {
  rocwmma::fragment<rocwmma::accumulator, 16, 16, 16, float> sum;
  rocwmma::fill_fragment(sum, 0.f);
}

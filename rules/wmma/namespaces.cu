// review: mma.h nvcuda::wmma nvcuda::wmma nvcuda::wmma
#include <cuda_fp16.h>
#include <mma.h>

__global__ void tile(const half* a, float* c) {
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum;
  nvcuda::wmma::fill_fragment(sum, 0.f);
}

//! grid = 1
//! block = 128
//! [[arg]]
//! name = "in"
//! dtype = "float32"
//! shape = 128
//! fill = "range"
//! [[arg]]
//! name = "rank"
//! dtype = "int32"
//! shape = 128
#include <hip/hip_runtime.h>

__global__ void k(const float* in, int* rank) {
  unsigned long long mask = __ballot(in[threadIdx.x] > 31.0f);
  rank[threadIdx.x] = __popcll(mask & ((1ull << __lane_id()) - 1)) + __any(mask != 0) + __all(mask == 0);
}

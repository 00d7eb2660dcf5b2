//! grid = 2
//! block = 64
//! [[arg]]
//! name = "bins"
//! dtype = "int32"
//! shape = 8
//! [[arg]]
//! name = "sum"
//! dtype = "float64"
//! shape = 1
//! [[arg]]
//! name = "wide"
//! dtype = "uint64"
//! shape = 2
#include <hip/hip_runtime.h>

__global__ void k(int* bins, double* sum, unsigned long long* wide) {
  atomicAdd(&bins[threadIdx.x % 8], 1);
  atomicAdd(sum, 0.5);
  atomicMax(&wide[threadIdx.x & 1], static_cast<unsigned long long>(threadIdx.x) << 32);
}

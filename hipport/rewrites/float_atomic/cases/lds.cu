// targets: gfx90a
// offers: float-atomic float-atomic
// gfx90a: a float in LDS is slow, once for a kernel; one in memory is a loop without the flag.
__global__ void sums(const float* src, float* total, double* wide, int* hits) {
  __shared__ float part[32];
  __shared__ double more[32];
  __shared__ int count[32];
  atomicAdd(&part[threadIdx.x % 32], src[threadIdx.x]);
  atomicAdd(&part[threadIdx.x % 16], src[threadIdx.x]);
  atomicAdd(&more[threadIdx.x % 32], 1.0);
  atomicAdd(&count[threadIdx.x % 32], 1);
  atomicAdd(total + threadIdx.x, part[0]);
}

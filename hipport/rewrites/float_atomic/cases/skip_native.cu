// Native on gfx942 and gfx950, and no address from data; integers; LDS.
__global__ void k(const float* src, float* total, int* n, double* sum, const int* idx) {
  __shared__ float part[32];
  atomicAdd(total + threadIdx.x, src[threadIdx.x]);
  atomicAdd(&part[threadIdx.x % 32], 1.0f);
  atomicAdd(&n[idx[threadIdx.x]], 1);
  atomicAdd(&sum[threadIdx.x], 1.0);
}

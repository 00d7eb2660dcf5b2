// expect: atomic-type atomic-type atomic-type atomic-type atomic-type
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(const __half2* x, __half2* y, const __nv_bfloat16* b, __nv_bfloat16* c, float2* f, float4* g) {
  atomicAdd(&y[threadIdx.x & 3], x[threadIdx.x]);
  atomicAdd(c, b[threadIdx.x]);
  atomicAdd(f + 1, make_float2(1.0f, 2.0f));
  const float4 was = atomicAdd(reinterpret_cast<float4*>(g), make_float4(1.0f, 2.0f, 3.0f, 4.0f));
  g[1] = was;
}
template <typename T>
__global__ void scatter(const T* x, const int* at, T* y) {
  atomicAdd(y + at[threadIdx.x], x[threadIdx.x]);
}
void run(const float* x, const __half* h, const int* at, float* y, __half* z) {
  scatter<float><<<1, 64>>>(x, at, y);
  scatter<__half><<<1, 64>>>(h, at, z);
}

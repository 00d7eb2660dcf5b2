// expect: missing-function missing-function missing-function missing-function
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__global__ void stage(const float4* in, float4* out) {
  __shared__ float4 tile[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], in + t, sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[63 - t];
}

// expect: missing-function missing-function missing-function missing-function
#include <cuda_runtime.h>
// cuda_pipeline.h: see the async_copy shim

__global__ void stage(const float4* in, float4* out) {
  __shared__ float4 tile[64];
  int t = threadIdx.x;
  hipport::pipeline_memcpy_async(&tile[t], in + t, sizeof(float4));
  hipport::pipeline_commit();
  hipport::pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[63 - t];
}

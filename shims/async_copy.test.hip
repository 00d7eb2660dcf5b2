extern "C" __global__ void async_copy(const float4* x, float4* out) {
  __shared__ float4 tile[64];
  unsigned t = threadIdx.x;
  hipport::pipeline_memcpy_async(&tile[t], x + t, sizeof(float4), t % 5 * 4);
  if (t % 3 == 0) hipport::pipeline_memcpy_async(&tile[t].y, &x[t].w, sizeof(float));
  if (t % 3 == 1) hipport::pipeline_memcpy_async(&tile[t].z, &x[t].x, 8, 4);
  hipport::pipeline_commit();
  hipport::pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[63 - t];
}

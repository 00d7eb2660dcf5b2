extern "C" __global__ void atomic_vector(const float* x, float2* two, float4* four, float* before) {
  unsigned t = threadIdx.x;
  before[t] = atomicAdd(two, make_float2(x[t], 1.0f)).x;
  atomicAdd(four, make_float4(x[t], 2.0f, -x[t], 3.0f));
}

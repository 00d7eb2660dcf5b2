extern "C" __global__ void atomic_bf16(const float* x, __hip_bfloat16* one, __hip_bfloat162* pair, float* before) {
  unsigned t = threadIdx.x;
  before[t] = __bfloat162float(atomicAdd(one + (t & 1), __float2bfloat16(x[t])));
  atomicAdd(one + 2, __float2bfloat16(1.0f));
  __hip_bfloat162 two;
  two.x = __float2bfloat16(x[t]);
  two.y = __float2bfloat16(-x[t]);
  atomicAdd(pair, two);
}

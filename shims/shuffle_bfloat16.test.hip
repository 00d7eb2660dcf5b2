// 64 threads; each word holds two bfloat16.
extern "C" __global__ void shuffle_bfloat16(const unsigned* x, unsigned* out) {
  int t = threadIdx.x;
  __hip_bfloat162 value, moved[4];
  __builtin_memcpy(static_cast<void *>(&value), &x[t], 4);
  moved[0] = __shfl(value, 5, 32);
  moved[1] = __shfl_up(value, 3, 16);
  moved[2] = __shfl_down(value, 1u, 32);
  moved[3] = __shfl_xor(value, 7, 32);
  __builtin_memcpy(&out[t * 4], moved, 16);
}

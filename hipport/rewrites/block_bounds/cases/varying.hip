// offers: block-bounds block-bounds
// The block's size is a variable, or set from outside and not seen by the kernel: told only.
static __global__ void may_change(float* x) {
  float v[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) v[i] = x[i * 64];
#pragma unroll
  for (int i = 0; i < 128; ++i) x[i] = v[127 - i] * v[i];
}
#ifndef BLOCK
#define BLOCK 128
#endif
void run(float* x) { may_change<<<4, BLOCK>>>(x); }

// A local constant of another function is none that the kernel sees: the number is written.
int other() {
  const int kThreads = 64;
  return kThreads;
}
static __global__ __launch_bounds__(64 * 2) void local(float* x) {
  float v[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) v[i] = x[i * 64];
#pragma unroll
  for (int i = 0; i < 128; ++i) x[i] = v[127 - i] * v[i];
}
void more(float* x) {
  const int kThreads = 64;
  const dim3 block(kThreads, 2);
  local<<<4, block>>>(x);
}

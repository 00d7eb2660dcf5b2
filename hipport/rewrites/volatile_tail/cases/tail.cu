// expect: volatile-tail
__device__ void tail(volatile float* s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
}
__global__ void k(float* x) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < 32) {
    s[t] = fmaxf(s[t], s[t + 4]);
    s[t] = fmaxf(s[t], s[t + 2]);
    s[t] = fmaxf(s[t], s[t + 1]);
  }
  tail(s, t);
}

extern "C" __global__ void ptx_pairs(const unsigned long long* x, unsigned long long* out) {
  unsigned t = threadIdx.x;
  out[t * 2] = hipport::each_float(x[t], x[t + 64], [](float a, float b) { return a - b; });
  out[t * 2 + 1] = hipport::each_float(x[t], x[t + 64], x[t], [](float a, float b, float c) { return __builtin_fmaf(a, b, c); });
}

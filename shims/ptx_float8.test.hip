extern "C" __global__ void ptx_float8(const float* x, unsigned* out) {
  unsigned t = threadIdx.x;
  out[t * 4] = hipport::float8x2_e4m3x2(x[t], -x[t]);
  out[t * 4 + 1] = hipport::float8x2_e5m2x2(x[t], -x[t]);
  out[t * 4 + 2] = hipport::half2_e4m3x2((unsigned short)(t << 8 | (t + 64)));
  out[t * 4 + 3] = hipport::half2_e5m2x2((unsigned short)(t << 8 | (t + 64)));
}

extern "C" __global__ void ptx_float(const float* x, float* out) {
  unsigned t = threadIdx.x;
  out[t * 4] = hipport::flushed(x[t]);
  out[t * 4 + 1] = hipport::maximum(x[t], x[t + 64]);
  out[t * 4 + 2] = hipport::minimum(x[t], x[t + 64]);
  out[t * 4 + 3] = hipport::saturatef(x[t]);
}

extern "C" __global__ void host_math(const double* x, double* out) {
  unsigned t = threadIdx.x;
  out[t * 4] = hipport::rsqrt(x[t]);
  out[t * 4 + 1] = hipport::rsqrtf(static_cast<float>(x[t]));
  out[t * 4 + 2] = hipport::rcbrt(x[t]);
  out[t * 4 + 3] = hipport::rsqrt(t + 1);
}

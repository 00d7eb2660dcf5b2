extern "C" __global__ void ptx_parts(const unsigned long long* x, unsigned long long* out) {
  unsigned t = threadIdx.x;
  const auto p = hipport::parts64(x[t]);
  out[t * 2] = hipport::joined64(p[1], p[0]);
  const auto q = hipport::parts32((unsigned)x[t]);
  out[t * 2 + 1] = hipport::joined32(q[1], q[0]);
}

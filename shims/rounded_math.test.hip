extern "C" __global__ void rounded_math(const float* x, float* out, const double* w, double* wide) {
  unsigned t = threadIdx.x;
  float a = x[t * 3], b = x[t * 3 + 1], c = x[t * 3 + 2], *row = out + t * 26;
  double p = w[t * 3], q = w[t * 3 + 1], r = w[t * 3 + 2], *far = wide + t * 22;
#define HIPPORT_WAY(way, at)                                                                    \
  row[at] = hipport::fadd_##way(a, b); row[at + 1] = hipport::fsub_##way(a, b);                 \
  row[at + 2] = hipport::fmul_##way(a, b); row[at + 3] = hipport::fmaf_##way(a, b, c);          \
  row[at + 4] = hipport::fdiv_##way(a, b); row[at + 5] = hipport::fsqrt_##way(a);               \
  row[at + 6] = hipport::frcp_##way(a);                                                         \
  far[at] = hipport::dadd_##way(p, q); far[at + 1] = hipport::dsub_##way(p, q);                 \
  far[at + 2] = hipport::dmul_##way(p, q); far[at + 3] = hipport::fma_##way(p, q, r);           \
  far[at + 4] = hipport::ddiv_##way(p, q); far[at + 5] = hipport::dsqrt_##way(p);               \
  far[at + 6] = hipport::drcp_##way(p);
  HIPPORT_WAY(rd, 0)
  HIPPORT_WAY(ru, 7)
  HIPPORT_WAY(rz, 14)
  row[21] = hipport::fmul_rn(a, b) + c;
  row[22] = hipport::fmul_rn(a, b) - hipport::fmul_rn(b, c);
  row[23] = hipport::fsqrt_rn(a);
  row[24] = hipport::frsqrt_rn(a);
  row[25] = c * a + b;
  far[21] = hipport::dmul_rn(p, q) + r;
}

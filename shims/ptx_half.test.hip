extern "C" __global__ void ptx_half(const float* x, unsigned* out) {
  unsigned t = threadIdx.x, a = hipport::half_bits(x[t]) | hipport::half_bits(x[t + 64]) << 16;
  out[t * 4] = a;
  out[t * 4 + 1] = hipport::half2_bits(hipport::half2_value(a) + hipport::half2_value(a));
  out[t * 4 + 2] = hipport::bfloat_bits(x[t]);
  out[t * 4 + 3] = hipport::bfloat2_fma(hipport::bfloat_bits(x[t]), hipport::bfloat_bits(x[t + 64]), 0x3f80u);
}

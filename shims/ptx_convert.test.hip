extern "C" __global__ void ptx_convert(const float* x, int* out) {
  unsigned t = threadIdx.x;
  out[t * 4] = hipport::to_integer<int>(hipport::rni(x[t]));
  out[t * 4 + 1] = (int)hipport::to_integer<unsigned char>(hipport::rzi(x[t]));
  out[t * 4 + 2] = hipport::clamped<signed char>((int)t * 9 - 300);
  out[t * 4 + 3] = (int)hipport::tf32_bits(x[t]);
}

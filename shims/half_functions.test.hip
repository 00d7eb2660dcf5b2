extern "C" __global__ void half_functions(const unsigned* x, unsigned* out) {
  unsigned t = threadIdx.x, *row = out + t * 15;
  __half2 a = __builtin_bit_cast(__half2, x[t]), b = __builtin_bit_cast(__half2, x[t + 64]), c = __builtin_bit_cast(__half2, x[t + 128]);
  row[0] = __builtin_bit_cast(unsigned, hipport::hmax2_nan(a, b));
  row[1] = __builtin_bit_cast(unsigned, hipport::hmin2_nan(a, b));
  row[2] = __builtin_bit_cast(unsigned, hipport::hfma2_relu(a, b, c));
  row[3] = hipport::heq2_mask(a, b);
  row[4] = hipport::hltu2_mask(a, b);
  row[5] = (unsigned)(int)hipport::half2char_rz(__low2half(a));
  row[6] = hipport::half2uchar_rz(__low2half(a));
  row[7] = __builtin_bit_cast(unsigned, hipport::hcmadd(a, b, c));
  row[9] = __builtin_bit_cast(unsigned, hipport::hmax2(a, b));
  row[10] = __builtin_bit_cast(unsigned, hipport::hmin2(a, b));
  row[11] = hipport::hne2_mask(a, b) + hipport::hbne2(a, b);
  row[12] = hipport::hbleu2(a, b);
  row[13] = __builtin_bit_cast(unsigned, hipport::hadd2_sat(a, b));
  row[14] = __builtin_bit_cast(unsigned, hipport::hfma2_sat(a, b, c));
  row[8] = __builtin_bit_cast(unsigned, hipport::h2tanh(a));
}

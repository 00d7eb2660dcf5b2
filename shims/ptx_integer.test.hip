extern "C" __global__ void ptx_integer(const unsigned* x, unsigned* out) {
  unsigned t = threadIdx.x;
  int a = (int)x[t], b = (int)x[t + 64];
  unsigned* row = out + t * 8;
  row[0] = (unsigned)hipport::wrapping_add(a, b);
  row[1] = (unsigned)hipport::wrapping_sub(a, b);
  row[2] = (unsigned)hipport::saturating_add(a, b);
  row[3] = (unsigned)hipport::mul_hi(a, b);
  row[4] = hipport::mul_hi((unsigned)a, (unsigned)b);
  row[5] = (unsigned)hipport::mul24_hi(a, b);
  row[6] = hipport::sad((unsigned)a, (unsigned)b, 7u);
  row[7] = (unsigned)hipport::magnitude(a);
}

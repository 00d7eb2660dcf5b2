extern "C" __global__ void integer_math(const unsigned* x, unsigned long long* out) {
  unsigned t = threadIdx.x, a = x[t], b = x[t + 64];
  unsigned long long *row = out + t * 9, wide = (unsigned long long)a << 32 | b, other = (unsigned long long)b << 32 | a;
  row[0] = hipport::umin(a, b);
  row[1] = hipport::umax(a, b);
  row[2] = (unsigned long long)hipport::llmin((long long)wide, (long long)other);
  row[3] = (unsigned long long)hipport::llmax((long long)wide, (long long)other);
  row[4] = hipport::ullmin(wide, other);
  row[5] = hipport::ullmax(wide, other);
  row[6] = hipport::nv_bswap16((unsigned short)a);
  row[7] = hipport::nv_bswap32(a);
  row[8] = hipport::nv_bswap64(wide);
}

extern "C" __global__ void ptx_bits(const unsigned* x, unsigned* out) {
  unsigned t = threadIdx.x, a = x[t], b = x[t + 64];
  unsigned* row = out + t * 8;
  row[0] = hipport::bfe<unsigned>(a, 4, 8);
  row[1] = (unsigned)hipport::bfe<int>((int)a, 28, 8);
  row[2] = hipport::bfi<unsigned>(a, b, 8, 12);
  row[3] = hipport::lop3<0x96>(a, b, 0xff00ffu);
  row[4] = hipport::prmt(a, b, 0x7531u);
  row[5] = hipport::bfind(a);
  row[6] = hipport::shift_left(a, t);
  row[7] = (unsigned)hipport::shift_right((int)a, t);
}

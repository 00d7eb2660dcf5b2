extern "C" __global__ void dot_product(const unsigned* x, int* out) {
  unsigned t = threadIdx.x, a = x[t], b = x[t + 64];
  out[t * 6] = hipport::dp4a((int)a, (int)b, 5);
  out[t * 6 + 1] = (int)hipport::dp4a(a, b, 5u);
  out[t * 6 + 2] = hipport::dp2a_lo((int)a, (int)b, 5);
  out[t * 6 + 3] = (int)hipport::dp2a_hi(a, b, 5u);
  out[t * 6 + 4] = hipport::dp4a(make_char4((char)a, (char)(a >> 8), (char)(a >> 16), (char)(a >> 24)), make_char4((char)b, (char)(b >> 8), (char)(b >> 16), (char)(b >> 24)), 5);
  out[t * 6 + 5] = hipport::dp4a_u32_s32(a, (int)b, 5);
}

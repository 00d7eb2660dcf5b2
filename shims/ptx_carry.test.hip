extern "C" __global__ void ptx_carry(const unsigned* x, unsigned* out) {
  unsigned t = threadIdx.x, carry, borrow;
  out[t * 4] = hipport::add_carry<unsigned>(x[t], x[t + 64], 1u, carry);
  out[t * 4 + 1] = carry;
  out[t * 4 + 2] = hipport::sub_borrow<unsigned>(x[t], x[t + 64], 1u, borrow);
  out[t * 4 + 3] = borrow;
}

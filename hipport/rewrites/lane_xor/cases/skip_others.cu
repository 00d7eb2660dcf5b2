// expect: shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width shuffle-width
// offers: wave-width
// Masks of lanes that are not whole, offsets that nobody knows, other widths, loops with other steps, and CUDA 8's form.
__global__ void k(float* x, unsigned who, int offset) {
  float v = x[threadIdx.x];
  v += __shfl_xor_sync(who, v, 1);
  v += __shfl_xor_sync(0xffff, v, 1);
  if (v > 0) v += __shfl_xor_sync(__activemask(), v, 2);
  v += __shfl_xor_sync(0xffffffff, v, offset);
  v += __shfl_xor_sync(0xffffffff, v, 31);
  for (int m = offset; m > 0; m >>= 1) v += __shfl_xor_sync(0xffffffff, v, m);
  for (int m = 16; m > 0; m >>= 1) v += __shfl_xor(v, m);
  x[threadIdx.x] = v;
}

// Rows that are long enough, or whose length is not constant; loops that are no rows of a warp.
__global__ void k(float* x, int columns) {
  for (int c = threadIdx.x % 32; c < columns; c += 32) x[c] = 0;
  for (int c = threadIdx.x & 31; c < 512; c += 32) x[c] = 0;
  for (int c = threadIdx.x; c < 16; c += blockDim.x) x[c] = 0;
  for (int c = threadIdx.x & 31; c < 16; ++c) x[c] = 0;
}

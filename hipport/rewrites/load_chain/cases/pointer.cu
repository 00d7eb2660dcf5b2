// offers: load-chain load-chain
// A pointer that goes on by itself, and a loop that tests at its end.
__global__ void pointer(const int* begin, const int* column, const int* x, int* y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  int sum = 0;
  const int* last = column + begin[row + 1];
  for (const int* at = column + begin[row]; at != last; ++at) sum += x[*at];
  int k = begin[row], twice = 0;
  do {
    twice = twice - 2 * x[column[k]];
    k += 1;
  } while (k < begin[row + 1]);
  y[2 * row] = sum, y[2 * row + 1] = twice;
}

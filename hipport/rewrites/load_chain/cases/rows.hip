// offers: load-chain
__global__ void rows(const int* begin, const int* column, const int* value, const int* x, int* y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  int sum = 0;
  const int last = begin[row + 1];
  #pragma unroll 4
  for (int k = begin[row]; k < last; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

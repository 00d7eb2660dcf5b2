// expect: barrier-divergence
__global__ void votes(const int* x, int* y, int* z, int n, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = __syncthreads_count(x[i] > 2);
  if (!__syncthreads_and(x[i] < most)) {
    z[i] = 1;
    __syncthreads();
    z[i] += 2;
  } else {
    z[i] = 2;
  }
  int k = 3;
  if (i % 3 == 0) {
    k += __syncthreads_or(x[i] == most) != 0;
    y[i] += k;
  }
  int top = 0;
  for (int j = 0; j < 2; ++j) {
    if (__syncthreads_count(x[i] > j) == 0) break;
    top = j;
  }
  z[i] += 8 * top;
}

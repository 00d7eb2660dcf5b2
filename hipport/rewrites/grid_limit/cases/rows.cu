// expect: grid-limit grid-limit grid-limit
#define BLOCK 256
__global__ void row_sums(const float* x, float* sums, int64_t rows, int columns) {
  __shared__ float part[BLOCK];
  const int64_t row = blockIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += BLOCK) sum += x[(size_t)row * columns + c];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int o = BLOCK / 2; o > 0; o /= 2) {
    if (threadIdx.x < o) part[threadIdx.x] += part[threadIdx.x + o];
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  sums[row] = part[0];
}
template <class T>
__global__ void first_negative(const T* x, long long* at, long long n, long long width) {
  const long long row = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (row >= n) return;
  at[row] = -1;
  for (long long c = 0; c < width; ++c) {
    if (x[row * width + c] < 0) {
      at[row] = c + gridDim.x - gridDim.x;
      return;
    }
  }
}
__global__ void stamp(int* x) { x[blockIdx.x] = blockIdx.x; }
void run(const float* x, float* sums, int* marks, long long* at, int64_t rows, int columns, long long n, int threads) {
  row_sums<<<rows, BLOCK>>>(x, sums, rows, columns);
  first_negative<float><<<dim3((n + threads - 1) / threads), dim3(threads)>>>(x, at, n, (long long)columns);
  stamp<<<columns, threads, 0, 0>>>(marks);
}

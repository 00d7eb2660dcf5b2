// expect: grid-limit grid-limit grid-limit
#define BLOCK 256
__global__ void row_sums(unsigned hipport_blocks, const float* x, float* sums, int64_t rows, int columns) {
  for (unsigned hipport_block = blockIdx.x; hipport_block < hipport_blocks; hipport_block += gridDim.x, __syncthreads()) {
  __shared__ float part[BLOCK];
  const int64_t row = hipport_block;
  if (row >= rows) continue;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += BLOCK) sum += x[(size_t)row * columns + c];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int o = BLOCK / 2; o > 0; o /= 2) {
    if (threadIdx.x < o) part[threadIdx.x] += part[threadIdx.x + o];
    __syncthreads();
  }
  if (threadIdx.x != 0) continue;
  sums[row] = part[0];
  }
}
template <class T>
__global__ void first_negative(unsigned hipport_blocks, const T* x, long long* at, long long n, long long width) {
  for (unsigned hipport_block = blockIdx.x; hipport_block < hipport_blocks; hipport_block += gridDim.x) {
  {
  const long long row = hipport_block * (long long)blockDim.x + threadIdx.x;
  if (row >= n) continue;
  at[row] = -1;
  for (long long c = 0; c < width; ++c) {
    if (x[row * width + c] < 0) {
      at[row] = c + hipport_blocks - hipport_blocks;
      goto hipport_next;
    }
  }
  }
  hipport_next:;
  }
}
__global__ void stamp(int* x) { x[blockIdx.x] = blockIdx.x; }
void run(const float* x, float* sums, int* marks, long long* at, int64_t rows, int columns, long long n, int threads) {
  row_sums<<<static_cast<unsigned>((rows) < 16777215 ? (rows) : 16777215), BLOCK>>>(static_cast<unsigned>(rows), x, sums, rows, columns);
  first_negative<float><<<dim3(static_cast<unsigned>(((n + threads - 1) / threads) < 4294967295u / static_cast<unsigned>(threads) ? ((n + threads - 1) / threads) : 4294967295u / static_cast<unsigned>(threads))), dim3(threads)>>>(static_cast<unsigned>((n + threads - 1) / threads), x, at, n, (long long)columns);
  stamp<<<columns, threads, 0, 0>>>(marks);
}

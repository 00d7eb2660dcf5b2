// offers: block-bounds
// The tile of each thread is kept in registers: 96 of them, and what multiplies it.
#define THREADS 256
#define ROWS 12
#define COLUMNS 8

static __global__ __launch_bounds__(THREADS) void tile(const float* a, const float* b, float* out, int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[ROWS][COLUMNS];
  float left[ROWS];
  float right[COLUMNS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) sum[r][c] = 0;
  }
  for (int k = 0; k < depth; ++k) {
#pragma unroll
    for (int r = 0; r < ROWS; ++r) left[r] = a[(i % 7 * depth + k) * ROWS + r];
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) right[c] = b[(i % 5 * depth + k) * COLUMNS + c];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c) sum[r][c] += left[r] * right[c] + left[(r + c) % ROWS] * sum[(r + 1) % ROWS][c];
    }
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) out[(i * ROWS + r) * COLUMNS + c] = sum[r][c];
  }
}

void run(const float* a, const float* b, float* out, int depth, int threads) {
  tile<<<threads / THREADS, THREADS>>>(a, b, out, depth);
}

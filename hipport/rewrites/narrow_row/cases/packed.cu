// offers: narrow-row narrow-row narrow-row narrow-row narrow-row
#define COLUMNS 16
constexpr int kWarp = 32;
__global__ void blocks(const float* x, float* y, int rows) {
  for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x) y[blockIdx.x * COLUMNS + c] = 2 * x[blockIdx.x * COLUMNS + c] + rows;
}
template <typename T>
__global__ void warps(const T* x, T* y, int rows) {
  const int lane = threadIdx.x % kWarp, row = blockIdx.x * (blockDim.x / kWarp) + threadIdx.x / kWarp;
  if (row >= rows) return;
  for (int c = lane; c < COLUMNS; c += kWarp) {
    const T v = x[row * COLUMNS + c];
    y[row * COLUMNS + c] = v + v;
  }
}
__global__ void lines(const float4* x, float4* y, int rows) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  float scale = 1.0f;
  scale += 1.0f;
  if (row < rows && threadIdx.x < COLUMNS / 4) {
    float4 v = x[row * (COLUMNS / 4) + threadIdx.x];
    v.x *= scale, v.y *= scale, v.z *= scale, v.w *= scale;
    y[row * (COLUMNS / 4) + threadIdx.x] = v;
  }
}
template <int D>
__global__ void three(const int* x, int* y, int rows) {
  const unsigned gid = blockIdx.x * blockDim.x + threadIdx.x, lane = gid & 31;
  if (lane >= D) return;
  for (unsigned row = gid / 32; row < rows; row += gridDim.x * blockDim.x / 32) y[row * D + lane] = x[row * D + lane] * 3;
}
__global__ void column(const int* x, int* y) {
  const int lane = threadIdx.x;
  if (lane < 24) y[(blockIdx.y * gridDim.x + blockIdx.x) * 24 + lane] = x[lane] + int(blockIdx.y);
}
void run(const float* x, float* y, int rows, cudaStream_t stream) {
  const dim3 block(32, 8), grid((rows + 7) / 8);
  const int* i = (const int*)x;
  blocks<<<rows, 32>>>(x, y, rows);
  warps<float><<<(rows + 7) / 8, 256, 0, stream>>>(x, y, rows);
  lines<<<grid, block>>>((const float4*)x, (float4*)y, rows);
  three<12><<<64, 128>>>(i, (int*)y, rows);
  column<<<dim3(64, 3), 96>>>(i, (int*)y);
}

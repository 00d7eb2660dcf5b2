// offers: narrow-row narrow-row narrow-row narrow-row narrow-row
#define COLUMNS 16
constexpr int kWarp = 32;
__global__ void blocks(unsigned hipport_blocks, const float* x, float* y, int rows) {
  const unsigned hipport_block = blockIdx.x * 4 + threadIdx.x / 16;
  const unsigned hipport_x = threadIdx.x % 16;
  if (hipport_block >= hipport_blocks) return;
  for (int c = hipport_x; c < COLUMNS; c += 32u) y[hipport_block * COLUMNS + c] = 2 * x[hipport_block * COLUMNS + c] + rows;
}
template <typename T>
__global__ void warps(unsigned hipport_blocks, const T* x, T* y, int rows) {
  const unsigned hipport_block = blockIdx.x;
  const unsigned hipport_x = threadIdx.x / 16 * 32 + threadIdx.x % 16;
  if (hipport_block >= hipport_blocks) return;
  const int lane = hipport_x % kWarp, row = hipport_block * (256u / kWarp) + hipport_x / kWarp;
  if (row >= rows) return;
  for (int c = lane; c < COLUMNS; c += kWarp) {
    const T v = x[row * COLUMNS + c];
    y[row * COLUMNS + c] = v + v;
  }
}
__global__ void lines(unsigned hipport_blocks, const float4* x, float4* y, int rows) {
  const unsigned hipport_block = blockIdx.x * 2 + threadIdx.x / 32;
  const unsigned hipport_x = threadIdx.x % 4, hipport_y = threadIdx.x % 32 / 4;
  if (hipport_block >= hipport_blocks) return;
  const int row = hipport_block * 8u + hipport_y;
  float scale = 1.0f;
  scale += 1.0f;
  if (row < rows && hipport_x < COLUMNS / 4) {
    float4 v = x[row * (COLUMNS / 4) + hipport_x];
    v.x *= scale, v.y *= scale, v.z *= scale, v.w *= scale;
    y[row * (COLUMNS / 4) + hipport_x] = v;
  }
}
template <int D>
__global__ void three(unsigned hipport_blocks, const int* x, int* y, int rows) {
  const unsigned hipport_block = blockIdx.x * 4 + threadIdx.x / 48;
  const unsigned hipport_x = threadIdx.x % 48 / 12 * 32 + threadIdx.x % 12;
  if (hipport_block >= hipport_blocks) return;
  const unsigned gid = hipport_block * 128u + hipport_x, lane = gid & 31;
  if (lane >= D) return;
  for (unsigned row = gid / 32; row < rows; row += hipport_blocks * 128u / 32) y[row * D + lane] = x[row * D + lane] * 3;
}
__global__ void column(unsigned hipport_blocks, const int* x, int* y) {
  const unsigned hipport_block = blockIdx.x * 8 + threadIdx.x / 24;
  const unsigned hipport_x = threadIdx.x % 24;
  if (hipport_block >= hipport_blocks) return;
  const int lane = hipport_x;
  if (lane < 24) y[(blockIdx.y * hipport_blocks + hipport_block) * 24 + lane] = x[lane] + int(blockIdx.y);
}
void run(const float* x, float* y, int rows, cudaStream_t stream) {
  const dim3 block(32, 8), grid((rows + 7) / 8);
  const int* i = (const int*)x;
  blocks<<<(static_cast<unsigned>(rows) + 3) / 4, 64>>>(static_cast<unsigned>(rows), x, y, rows);
  warps<float><<<static_cast<unsigned>((rows + 7) / 8), 128, 0, stream>>>(static_cast<unsigned>((rows + 7) / 8), x, y, rows);
  lines<<<dim3((grid.x + 1) / 2, grid.y, grid.z), 64>>>(grid.x, (const float4*)x, (float4*)y, rows);
  three<12><<<(64 + 3) / 4, 192>>>(64, i, (int*)y, rows);
  column<<<dim3((64 + 7) / 8, 3), 192>>>(64, i, (int*)y);
}

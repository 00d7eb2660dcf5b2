// offers: tile-width lds-occupancy
// Rows, padded tiles, and blocks that are not known.
#define TILE 32
__global__ void rows(const float* in, float* out) {
  __shared__ float tile[TILE][TILE], padded[TILE][TILE + 1];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.x];
  padded[threadIdx.x][threadIdx.y] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.y][threadIdx.x] + padded[threadIdx.y][threadIdx.x];
}
__global__ void columns(const float* in, float* out) {
  __shared__ float tile[TILE][TILE];
  tile[threadIdx.x][threadIdx.y] = in[threadIdx.x];
  out[threadIdx.x] = tile[threadIdx.x][0];
}
void run(const float* in, float* out, int n) {
  rows<<<4, dim3(32, 8)>>>(in, out);
  columns<<<4, n>>>(in, out);
}

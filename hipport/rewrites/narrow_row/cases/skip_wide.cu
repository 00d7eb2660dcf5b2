// Rows that are long enough, or whose length is not constant; loops that are no rows of a warp; threads that all work.
__global__ void k(float* x, int columns) {
  for (int c = threadIdx.x % 32; c < columns; c += 32) x[c] = 0;
  for (int c = threadIdx.x & 31; c < 512; c += 32) x[c] = 0;
  for (int c = threadIdx.x; c < 16; c += blockDim.x) x[c] = 0;
  for (int c = threadIdx.x & 31; c < 16; ++c) x[c] = 0;
}
__global__ void leader(float* x, int n) {
  const int lane = threadIdx.x & 31;
  if (lane < 8) x[threadIdx.x] = 1;
  if (lane == 0) x[n + threadIdx.x] = 2;
  x[2 * n + threadIdx.x] = 3;
}
__global__ void parts(float* x, int n) {
  int lane = threadIdx.x;
  if (n > 3) lane = n;
  if (lane < 8) x[threadIdx.x] = 1;
  if (threadIdx.x < 16) x[n] = 1; else x[n + 1] = 2;
}
__global__ void loop(float* x, int n) {
  for (int i = threadIdx.x; i < n; i += 64)
    if (i < 16) x[i] = 1;
}
__device__ void moved(int& lane, float* x) {
  lane = 0;
  x[0] = 1;
}
__global__ void changed(float* x, int n) {
  int lane = threadIdx.x;
  if (lane < 8) x[threadIdx.x] = 1;
  if (threadIdx.x < 16) moved(lane, x);
  if (lane < 8) x[n] = 1;
}
template <int D>
__global__ void rows(float* x) {
  if (threadIdx.x < D) x[threadIdx.x] = 1;
}
__global__ void one(float* x) {
  if (threadIdx.x == 0) x[blockIdx.x] = 1;
}
void run(float* x, int n) {
  leader<<<64, 64>>>(x, n);
  parts<<<64, 64>>>(x, n);
  changed<<<64, 64>>>(x, n);
  loop<<<64, 64>>>(x, n);
  rows<8><<<64, 64>>>(x);
  rows<64><<<64, 64>>>(x);
  one<<<64, 64>>>(x);
}

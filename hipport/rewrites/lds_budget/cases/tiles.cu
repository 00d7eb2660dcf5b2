// expect: lds-budget lds-budget lds-budget lds-budget
#define TILE 96
template <class T, int ROWS, int COLUMNS = 64>
__global__ void product(const T* a, T* c) {
  __shared__ T left[ROWS][COLUMNS], right[ROWS][COLUMNS];
  left[threadIdx.y][threadIdx.x] = a[threadIdx.x];
  right[threadIdx.y][threadIdx.x] = a[threadIdx.y];
  __syncthreads();
  c[threadIdx.x] = left[threadIdx.x][0] * right[0][threadIdx.x];
}
__global__ void fixed(float* x) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  a[0][threadIdx.x] = x[0];
  b[0][threadIdx.x] = x[1];
  x[2] = a[0][0] + b[0][0];
}
int used(int shared_kb, int max_shared_bytes) { return shared_kb * 2 / 3 + max_shared_bytes / 3 * 2; }
void run(float* x, double* y) {
  product<float, 64, 128><<<1, 64>>>(x, x);
  product<double, 96, 128><<<1, 64>>>(y, y);
  product<float, 32, 32><<<1, 64>>>(x, x);
  fixed<<<1, 96>>>(x);
}

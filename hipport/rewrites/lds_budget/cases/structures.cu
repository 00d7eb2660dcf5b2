// expect: lds-budget lds-budget lds-budget lds-budget lds-budget
// offers: lds-occupancy
struct Cell { double a[8]; int b; };
template <class T, int N> struct Tile { T rows[N][N + 1]; alignas(16) char tag; };
constexpr int squared(int n) { return n * n; }
__global__ void cells(double* x) {
  __shared__ Cell all[2048];
  all[threadIdx.x].a[0] = x[0];
  __syncthreads();
  x[0] = all[0].a[0];
}
template <class T> __device__ T through(T v) {
  __shared__ Tile<T, 96> tile;
  tile.rows[0][threadIdx.x] = v;
  return tile.rows[1][0];
}
template <class T, int N = 8> __global__ void tiles(T* x) {
  __shared__ T more[squared(N)];
  more[threadIdx.x] = x[0];
  x[1] = through(more[0]);
}
__global__ void placed(float* x) {
  __shared__ union { float f[20000]; double d[3]; } both;
  both.f[threadIdx.x] = x[0];
  x[1] = both.d[0];
}
template <int N> void chosen(float* x) { tiles<float, N><<<1, 64>>>(x); }
void run(float* x, double* y) {
  tiles<<<1, 64>>>(y);
  tiles<<<1, 64>>>(x);
  chosen<16>(x);
  chosen<128>(x);
  tiles<float, 80><<<1, 64, 8000>>>(x);
  tiles<float, 60><<<1, 64, 8000>>>(x);
}

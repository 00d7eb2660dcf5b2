// expect: warp-size warp-size ballot-width warp-size
__device__ int lane() { return threadIdx.x % warpSize; }
__global__ void k(unsigned* out) {
  int warp = threadIdx.x / warpSize;
  out[warp] = __ballot_sync(0xffffffff, lane() > 3);
}
__global__ void alone(float* x) { if (threadIdx.x % warpSize == 0) x[threadIdx.x / warpSize] = 1; }
void run(unsigned* out, int n) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  k<<<n / prop.warpSize, prop_threads(n)>>>(out);
}

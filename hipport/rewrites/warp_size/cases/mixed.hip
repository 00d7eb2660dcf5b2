// expect: warp-size warp-size ballot-width warp-size
__device__ int lane() { return threadIdx.x % 32; }
__global__ void k(unsigned* out) {
  int warp = threadIdx.x / 32;
  out[warp] = (unsigned)(__ballot(lane() > 3) >> (__lane_id() & 32));
}
__global__ void alone(float* x) { if (threadIdx.x % warpSize == 0) x[threadIdx.x / warpSize] = 1; }
void run(unsigned* out, int n) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  k<<<n / 32, prop_threads(n)>>>(out);
}

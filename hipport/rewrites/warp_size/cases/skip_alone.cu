__global__ void k(float* x) {
  int lane = threadIdx.x % warpSize;
  if (lane == 0) x[threadIdx.x / warpSize] = 1;
}
void show() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); printf("%d\n", p.warpSize); }

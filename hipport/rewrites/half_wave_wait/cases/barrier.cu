// expect: half-wave-wait half-wave-wait
__device__ void stage(int* s) { s[threadIdx.x] = 1; }
__global__ void k(int* x) {
  const int warp = threadIdx.x >> 5;
  if (warp < 3) {
    stage(x);
    __syncthreads();
  } else {
    __syncthreads();
  }
}

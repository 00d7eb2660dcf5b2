// expect: barrier-divergence
__global__ void k(float* x, int n) {
  __shared__ float s[256];
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    x[i] = s[0];
  }
}

// expect: barrier-divergence
__global__ void k(float* x, int n) {
  __shared__ float s[256];
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  {
  const bool hipport_active = (i < n);
    if (hipport_active) s[threadIdx.x] = x[i];
    __syncthreads();
  if (hipport_active) {
    x[i] = s[0];
  }
  }
}

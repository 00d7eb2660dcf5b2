// expect: inline-ptx named-barrier inline-ptx
__global__ void turned(const int* x, int* y) {
  __shared__ int s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  int v = s[blockDim.x - 1 - t];
  __syncthreads();
  s[t] = v + 1;
  __syncthreads();
  y[i] = s[(t + 1) % blockDim.x];
}

// Native on gfx942 and gfx950, or kept from the flag by nobody; integers; memory that is shared on purpose.
__global__ void sum(const float* x, float* total, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&total[i % 8], x[i]);
    atomicAdd(count + i, 1);
    atomicAdd_system(count + i, 1);
  }
}
void run(const float* x, int n) {
  float* total;
  int* count;
  cudaMallocManaged(&total, 8 * sizeof(float));
  cudaHostAlloc(&count, n * sizeof(int), 0);
  sum<<<8, 256>>>(x, total, count, n);
}

// offers: device-heap device-heap
__global__ void lists(int** rows, int n) {
  if (threadIdx.x == 0) rows[blockIdx.x] = (int*)malloc(n * sizeof(int));
  __syncthreads();
  rows[blockIdx.x][threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) free(rows[blockIdx.x]);
}
__device__ float* scratch(int n) { return new float[n]; }

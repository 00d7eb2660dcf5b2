// offers: lds-banks
// An array that goes elsewhere keeps its shape.
__device__ float sum(const float (*rows)[64]) { return rows[threadIdx.x][0]; }
__global__ void passed(float* x) {
  __shared__ float tile[64][64];
  tile[threadIdx.x][threadIdx.y] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = sum(tile);
}
void run(float* x) { passed<<<1, dim3(64, 4)>>>(x); }

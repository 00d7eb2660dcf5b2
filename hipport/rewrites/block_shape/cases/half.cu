// offers: block-shape block-shape
#define THREADS 32
__global__ void k(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void m(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
void run(float* x, int n) {
  k<<<256, THREADS>>>(x);
  m<<<128, dim3(8, 9)>>>(x);
  k<<<4, THREADS>>>(x);
}

#include <cuda_runtime.h>
__global__ void device(float* y, unsigned* done) {
  y[blockIdx.x] = 1;
  __threadfence();
  __threadfence();
  if (threadIdx.x == 0) atomicAdd(done, 1u);
}
void reach(int other) { cudaDeviceEnablePeerAccess(other, 0); }

// The host sees what lies in its own memory; a fence of the device is another one.
#include <cuda_runtime.h>
__global__ void progress(volatile int* step, float* y) {
  y[threadIdx.x] = 1;
  __threadfence_system();
  if (threadIdx.x == 0) *step = 1;
}
int* watched() {
  int* memory = nullptr;
  cudaHostAlloc(&memory, sizeof(int), cudaHostAllocMapped);
  return memory;
}

// left: cudaCtxResetPersistingL2Cache cudaD3D11GetDevice
#include <cuda_runtime.h>

void reset(int* device, void* adapter) {
  cudaCtxResetPersistingL2Cache();
  cudaD3D11GetDevice(device, adapter);
}

// left: cudaCtxResetPersistingL2Cache cudaD3D11GetDevice
#include <hip/hip_runtime.h>

void reset(int* device, void* adapter) {
  cudaCtxResetPersistingL2Cache();
  cudaD3D11GetDevice(device, adapter);
}

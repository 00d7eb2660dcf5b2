// expect: system-fence lane-ptx system-fence
#include <cuda_runtime.h>
__global__ void publish(float* peer, const float* x, volatile unsigned* flag, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) peer[i] = x[i];
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}
__global__ void ptx(float* peer, volatile unsigned* flag) {
  peer[threadIdx.x] = 1;
  __threadfence_system();
  if (threadIdx.x == 0) *flag = 1;
}
float* opened(cudaIpcMemHandle_t handle) {
  void* memory = nullptr;
  cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess);
  return (float*)memory;
}

// Any error, several of them, their names, and assertions.
#include <cassert>
__global__ void fill(float* x) { x[threadIdx.x] = 1; }

int run(float* x, int n) {
  fill<<<n / 256, 256>>>(x);
  cudaError_t error = cudaGetLastError();
  if (error == cudaErrorInvalidValue || error == cudaErrorInvalidConfiguration) return 0;
  assert(error != cudaErrorInvalidConfiguration);
  return error != cudaSuccess;
}

const char* name(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
      return "configuration";
    default:
      return "other";
  }
}
#ifdef __HIP_PLATFORM_AMD__
int own(hipError_t error) { return error == hipErrorInvalidConfiguration; }
#endif

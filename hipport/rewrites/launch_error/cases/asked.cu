// expect: launch-error launch-error launch-error
// An empty input that is launched all the same, and blocks that are tried until one fits.
#include <cstdio>
__global__ void fill(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}

int run(float* x, int n) {
  fill<<<(n + 255) / 256, 256>>>(x, n);
  cudaError_t error = cudaGetLastError();
  if (error == cudaErrorInvalidConfiguration && n == 0) return 0;
  return error != cudaSuccess;
}

int tried(float* x, int n) {
  for (int threads = 2048; threads > 0; threads /= 2) {
    fill<<<n / threads + 1, threads>>>(x, n);
    const cudaError_t error = cudaGetLastError();
    if (error == cudaErrorLaunchOutOfResources || cudaErrorInvalidConfiguration == error) continue;
    return threads;
  }
  return 0;
}

int expected(float* x) {
  fill<<<1, 0>>>(x, 1);
  if (cudaGetLastError() != cudaErrorInvalidConfiguration) printf("no error\n");
  return 0;
}

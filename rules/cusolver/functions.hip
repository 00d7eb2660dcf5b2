#include <hip/hip_runtime.h>
#include <hipsolver/hipsolver.h>

int factor(hipsolverHandle_t handle, int n, float* a, int* pivots, int* info, float* work) {
  int size = 0;
  if (hipsolverDnSgetrf_bufferSize(handle, n, n, a, n, &size) != HIPSOLVER_STATUS_SUCCESS) return -1;
  hipsolverDnSgetrf(handle, n, n, a, n, work, pivots, info);
  return size;
}

#include <cusolverDn.h>

int factor(cusolverDnHandle_t handle, int n, float* a, int* pivots, int* info, float* work) {
  int size = 0;
  if (cusolverDnSgetrf_bufferSize(handle, n, n, a, n, &size) != CUSOLVER_STATUS_SUCCESS) return -1;
  cusolverDnSgetrf(handle, n, n, a, n, work, pivots, info);
  return size;
}

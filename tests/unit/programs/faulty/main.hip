#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void too_far(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) values[i] = i;  // one too many
}

int main() {
  int* values;
  if (hipMalloc(reinterpret_cast<void**>(&values), 100 * sizeof(int)) != hipSuccess) return 1;
  std::puts("before");
  too_far<<<2, 64>>>(values, 100);
  std::puts("after");
  return 0;
}

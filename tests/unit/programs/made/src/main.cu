#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

void scale(float* values, int n, float by);
extern "C" float expected(int i);

int main(int count, char** words) {
  const int n = count > 1 ? std::atoi(words[1]) : 3;
  float* values;
  if (hipMallocManaged(reinterpret_cast<void**>(&values), n * sizeof(float), hipMemAttachGlobal) != hipSuccess) return 1;
  for (int i = 0; i < n; ++i) values[i] = i;
  scale(values, n, FACTOR);
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  for (int i = 0; i < n; ++i)
    if (values[i] != expected(i)) return std::printf("FAIL at %d: %g\n", i, values[i]), 1;
  std::printf("PASS %d\n", n);
  return 0;
}

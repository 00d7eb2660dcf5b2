#include <cuda_fp8.h>
#include <cublasLt.h>

template <typename In>
struct Bench {
  bool scaled = std::is_same<In, __nv_fp8_e4m3>::value || std::is_same<In, __nv_fp8_e5m2>::value;
};

int main() {
  std::vector<__nv_fp8_e4m3> host(16, __nv_fp8_e4m3(1.5f));
  __nv_fp8_e4m3* weights = nullptr;
  cudaMalloc(&weights, host.size() * sizeof(__nv_fp8_e4m3));
  cudaMemcpy(weights, host.data(), host.size(), cudaMemcpyHostToDevice);
  return Bench<__nv_fp8_e4m3>().scaled ? 0 : 1;
}

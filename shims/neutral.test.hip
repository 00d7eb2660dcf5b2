#include <hip/hip_fp16.h>
extern "C" __global__ void neutral(long long* whole, unsigned long long* natural, float* real) {
  if (threadIdx.x) return;
  whole[0] = hipport::lowest<int>(), whole[1] = hipport::highest<int>();
  whole[2] = hipport::lowest<signed char>(), whole[3] = hipport::highest<short>();
  whole[4] = hipport::lowest<long long>(), whole[5] = hipport::highest<long long>();
  natural[0] = hipport::lowest<unsigned>(), natural[1] = hipport::highest<unsigned>();
  natural[2] = hipport::highest<unsigned char>(), natural[3] = hipport::highest<unsigned long long>();
  natural[4] = hipport::lowest<bool>(), natural[5] = hipport::highest<bool>();
  real[0] = hipport::lowest<float>(), real[1] = hipport::highest<double>();
  real[2] = __half2float(hipport::lowest<__half>()), real[3] = __half2float(hipport::highest<__half>());
}

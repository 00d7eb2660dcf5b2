#include <hip/hip_bf16.h>
struct cache_hints_record { unsigned a; float b, c, d; };
extern "C" __global__ void cache_hints(const float4* x, float4* out, const unsigned char* bytes, unsigned char* copy, const double* wide, double* doubles) {
  unsigned t = threadIdx.x;
  float4 a = hipport::ldcs(x + t), b = hipport::ldcg(x + t), c = hipport::ldcv(x + t), d = hipport::ldca(x + t), e = hipport::ldlu(x + t);
  hipport::stcs(out + t, a);
  hipport::stcg(out + 64 + t, b);
  hipport::stwt(out + 128 + t, c);
  hipport::stwb(out + 192 + t, d);
  cache_hints_record r = hipport::ldcs((const cache_hints_record*)x + t);
  hipport::stcs(out + 256 + t, make_float4(__uint_as_float(r.a), r.b, r.c, e.w));
  hipport::stcs(copy + t, hipport::ldcg(bytes + t));
  hipport::stcs(doubles + t, hipport::ldcs(wide + t));
  hipport::stcs(copy + 64 + t, 7);
}
extern "C" __global__ void cache_hints_pairs(const __hip_bfloat162* x, __hip_bfloat162* out) {
  unsigned t = threadIdx.x;
  hipport::stcs(out + t, hipport::ldcs(x + t));
  hipport::stcg(out + 64 + t, hipport::ldcg(x + t));
  hipport::stwt(out + 128 + t, hipport::ldcv(x + t));
  hipport::stwb(out + 192 + t, hipport::ldlu(x + t));
}

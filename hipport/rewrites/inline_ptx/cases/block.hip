// expect: inline-ptx inline-ptx inline-ptx
__device__ void load4(const int4* from, int4& v) {
  do { const auto hipport_v = hipport::load<4>((int *)(from)); v.x = hipport_v[0]; v.y = hipport_v[1]; v.z = hipport_v[2]; v.w = hipport_v[3]; } while (0);
}
__device__ int chosen(int x, int y) {
  int r;
  do { unsigned hipport_0 = {}; unsigned hipport_1 = (unsigned)(x); unsigned hipport_2 = (unsigned)(y); bool hipport_p = {}; hipport_p = (int)hipport_1 < (int)hipport_2; if (hipport_p) { hipport_0 = hipport::wrapping_add<int>((int)hipport_1, (int)1); } if (!hipport_p) { hipport_0 = (int)hipport_2; } r = hipport_0; } while (0);
  return r;
}
#define ADD128(lo, hi, a, b)                                       \
  do { unsigned long long hipport_0 = (unsigned long long)(lo); unsigned long long hipport_1 = (unsigned long long)(hi); unsigned long long hipport_2 = (unsigned long long)(a); unsigned long long hipport_3 = (unsigned long long)(b); unsigned hipport_carry = 0u; hipport_0 = hipport::add_carry<unsigned long long>(hipport_0, hipport_2, 0u, hipport_carry); hipport_1 = hipport::add_carry_in<unsigned long long>(hipport_1, hipport_3, hipport_carry); lo = hipport_0; hi = hipport_1; } while (0)
__device__ void sum(unsigned long long* x) { ADD128(x[0], x[1], x[2], x[3]); }

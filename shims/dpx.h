namespace hipport {
// The functions of CUDA for dynamic programming: maxima and minima of three, of a sum and a value, with a floor of 0, and
// with the comparison's outcome. Sums wrap around.
__device__ inline int viadd(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
__device__ inline unsigned viadd(unsigned a, unsigned b) { return a + b; }
#define HIPPORT_DPX(type, sign)                                                                                    \
  __device__ inline type vimax3_##sign(type a, type b, type c) { const type m = a < b ? b : a; return m < c ? c : m; } \
  __device__ inline type vimin3_##sign(type a, type b, type c) { const type m = b < a ? b : a; return c < m ? c : m; } \
  __device__ inline type viaddmax_##sign(type a, type b, type c) { const type s = viadd(a, b); return s < c ? c : s; } \
  __device__ inline type viaddmin_##sign(type a, type b, type c) { const type s = viadd(a, b); return c < s ? c : s; } \
  __device__ inline type vibmax_##sign(type a, type b, bool *first) { *first = a >= b; return *first ? a : b; }        \
  __device__ inline type vibmin_##sign(type a, type b, bool *first) { *first = a <= b; return *first ? a : b; }
HIPPORT_DPX(int, s32)
HIPPORT_DPX(unsigned, u32)
#undef HIPPORT_DPX
__device__ inline int at_least_0(int x) { return x < 0 ? 0 : x; }
__device__ inline int vimax_s32_relu(int a, int b) { return at_least_0(a < b ? b : a); }
__device__ inline int vimin_s32_relu(int a, int b) { return at_least_0(b < a ? b : a); }
__device__ inline int vimax3_s32_relu(int a, int b, int c) { return at_least_0(vimax3_s32(a, b, c)); }
__device__ inline int vimin3_s32_relu(int a, int b, int c) { return at_least_0(vimin3_s32(a, b, c)); }
__device__ inline int viaddmax_s32_relu(int a, int b, int c) { return at_least_0(viaddmax_s32(a, b, c)); }
__device__ inline int viaddmin_s32_relu(int a, int b, int c) { return at_least_0(viaddmin_s32(a, b, c)); }
template <class T, class F>
__device__ inline unsigned both_halves(unsigned a, unsigned b, unsigned c, F of) {
  const unsigned low = (unsigned short)of((int)(T)a, (int)(T)b, (int)(T)c);
  return low | (unsigned)(unsigned short)of((int)(T)(a >> 16), (int)(T)(b >> 16), (int)(T)(c >> 16)) << 16;
}
#define HIPPORT_DPX2(T, sign, floor, suffix)                                                                               \
  __device__ inline unsigned vimax3_##sign##suffix(unsigned a, unsigned b, unsigned c) {                                    \
    return both_halves<T>(a, b, c, [](int x, int y, int z) { return floor(vimax3_s32(x, y, z)); }); }                       \
  __device__ inline unsigned vimin3_##sign##suffix(unsigned a, unsigned b, unsigned c) {                                    \
    return both_halves<T>(a, b, c, [](int x, int y, int z) { return floor(vimin3_s32(x, y, z)); }); }                       \
  __device__ inline unsigned viaddmax_##sign##suffix(unsigned a, unsigned b, unsigned c) {                                  \
    return both_halves<T>(a, b, c, [](int x, int y, int z) { x = (T)(x + y); return floor(x < z ? z : x); }); }             \
  __device__ inline unsigned viaddmin_##sign##suffix(unsigned a, unsigned b, unsigned c) {                                  \
    return both_halves<T>(a, b, c, [](int x, int y, int z) { x = (T)(x + y); return floor(z < x ? z : x); }); }
HIPPORT_DPX2(short, s16x2, , )
HIPPORT_DPX2(unsigned short, u16x2, , )
HIPPORT_DPX2(short, s16x2, at_least_0, _relu)
#undef HIPPORT_DPX2
__device__ inline unsigned vimax_s16x2_relu(unsigned a, unsigned b) { return vimax3_s16x2(a, b, 0u); }
__device__ inline unsigned vimin_s16x2_relu(unsigned a, unsigned b) { return vimin3_s16x2_relu(a, b, b); }
template <class T>
__device__ inline unsigned chosen_halves(unsigned a, unsigned b, bool *high, bool *low, bool most) {
  const T ah = (T)(a >> 16), bh = (T)(b >> 16), al = (T)a, bl = (T)b;
  *high = most ? ah >= bh : ah <= bh;
  *low = most ? al >= bl : al <= bl;
  return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);
}
__device__ inline unsigned vibmax_s16x2(unsigned a, unsigned b, bool *high, bool *low) { return chosen_halves<short>(a, b, high, low, true); }
__device__ inline unsigned vibmin_s16x2(unsigned a, unsigned b, bool *high, bool *low) { return chosen_halves<short>(a, b, high, low, false); }
__device__ inline unsigned vibmax_u16x2(unsigned a, unsigned b, bool *high, bool *low) { return chosen_halves<unsigned short>(a, b, high, low, true); }
__device__ inline unsigned vibmin_u16x2(unsigned a, unsigned b, bool *high, bool *low) { return chosen_halves<unsigned short>(a, b, high, low, false); }
}  // namespace hipport

namespace hipport {
// The SIMD functions of CUDA: four bytes or two halves of a word at once (__vadd4, __vadd2, and so on).
template <int N, class T, class F>
__device__ inline unsigned each_part(unsigned a, unsigned b, F of) {
  const int bits = 32 / N;
  const unsigned mask = (1u << bits) - 1u;
  unsigned result = 0;
  for (int i = 0; i < N; ++i)
    result |= ((unsigned)of((int)(T)(a >> bits * i), (int)(T)(b >> bits * i)) & mask) << bits * i;
  return result;
}
template <int N>
__device__ inline int within(int x, bool with_sign) {
  const int bits = 32 / N, most = with_sign ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, least = with_sign ? -most - 1 : 0;
  return x < least ? least : x > most ? most : x;
}
template <int N, class T>
__device__ inline unsigned sum_of_differences(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (int i = 0; i < N; ++i) {
    const int d = (int)(T)(a >> 32 / N * i) - (int)(T)(b >> 32 / N * i);
    sum += (unsigned)(d < 0 ? -d : d);
  }
  return sum;
}
#define HIPPORT_PAIRWISE(name, N, T, value) \
  __device__ inline unsigned name(unsigned a, unsigned b) { return each_part<N, T>(a, b, [](int x, int y) { return value; }); }
#define HIPPORT_SINGLE(name, N, T, value) \
  __device__ inline unsigned name(unsigned a) { return each_part<N, T>(a, a, [](int x, int) { return value; }); }
#define HIPPORT_SIMD(N, S, U)                                                                   \
  HIPPORT_SINGLE(vabs##N, N, S, x < 0 ? -x : x)                                                 \
  HIPPORT_SINGLE(vabsss##N, N, S, within<N>(x < 0 ? -x : x, true))                              \
  HIPPORT_SINGLE(vneg##N, N, S, -x)                                                             \
  HIPPORT_SINGLE(vnegss##N, N, S, within<N>(-x, true))                                          \
  HIPPORT_PAIRWISE(vabsdiffs##N, N, S, x < y ? y - x : x - y)                                   \
  HIPPORT_PAIRWISE(vabsdiffu##N, N, U, x < y ? y - x : x - y)                                   \
  HIPPORT_PAIRWISE(vadd##N, N, U, x + y)                                                        \
  HIPPORT_PAIRWISE(vaddss##N, N, S, within<N>(x + y, true))                                     \
  HIPPORT_PAIRWISE(vaddus##N, N, U, within<N>(x + y, false))                                    \
  HIPPORT_PAIRWISE(vsub##N, N, U, x - y)                                                        \
  HIPPORT_PAIRWISE(vsubss##N, N, S, within<N>(x - y, true))                                     \
  HIPPORT_PAIRWISE(vsubus##N, N, U, within<N>(x - y, false))                                    \
  HIPPORT_PAIRWISE(vavgs##N, N, S, (x + y + (x + y >= 0)) >> 1)                                 \
  HIPPORT_PAIRWISE(vavgu##N, N, U, (x + y + 1) >> 1)                                            \
  HIPPORT_PAIRWISE(vhaddu##N, N, U, (x + y) >> 1)                                               \
  HIPPORT_PAIRWISE(vmaxs##N, N, S, x < y ? y : x)                                               \
  HIPPORT_PAIRWISE(vmaxu##N, N, U, x < y ? y : x)                                               \
  HIPPORT_PAIRWISE(vmins##N, N, S, y < x ? y : x)                                               \
  HIPPORT_PAIRWISE(vminu##N, N, U, y < x ? y : x)                                               \
  HIPPORT_COMPARED(eq, N, U, x == y) HIPPORT_COMPARED(ne, N, U, x != y)                         \
  HIPPORT_COMPARED(ges, N, S, x >= y) HIPPORT_COMPARED(geu, N, U, x >= y)                       \
  HIPPORT_COMPARED(gts, N, S, x > y) HIPPORT_COMPARED(gtu, N, U, x > y)                         \
  HIPPORT_COMPARED(les, N, S, x <= y) HIPPORT_COMPARED(leu, N, U, x <= y)                       \
  HIPPORT_COMPARED(lts, N, S, x < y) HIPPORT_COMPARED(ltu, N, U, x < y)                         \
  __device__ inline unsigned vsads##N(unsigned a, unsigned b) { return sum_of_differences<N, S>(a, b); } \
  __device__ inline unsigned vsadu##N(unsigned a, unsigned b) { return sum_of_differences<N, U>(a, b); }
#define HIPPORT_COMPARED(op, N, T, value) \
  HIPPORT_PAIRWISE(vcmp##op##N, N, T, value ? -1 : 0) HIPPORT_PAIRWISE(vset##op##N, N, T, value ? 1 : 0)
HIPPORT_SIMD(4, signed char, unsigned char)
HIPPORT_SIMD(2, short, unsigned short)
#undef HIPPORT_COMPARED
#undef HIPPORT_SIMD
#undef HIPPORT_SINGLE
#undef HIPPORT_PAIRWISE
}  // namespace hipport

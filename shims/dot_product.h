namespace hipport {
// __dp4a, __dp2a_lo and _hi: bytes of one word by bytes or halves of the other, summed onto a third. AMD's v_dot4 takes
// both words with one sign on gfx9 and is another instruction on gfx11: plain products, which the compiler may fuse.
template <class A, class B>
__device__ inline int dot_bytes(unsigned a, unsigned b, int sum) {
  for (int i = 0; i < 4; ++i) sum = (int)((unsigned)sum + (unsigned)((int)(A)(a >> 8 * i) * (int)(B)(b >> 8 * i)));
  return sum;
}
template <class A, class B>
__device__ inline int dot_halves(unsigned a, unsigned b, int sum) {
  for (int i = 0; i < 2; ++i) sum = (int)((unsigned)sum + (unsigned)((int)(A)(a >> 16 * i) * (int)(B)(b >> 8 * i)));
  return sum;
}
__device__ inline int dp4a_s32_s32(int a, int b, int c) { return dot_bytes<signed char, signed char>((unsigned)a, (unsigned)b, c); }
__device__ inline int dp4a_s32_u32(int a, unsigned b, int c) { return dot_bytes<signed char, unsigned char>((unsigned)a, b, c); }
__device__ inline int dp4a_u32_s32(unsigned a, int b, int c) { return dot_bytes<unsigned char, signed char>(a, (unsigned)b, c); }
__device__ inline int dp4a_u32_u32(unsigned a, unsigned b, int c) { return dot_bytes<unsigned char, unsigned char>(a, b, c); }
__device__ inline int dp2a_lo_s32_s32(int a, int b, int c) { return dot_halves<short, signed char>((unsigned)a, (unsigned)b, c); }
__device__ inline int dp2a_lo_s32_u32(int a, unsigned b, int c) { return dot_halves<short, unsigned char>((unsigned)a, b, c); }
__device__ inline int dp2a_lo_u32_s32(unsigned a, int b, int c) { return dot_halves<unsigned short, signed char>(a, (unsigned)b, c); }
__device__ inline int dp2a_lo_u32_u32(unsigned a, unsigned b, int c) { return dot_halves<unsigned short, unsigned char>(a, b, c); }
__device__ inline int dp2a_hi_s32_s32(int a, int b, int c) { return dp2a_lo_s32_s32(a, (int)((unsigned)b >> 16), c); }
__device__ inline int dp2a_hi_s32_u32(int a, unsigned b, int c) { return dp2a_lo_s32_u32(a, b >> 16, c); }
__device__ inline int dp2a_hi_u32_s32(unsigned a, int b, int c) { return dp2a_lo_u32_s32(a, (int)((unsigned)b >> 16), c); }
__device__ inline int dp2a_hi_u32_u32(unsigned a, unsigned b, int c) { return dp2a_lo_u32_u32(a, b >> 16, c); }
__device__ inline int dp4a(int a, int b, int c) { return dp4a_s32_s32(a, b, c); }
__device__ inline unsigned dp4a(unsigned a, unsigned b, unsigned c) { return (unsigned)dp4a_u32_u32(a, b, (int)c); }
__device__ inline int dp2a_lo(int a, int b, int c) { return dp2a_lo_s32_s32(a, b, c); }
__device__ inline unsigned dp2a_lo(unsigned a, unsigned b, unsigned c) { return (unsigned)dp2a_lo_u32_u32(a, b, (int)c); }
__device__ inline int dp2a_hi(int a, int b, int c) { return dp2a_hi_s32_s32(a, b, c); }
__device__ inline unsigned dp2a_hi(unsigned a, unsigned b, unsigned c) { return (unsigned)dp2a_hi_u32_u32(a, b, (int)c); }
template <class V>
__device__ inline auto quads(V v) -> decltype((unsigned)(unsigned char)v.x) {
  return (unsigned)(unsigned char)v.x | (unsigned)(unsigned char)v.y << 8 | (unsigned)(unsigned char)v.z << 16 | (unsigned)(unsigned char)v.w << 24;
}
__device__ inline int dp4a(char4 a, char4 b, int c) { return dp4a((int)quads(a), (int)quads(b), c); }
__device__ inline unsigned dp4a(uchar4 a, uchar4 b, unsigned c) { return dp4a(quads(a), quads(b), c); }
__device__ inline int dp2a_lo(short2 a, char4 b, int c) { return dp2a_lo((int)((unsigned)(unsigned short)a.x | (unsigned)(unsigned short)a.y << 16), (int)quads(b), c); }
__device__ inline unsigned dp2a_lo(ushort2 a, uchar4 b, unsigned c) { return dp2a_lo((unsigned)a.x | (unsigned)a.y << 16, quads(b), c); }
__device__ inline int dp2a_hi(short2 a, char4 b, int c) { return dp2a_hi((int)((unsigned)(unsigned short)a.x | (unsigned)(unsigned short)a.y << 16), (int)quads(b), c); }
__device__ inline unsigned dp2a_hi(ushort2 a, uchar4 b, unsigned c) { return dp2a_hi((unsigned)a.x | (unsigned)a.y << 16, quads(b), c); }
}  // namespace hipport

namespace hipport {
// Scalar video instructions of PTX.
template <class A, class B>
__device__ inline unsigned video_absdiff(A a, B b) {
  const long long difference = (long long)a - (long long)b;
  return (unsigned)(difference < 0 ? -difference : difference);
}
__device__ inline unsigned video_shr_clamp(unsigned a, unsigned b) { return b < 32 ? a >> b : 0u; }
__device__ inline unsigned video_shr_wrap(unsigned a, unsigned b) { return a >> (b & 31u); }
__device__ inline unsigned video_shl_clamp(unsigned a, unsigned b) { return b < 32 ? a << b : 0u; }
__device__ inline unsigned video_shl_wrap(unsigned a, unsigned b) { return a << (b & 31u); }
}  // namespace hipport

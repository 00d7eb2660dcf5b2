// offers: cas-atomic cas-atomic cas-atomic cas-atomic
// In macros, and of parts of a word.
#define ATOMIC_MAX(address, v) \
  { \
    int* p = (int*)(address); \
    int old = *p, seen; \
    do { \
      seen = old; \
      old = atomicCAS(p, seen, __float_as_int(fmaxf(v, __int_as_float(seen)))); \
    } while (seen != old); \
  }
#define ADD_DOUBLE(address, v) \
  do { \
    unsigned long long *p = (unsigned long long*)(address), old = *p, seen; \
    do { \
      seen = old; \
      old = atomicCAS(p, seen, __double_as_longlong((v) + __longlong_as_double(seen))); \
    } while (seen != old); \
  } while (0)
__device__ void add_byte(unsigned char* address, unsigned char val) {
  unsigned* base = (unsigned*)((size_t)address & ~3);
  const unsigned shift = ((size_t)address & 3) * 8;
  unsigned old = *base, seen;
  do {
    seen = old;
    const unsigned sum = ((seen >> shift) & 0xff) + val;
    old = atomicCAS(base, seen, (seen & ~(0xffu << shift)) | ((sum & 0xff) << shift));
  } while (seen != old);
}
__device__ void add_short(short* address, short val) {
  unsigned* base = (unsigned*)((char*)address - ((size_t)address & 2));
  unsigned old = *base, seen;
  do {
    seen = old;
    const short next = (short)((size_t)address & 2 ? seen >> 16 : seen & 0xffff) + val;
    old = atomicCAS(base, seen, (size_t)address & 2 ? (seen & 0xffff) | (unsigned)next << 16 : (seen & 0xffff0000) | (unsigned short)next);
  } while (seen != old);
}
__global__ void k(float* x, double* y, unsigned char* b, short* s) {
  ATOMIC_MAX(x, 1.0f);
  ADD_DOUBLE(y, 1.0);
  add_byte(b, 1);
  add_short(s, 2);
}

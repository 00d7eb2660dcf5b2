// targets: gfx942 gfx950 gfx1100
// A way for the others, a trap, code after the condition, hints, what the file does not decide, and calls behind conditions.
__device__ int other(int value) {
#if defined(__gfx90a__) || defined(__gfx942__)
  return __builtin_amdgcn_readlane(value, 3);
#else
  return value;
#endif
}
__device__ int trapped(int value) {
#if defined(__GFX9__)
  return __builtin_amdgcn_readlane(value, 3);
#else
  __builtin_trap();
#endif
}
__device__ int after(int value) {
#if defined(__gfx90a__)
  value = __builtin_amdgcn_readlane(value, 3);
#endif
  return value;
}
__device__ void waits() {
#if defined(__gfx950__)
  __builtin_amdgcn_s_waitcnt(0);
  asm volatile("s_nop 1");
#endif
}
__device__ void unknown(int* x) {
#if defined(FAST) || defined(__gfx942__)
  x[0] = 1;
#endif
}
__device__ void nobody(int* x) {
#if 0
  x[0] = 1;
#endif
}
__device__ void only(int& value) {
#if defined(__gfx942__)
  value = __builtin_amdgcn_readlane(value, 3);
#endif
}
__device__ int chosen(int value) {
#if defined(__gfx942__)
  only(value);
  return value;
#else
  return value + 1;
#endif
}
#if defined(__gfx942__)
__device__ void apart(int* x) {
#if defined(__gfx942__)
  x[0] = 2;
#endif
}
#endif

// expect: inline-ptx inline-ptx inline-ptx inline-ptx inline-ptx inline-ptx inline-ptx
__device__ unsigned field(unsigned x) { unsigned r; asm("bfe.u32 %0, %1, %2, 8;" : "=r"(r) : "r"(x), "r"(4)); return r; }
__device__ unsigned majority(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ float fast_exp2(float x) {
  float y;
  asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ int published(const int* flag) {
  int value;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}
__device__ void publish(int* flag, int value) {
  asm volatile("st.global.release.sys.b32 [%1], %0;" ::"r"(value), "l"(flag) : "memory");
}
__device__ void stop() { asm("trap;"); }
__device__ long long ticks() { long long t; asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)); return t; }

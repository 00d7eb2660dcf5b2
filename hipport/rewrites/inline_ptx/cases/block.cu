// expect: inline-ptx inline-ptx inline-ptx
__device__ void load4(const int4* from, int4& v) {
  asm volatile("ld.global.nc.v4.s32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from));
}
__device__ int chosen(int x, int y) {
  int r;
  asm("{\n\t"
      ".reg .pred p;\n\t"
      "setp.lt.s32 p, %1, %2;\n\t"
      "@p add.s32 %0, %1, 1;\n\t"
      "@!p mov.s32 %0, %2;\n\t"
      "}"
      : "=r"(r)
      : "r"(x), "r"(y));
  return r;
}
#define ADD128(lo, hi, a, b)                                       \
  asm("add.cc.u64 %0, %0, %2;\n\t"                                 \
      "addc.u64 %1, %1, %3;"                                       \
      : "+l"(lo), "+l"(hi)                                         \
      : "l"(a), "l"(b))
__device__ void sum(unsigned long long* x) { ADD128(x[0], x[1], x[2], x[3]); }

// expect: inline-ptx
__device__ int elected() {
  int p;
  asm volatile("{ .reg .pred q; elect.sync _|q, 0xffffffff; selp.s32 %0, 1, 0, q; }" : "=r"(p));
  return p;
}

// expect: inline-ptx inline-ptx inline-ptx inline-ptx inline-ptx
__device__ void tensor(float* c, const unsigned* a, const unsigned* b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ void named() { asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(64) : "memory"); }
__device__ void wait() { asm volatile("mbarrier.try_wait.parity.shared::cta.b64 _, [%0], %1;" ::"r"(0), "r"(1)); }
__device__ unsigned leaves(unsigned a) { unsigned r; asm volatile("addc.u32 %0, %1, 0;" : "=r"(r) : "r"(a)); return r; }
__device__ void leave() { asm volatile("exit;"); }

static __device__ unsigned __vadd4(unsigned a, unsigned b) { return a + b; }
#define __ldcs(p) (*(p))
__global__ void k(unsigned* u, float* x) {
  u[0] = __vadd4(u[1], u[2]);
  x[0] = __ldcs(x + 1) + __fdividef(x[2], x[3]);  // __stcs in a comment
}
const char* name() { return "__ldcs(p)"; }

// expect: missing-function missing-function missing-function missing-function
// Two roundings each, as CUDA promises: the head of a split, and a product that is not fused with the sum.
__global__ void two_product(const float* x, const float* y, float* high, float* low) {
  int i = threadIdx.x;
  float a = x[i], b = y[i], big = __fmul_rn(a, 4097.0f), cut = __fsub_rn(big, __fsub_rn(big, a));
  high[i] = cut;
  low[i] = __fmul_rn(a, b) + b;
}

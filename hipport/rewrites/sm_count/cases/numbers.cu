// offers: sm-count sm-count sm-count
#define NUM_SMS 108
constexpr int kNumSMs = 132;
__global__ void k(float* x) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[0];
  x[1] = s[0];
}
int run(float* x, size_t bytes) {
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, bytes);
  k<<<kNumSMs * blocks, 256, bytes>>>(x);
  return NUM_SMS;
}

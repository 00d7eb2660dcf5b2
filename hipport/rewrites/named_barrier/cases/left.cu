// expect: inline-ptx inline-ptx inline-ptx inline-ptx named-barrier named-barrier named-barrier
#define PRODUCED 1
__global__ void named(const int* x, int* y, int id) {
  __shared__ int s[256];
  if (threadIdx.x < 64) {
    s[threadIdx.x] = x[threadIdx.x];
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  } else if (threadIdx.x < 128) {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    y[threadIdx.x] = s[threadIdx.x - 64];
  }
  asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(64) : "memory");
  asm volatile("barrier.sync 2;");
  __barrier_sync(PRODUCED);
  __barrier_sync_count(3, 64);
}
__global__ void forerunner(int* y) {
  __shared__ nvcuda::experimental::awbarrier met;
  y[0] = sizeof(met);
}

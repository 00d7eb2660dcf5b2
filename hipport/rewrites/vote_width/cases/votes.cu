// expect: vote-width vote-width vote-width
constexpr unsigned kAll = 0xffffffff;
__global__ void k(const int* x, int* y, unsigned m) {
  while (__any_sync(kAll, x[threadIdx.x] < *y)) ++*y;
  if (__all_sync(kAll, x[threadIdx.x] > 0)) *y = 1;
  *y += !__all_sync(m, x[0]);
}

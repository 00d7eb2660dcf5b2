// expect: vote-width vote-width vote-width
constexpr unsigned kAll = 0xffffffff;
__global__ void k(const int* x, int* y, unsigned m) {
  while (((unsigned)(__ballot(x[threadIdx.x] < *y) >> (__lane_id() & 32)) != 0)) ++*y;
  if (((unsigned)(__ballot(!(x[threadIdx.x] > 0)) >> (__lane_id() & 32)) == 0)) *y = 1;
  *y += !(((unsigned)(__ballot(!(x[0])) >> (__lane_id() & 32)) & (m)) == 0);
}

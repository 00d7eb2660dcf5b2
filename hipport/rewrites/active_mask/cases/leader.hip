// expect: active-mask shuffle-width
__global__ void k(int* n, int* x) {
  unsigned active = (unsigned)(__ballot(1) >> (__lane_id() & 32));
  int leader = __ffs(active) - 1, at = 0;
  if ((threadIdx.x & 31) == leader) at = atomicAdd(n, __popc(active));
  x[threadIdx.x] = __shfl(at, leader, 32);
}

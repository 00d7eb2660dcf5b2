// expect: active-mask shuffle-width
__global__ void k(int* n, int* x) {
  unsigned active = __activemask();
  int leader = __ffs(active) - 1, at = 0;
  if ((threadIdx.x & 31) == leader) at = atomicAdd(n, __popc(active));
  x[threadIdx.x] = __shfl_sync(__activemask(), at, leader);
}

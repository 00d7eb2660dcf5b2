// expect: reduce-sync reduce-sync
__global__ void k(unsigned* x) { x[0] = __reduce_add_sync(0xffffffff, x[threadIdx.x]) | __reduce_or_sync(0xff, x[1]); }

// expect: reduce-sync reduce-sync
__global__ void k(unsigned* x) { x[0] = hipport::reduce_add(0xffffffff, x[threadIdx.x]) | hipport::reduce_or(0xff, x[1]); }

// expect: ballot-width
// wave32: unchanged
__global__ void k(int* x) { x[threadIdx.x] = __popc((unsigned)(__ballot(x[threadIdx.x]) >> (__lane_id() & 32))); }

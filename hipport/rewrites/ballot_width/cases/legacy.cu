// expect: ballot-width
// wave32: unchanged
__global__ void k(int* x) { x[threadIdx.x] = __popc(__ballot(x[threadIdx.x])); }

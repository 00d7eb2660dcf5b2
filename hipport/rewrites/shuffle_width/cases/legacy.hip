// expect: shuffle-width
// wave32: unchanged
__global__ void k(int* x) { x[threadIdx.x] = __shfl(x[1], 0, 32) + __shfl_xor(x[2], 4) + __shfl_down(x[3], 2, 16); }

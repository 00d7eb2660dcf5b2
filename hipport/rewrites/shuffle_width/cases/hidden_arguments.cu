// expect: shuffle-width
#define ARGS 0xffffffff, v
__global__ void k(int* x) { int v = x[0]; x[1] = __shfl_sync(ARGS, 0); }

#include <hip/hip_runtime.h>
__global__ void k(int* x) { x[threadIdx.x] = __shfl(x[1], 0); }

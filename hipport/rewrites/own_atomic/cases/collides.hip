// expect: own-atomic
// atomicAdd(double*, double): HIP has it
__global__ void k(double* x) { atomicAdd(x + threadIdx.x, 1.0); }

// expect: own-atomic
// atomicAdd(double*, double): HIP has it
__global__ void k(double* x) { atomicAdd(x, 1.0); }

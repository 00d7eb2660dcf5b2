// offers: cas-atomic cas-atomic
__device__ double add(double* address, double val) { return ::atomicAdd(address, val); }
__device__ void add(float* address, float val) { ::atomicAdd(address, val); }
__global__ void k(double* x, float* y) { add(x, 1.0); add(y, 1.0f); }

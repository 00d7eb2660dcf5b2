// expect: own-atomic own-atomic
// offers:
#if __CUDA_ARCH__ < 600
// atomicAdd(double*, double): HIP has it
#endif

// atomicMax(float*, float): HIP has it

__global__ void k(double* x, float* y) {
  atomicAdd(x + threadIdx.x, 1.0);
  atomicMax(y + threadIdx.x, 1.0f);
}

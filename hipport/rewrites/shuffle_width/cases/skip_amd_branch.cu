#ifdef USE_ROCM
__device__ int first(int v) { return __shfl(v, 0); }
#else
__device__ int first(int v) { return __shfl_sync(0xffffffff, v, 0); }
#endif
#if 0
__device__ int old(int v) { return __shfl(v, 0); }
#endif

// expect: host-math host-math host-math
float scale(int n) { return rsqrtf(n) * 2; }
__host__ __device__ double both(double x) { return rsqrt(x) + rcbrt(x); }
__device__ float one(float x) { return rsqrtf(x); }
__global__ void k(float* x) { x[threadIdx.x] = rsqrtf(x[0]) + one(x[1]); }

// expect: wide-float wide-float wide-float wide-float
__global__ void square(__float128* p) { p[threadIdx.x] *= p[threadIdx.x]; }
__device__ double root(double x) { return (double)__nv_fp128_sqrt((_Float128)x); }
__global__ void scale(double* p, long double by) { p[threadIdx.x] *= by; }
__global__ void all(const long double* p, double* out) { out[threadIdx.x] = p[threadIdx.x]; }

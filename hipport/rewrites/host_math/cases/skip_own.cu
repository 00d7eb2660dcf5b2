static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
float scale(float n) { return rsqrtf(n); }
#define NORM(x) rsqrt(x)
struct v { double rcbrt(double); };
double member(v a) { return a.rcbrt(2); }
__global__ void k(double* x) { x[threadIdx.x] = NORM(x[0]); }

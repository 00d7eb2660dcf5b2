struct vec { float x, y; };
__device__ vec operator*(vec a, vec b) { return vec{a.x * b.x, a.y * b.y}; }
__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 operator*(float2 a, float b) { return make_float2(a.x * b, a.y * b); }
__device__ float3 operator*(float a, float3 b) { return make_float3(a * b.x, a * b.y, a * b.z); }
__device__ float4 operator*(float4 a, float2 b) { return make_float4(a.x * b.x, a.y * b.y, a.z, a.w); }
__device__ void operator*=(float4& a, float b) { a.x *= b; a.y *= b; a.z *= b; a.w *= b; }
template <class T> __device__ T operator/(T a, T b);
#ifdef __HIP_PLATFORM_AMD__
#else
#if 0
__device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }
#endif
#endif
__global__ void k(float2* x) { x[threadIdx.x] = x[threadIdx.x] * 2.f; }

// expect: vector-operator vector-operator vector-operator
inline __host__ __device__ float2 operator*(float2 a, float2 b)
{
    return make_float2(a.x * b.x, a.y * b.y);
}
inline __host__ __device__ void operator+=(float4 &a, float4 b)
{
    a.x += b.x; // each
    a.y += b.y;
    a.z += b.z;
    a.w += b.w;
}
__device__ int3& operator/=(int3& a, const int3& b) { a = a / b; return a; }
inline __host__ __device__ float2 operator*(float2 a, float b)
{
    return make_float2(a.x * b, a.y * b);
}
__global__ void k(float2* x, float4* y) {
  x[threadIdx.x] = x[threadIdx.x] * x[0];
  y[threadIdx.x] += y[0];
}

// expect: vector-operator vector-operator vector-operator
// operator*(float2, float2): HIP has it
// operator+=(float4, float4): HIP has it
// operator/=(int3, int3): HIP has it
inline __host__ __device__ float2 operator*(float2 a, float b)
{
    return make_float2(a.x * b, a.y * b);
}
__global__ void k(float2* x, float4* y) {
  x[threadIdx.x] = x[threadIdx.x] * x[0];
  y[threadIdx.x] += y[0];
}

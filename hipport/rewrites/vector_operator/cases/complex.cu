// expect: vector-operator vector-operator
__host__ __device__ inline float2 operator*(const float2 a, const float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ double2 operator/(double2 a, double2 b);
__global__ void k(float2* x) { x[threadIdx.x] = x[threadIdx.x] * x[0]; }

// No arrays of their own, arrays that end at 16 bytes, alignment that is asked for, types that suit, and no other type.
__global__ void alone(float4* x) {
  extern __shared__ float a[];
  float4* rows = (float4*)a;
  rows[threadIdx.x] = x[0];
  x[1] = rows[0];
}
__global__ void whole(float4* x) {
  extern __shared__ char b[];
  __shared__ float tile[64][4];
  tile[threadIdx.x][0] = x[0].x;
  reinterpret_cast<float4*>(b)[threadIdx.x] = x[tile[0][0] > 0];
}
__global__ void asked(double* x) {
  extern __shared__ __align__(8) unsigned char c[];
  __shared__ int flag;
  flag = 1;
  ((double*)c)[threadIdx.x] = x[flag];
}
__global__ void suits(double* x) {
  extern __shared__ double2 d[];
  __shared__ int flag;
  flag = 1;
  ((double*)d)[threadIdx.x] = x[flag];
}
__global__ void narrower(float* x) {
  extern __shared__ float e[];
  __shared__ bool flag;
  flag = true;
  unsigned char* bytes = (unsigned char*)e;
  int* numbers = (int*)&e[32];
  bytes[threadIdx.x] = flag;
  numbers[threadIdx.x] = 1;
  e[64 + threadIdx.x] = x[0];
}
__global__ void other(double* x) {
  extern __shared__ float f[];
  __shared__ int flag;
  flag = 1;
  f[threadIdx.x] = (float)*(double*)x + flag;
}
template <class V, int N> __global__ void unknown(float* x) {
  extern __shared__ char g[];
  __shared__ V held[N];
  float* numbers = reinterpret_cast<float*>(g);
  numbers[threadIdx.x] = x[0];
  held[threadIdx.x] = V();
}

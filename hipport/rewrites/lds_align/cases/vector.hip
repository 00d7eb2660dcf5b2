// expect: lds-align lds-align
// Vectors out of bytes, behind a flag of a helper; the same name in two kernels is one variable.
__device__ int tally(bool mine) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (mine) atomicAdd(&count, 1);
  __syncthreads();
  return count;
}
__global__ void staged(const float4* in, float4* out, int n) {
  extern __shared__ __align__(16) unsigned char bytes[];
  float4* rows = reinterpret_cast<float4*>(bytes);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  rows[threadIdx.x] = i < n ? in[i] : float4{0, 0, 0, 0};
  int many = tally(i < n);
  float4 other = rows[blockDim.x - 1 - threadIdx.x];
  other.x += many;
  if (i < n) out[i] = other;
}
__global__ void plain(float* out) {
  extern __shared__ __align__(16) unsigned char bytes[];
  bytes[threadIdx.x] = 1;
  out[threadIdx.x] = bytes[threadIdx.x];
}

// expect: barrier-divergence barrier-divergence barrier-divergence
__global__ void rounds(const float* in, const int* skip, float* out, int* votes, int n, int turns) {
  extern __shared__ float s[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int tid = threadIdx.x, last = min(n - (int)(blockIdx.x * blockDim.x), (int)blockDim.x) - 1;
  bool hipport_active = !(i >= n);
  const float mine = hipport_active ? static_cast<float>(in[i]) : float();
  const float* from = in + i;
  float sum = 0;
  if (hipport_active && (skip[i])) hipport_active = false;
  if (hipport_active) s[tid] = mine;
  __syncthreads();
#pragma unroll 1
  for (int t = 0; t < turns; ++t) {
    const int next = tid < last ? tid + 1 : 0;
    const float seen = hipport_active ? static_cast<float>(skip[i - tid + next] ? 0.0f : s[next]) : float();
    __syncthreads();
if (hipport_active) {
#pragma unroll
    for (int k = 0; k < 2; ++k) sum += seen * from[0];
}
    if (hipport_active) s[tid] = seen + t;
    __syncthreads();
  }
  const int many = __syncthreads_count(hipport_active && (mine > 3)), all = __syncthreads_and(!hipport_active || (mine < 9));
  if (!hipport_active) return;
  out[i] = sum + many;
  if (tid == 0) votes[blockIdx.x] = all;
}
__global__ void tail(const float* x, float* y, int n) {
  __shared__ float s[1024];
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  {
  const bool hipport_active = (i < n);
    float v = hipport_active ? static_cast<float>(x[i]) : float();
    if (hipport_active) s[threadIdx.x] = v;
    __syncthreads();
  if (hipport_active) {
    v += s[0];
    y[i] = v;
  }
  }
}
__global__ void turns(const float* x, float* y, int n) {
  __shared__ float s[1024];
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i - static_cast<decltype(i)>(threadIdx.x) < n; i += gridDim.x * blockDim.x) {
  const bool hipport_active = i < n;
    if (hipport_active) s[threadIdx.x] = x[i];
    __syncthreads();
    const float first = hipport_active ? static_cast<float>(s[0]) : float();
    __syncthreads();
  if (hipport_active) {
    y[i] = x[i] - first;
  }
  }
}

// expect: barrier-divergence barrier-divergence barrier-divergence
__global__ void rounds(const float* in, const int* skip, float* out, int* votes, int n, int turns) {
  extern __shared__ float s[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int tid = threadIdx.x, last = min(n - (int)(blockIdx.x * blockDim.x), (int)blockDim.x) - 1;
  if (i >= n) return;
  const float mine = in[i];
  const float* from = in + i;
  float sum = 0;
  if (skip[i]) return;
  s[tid] = mine;
  __syncthreads();
#pragma unroll 1
  for (int t = 0; t < turns; ++t) {
    const int next = tid < last ? tid + 1 : 0;
    const float seen = skip[i - tid + next] ? 0.0f : s[next];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 2; ++k) sum += seen * from[0];
    s[tid] = seen + t;
    __syncthreads();
  }
  const int many = __syncthreads_count(mine > 3), all = __syncthreads_and(mine < 9);
  out[i] = sum + many;
  if (tid == 0) votes[blockIdx.x] = all;
}
__global__ void tail(const float* x, float* y, int n) {
  __shared__ float s[1024];
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) {
    float v = x[i];
    s[threadIdx.x] = v;
    __syncthreads();
    v += s[0];
    y[i] = v;
  }
}
__global__ void turns(const float* x, float* y, int n) {
  __shared__ float s[1024];
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    const float first = s[0];
    __syncthreads();
    y[i] = x[i] - first;
  }
}

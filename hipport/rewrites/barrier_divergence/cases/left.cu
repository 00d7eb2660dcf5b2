// expect: half-wave-wait barrier-divergence barrier-divergence barrier-divergence barrier-divergence barrier-divergence barrier-divergence barrier-divergence barrier-divergence barrier-divergence
// Where it is not known what the other threads may do, the return stays and a person is told.
#define LEAVE(c) if (c) return
__global__ void pair(float* x, int n) {
  if (threadIdx.x < 32) {
    x[threadIdx.x] = 1;
    __syncthreads();
    return;
  }
  x[threadIdx.x] = 2;
  __syncthreads();
  x[n] = x[0];
}
__global__ void either(float* x, int n) {
  if (threadIdx.x < n) {
    __syncthreads();
  } else {
    x[0] = 1;
    __syncthreads();
  }
}
__global__ void hidden(float* x, int n) {
  LEAVE(threadIdx.x >= n);
  x[threadIdx.x] = 1;
  __syncthreads();
}
__device__ int vote(int v) { return __syncthreads_or(v); }
__device__ void reset(float* s) {
  s[threadIdx.x] = 0;
  __syncthreads();
}
__global__ void roles(float* x) {
  switch (threadIdx.x % 3) {
    case 0: x[0] = 1; __syncthreads(); break;
    default: x[1] = 2;
  }
}
__global__ void asked(int* x, int n) {
  int v = threadIdx.x < n ? vote(x[threadIdx.x]) : 0;
  x[threadIdx.x] = v;
}
__global__ void both(int* x, int n) {
  if (threadIdx.x < n && vote(x[threadIdx.x])) x[threadIdx.x] = 1;
}
__global__ void jump(int* x, int n) {
  if (threadIdx.x >= n) goto done;
  x[threadIdx.x] = 1;
  __syncthreads();
  x[threadIdx.x] += x[0];
done:
  return;
}
__global__ void middle(int* x, int n) {
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 3; ++i) {
        if (x[threadIdx.x] == i) return;
      }
    }
    __syncthreads();
  }
}
__global__ void stores(float* x, int n) {
  __shared__ float s[256];
  if (threadIdx.x >= n) return;
  reset(s);
  x[threadIdx.x] = s[0];
}

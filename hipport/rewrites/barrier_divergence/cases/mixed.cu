// expect: barrier-divergence
__global__ void mixed(const int* x, int* y, int n, int few, int many) {
  __shared__ int s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int v;
  if (i < n) {
    s[t] = x[i];
    __syncthreads();
    v = s[0];
  } else {
    v = -1;
  }
  if (t < few) {
    const int large = __syncthreads_count(v > 2);
    v += large;
  }
  int j = t, k = 0;
  while (j < many) {
    if (x[j] == 7) return;
    k += __syncthreads_count(true);
    j += blockDim.x;
  }
  do {
    k += 1;
    __syncthreads();
  } while (k < v % 4);
  if (i < n) y[i] = v + k;
}

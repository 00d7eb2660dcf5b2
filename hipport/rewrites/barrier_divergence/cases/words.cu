// expect: barrier-divergence
__global__ void several_words(const int* x, long long* y, int n) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  unsigned odd = x[i] & 1;
  const long long wide = x[i];
  unsigned long long product = x[i] * 3ull;
  short narrow = x[i];
  s[t] = x[i];
  __syncthreads();
  y[i] = s[0] + wide + (long long)product + odd + narrow;
}

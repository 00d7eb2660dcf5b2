// expect: barrier-divergence
__global__ void several_words(const int* x, long long* y, int n) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  bool hipport_active = !(i >= n);
  unsigned odd = hipport_active ? static_cast<unsigned int>(x[i] & 1) : static_cast<unsigned int>(0);
  const long long wide = hipport_active ? static_cast<long long>(x[i]) : static_cast<long long>(0);
  unsigned long long product = hipport_active ? static_cast<unsigned long long>(x[i] * 3ull) : static_cast<unsigned long long>(0);
  short narrow = hipport_active ? static_cast<short>(x[i]) : short();
  if (hipport_active) s[t] = x[i];
  __syncthreads();
  if (!hipport_active) return;
  y[i] = s[0] + wide + (long long)product + odd + narrow;
}

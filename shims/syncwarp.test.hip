extern "C" __global__ void syncwarp(const int* x, int* out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp();
  out[t] = s[t ^ 1];
}

__global__ void k(float* x) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] += s[t + 16]; __syncwarp();
  s[t] += s[t + 8]; __syncthreads();
  s[t] += s[t + 4]; __syncwarp();
  s[t] += s[t + 2];
  s[t] += s[t + 1];
  x[t] += x[t + 1];
  x[t] += x[t + 2];
  x[t] += x[t + 3];
}

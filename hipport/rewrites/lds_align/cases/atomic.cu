// expect: lds-align
// An atomic on 64 bits in LDS that starts behind four bytes.
__global__ void totals(const double* in, double* out, int n, int bins) {
  extern __shared__ float scratch[];
  __shared__ int seen;
  double* sums = (double*)scratch;
  if (threadIdx.x == 0) seen = 0;
  for (int i = threadIdx.x; i < bins; i += blockDim.x) sums[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&sums[i % bins], in[i]);
    if (in[i] > 0) seen = 1;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) out[i] = seen ? sums[i] : 0;
}

// expect: lds-budget lds-budget lds-budget
constexpr int kTile = 96 * 1024 / sizeof(float);
__global__ void reverse(const float* in, float* out) {
  extern __shared__ float tile[];
  for (int i = threadIdx.x; i < kTile; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < kTile; i += blockDim.x) out[i] = tile[kTile - 1 - i];
}
int run(const float* in, float* out) {
  if (cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, hipport::lds_fit(reverse, kTile * sizeof(float)))) return 1;
  size_t bytes = kTile * sizeof(float);
  reverse<<<4, 256, bytes>>>(in, out);
  reverse<<<4, 256, kTile * sizeof(float)>>>(in, out);
  return 0;
}

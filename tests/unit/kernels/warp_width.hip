// Kernels that a name-for-name port from CUDA gets right or wrong on a 64-lane wave, each beside its wave-aware form.
#include <hip/hip_runtime.h>

// Sums a block: a tree in each warp, then a tree over the warps' sums. `Half` is half of the width that the trees assume;
// lane and warp numbers come from the hardware's own width.
template <int Half>
__device__ float tree(float v) {
  for (int step = Half; step > 0; step >>= 1) v += __shfl_down(v, step);
  return v;
}

template <int Half>
__device__ void sum_block(const float* in, float* out, int n) {
  __shared__ float partial[64];
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += in[i];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize, warps = blockDim.x / warpSize;
  v = tree<Half>(v);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  if (warp != 0) return;
  v = tree<Half>(lane < warps ? partial[lane] : 0.0f);
  if (lane == 0) out[blockIdx.x] = v;
}

// The tree starts at 16, as if a warp had 32 lanes: lanes 32 to 63 are never added.
extern "C" __global__ void sum_hard_coded_tree(const float* in, float* out, int n) { sum_block<16>(in, out, n); }
extern "C" __global__ void sum_wave_tree(const float* in, float* out, int n) { sum_block<32>(in, out, n); }

// Everything assumes 32 lanes: a logical half-wave, right on both widths.
extern "C" __global__ void sum_half_waves(const float* in, float* out, int n) {
  __shared__ float partial[32];
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += in[i];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  v = tree<16>(v);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  if (warp != 0) return;
  v = tree<16>(lane < warps ? partial[lane] : 0.0f);
  if (lane == 0) out[blockIdx.x] = v;
}

__device__ void rank_positive(unsigned votes, int* rank, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  rank[i] = __popc(votes & ((1u << lane) - 1u));
  if (lane == 0) count[i >> 5] = __popc(votes);
}

// A ballot kept in 32 bits: the upper half of the wave reads the lower half's votes.
extern "C" __global__ void rank_32_bit_ballot(const int* in, int* rank, int* count) {
  rank_positive(static_cast<unsigned>(__ballot(in[blockIdx.x * blockDim.x + threadIdx.x] > 0)), rank, count);
}
// Each half of the wave takes its own 32 bits.
extern "C" __global__ void rank_half_ballot(const int* in, int* rank, int* count) {
  const unsigned long long votes = __ballot(in[blockIdx.x * blockDim.x + threadIdx.x] > 0);
  rank_positive(static_cast<unsigned>(votes >> (__lane_id() & 32)), rank, count);
}

extern "C" __global__ void count_keys(const unsigned* keys, unsigned* bins, int n, int bin_count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&bins[keys[i] % bin_count], 1u);
}

// Needs n floats of dynamic LDS: 96 KiB for the test, which one target has and the other has not.
extern __shared__ float staged[];
extern "C" __global__ void reverse_in_lds(const float* in, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) staged[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = staged[n - 1 - i];
}

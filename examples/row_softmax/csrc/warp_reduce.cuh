#pragma once
#include <cuda_runtime.h>

constexpr int kWarpSize = 32;
constexpr unsigned kFullMask = 0xffffffffu;

struct MaxOp {
  static constexpr float kIdentity = -INFINITY;
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct SumOp {
  static constexpr float kIdentity = 0.0f;
  __device__ float operator()(float a, float b) const { return a + b; }
};

// Every lane gets the result over its warp.
template <typename Op>
__device__ __forceinline__ float warp_reduce(float value, Op op) {
#pragma unroll
  for (int offset = kWarpSize / 2; offset > 0; offset >>= 1) {
    value = op(value, __shfl_xor_sync(kFullMask, value, offset));
  }
  return value;
}

// Every thread gets the result over its block; `partial` holds one float a warp.
template <typename Op>
__device__ __forceinline__ float block_reduce(float value, Op op, float* partial) {
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  value = warp_reduce(value, op);
  __syncthreads();  // `partial` may still be read from the reduction before
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  const int warps = blockDim.x / kWarpSize;
  value = lane < warps ? partial[lane] : Op::kIdentity;
  return warp_reduce(value, op);
}

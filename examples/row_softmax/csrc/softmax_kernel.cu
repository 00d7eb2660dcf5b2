#include "softmax.h"
#include "warp_reduce.cuh"

#include <ATen/Dispatch.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

namespace {

constexpr int kWarpsPerBlock = 4;
constexpr int kBlockThreads = 256;
constexpr int kLongRow = 1024;  // from here on a row gets a whole block

// One warp a row: rows shorter than kLongRow.
template <typename scalar_t>
__global__ void __launch_bounds__(kWarpsPerBlock* kWarpSize)
    softmax_forward_warp(const scalar_t* __restrict__ x, scalar_t* __restrict__ y, int rows, int columns) {
  const int row = blockIdx.x * kWarpsPerBlock + threadIdx.y;
  if (row >= rows) return;
  const scalar_t* in = x + static_cast<int64_t>(row) * columns;
  scalar_t* out = y + static_cast<int64_t>(row) * columns;

  float peak = MaxOp::kIdentity;
  for (int c = threadIdx.x; c < columns; c += kWarpSize) peak = fmaxf(peak, static_cast<float>(in[c]));
  peak = warp_reduce(peak, MaxOp());

  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kWarpSize) sum += __expf(static_cast<float>(in[c]) - peak);
  const float scale = 1.0f / warp_reduce(sum, SumOp());

  for (int c = threadIdx.x; c < columns; c += kWarpSize) {
    out[c] = static_cast<scalar_t>(__expf(static_cast<float>(in[c]) - peak) * scale);
  }
}

// One block a row.
template <typename scalar_t>
__global__ void __launch_bounds__(kBlockThreads)
    softmax_forward_block(const scalar_t* __restrict__ x, scalar_t* __restrict__ y, int columns) {
  __shared__ float partial[kBlockThreads / kWarpSize];
  const scalar_t* in = x + static_cast<int64_t>(blockIdx.x) * columns;
  scalar_t* out = y + static_cast<int64_t>(blockIdx.x) * columns;

  float peak = MaxOp::kIdentity;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) peak = fmaxf(peak, static_cast<float>(in[c]));
  peak = block_reduce(peak, MaxOp(), partial);

  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += __expf(static_cast<float>(in[c]) - peak);
  const float scale = 1.0f / block_reduce(sum, SumOp(), partial);

  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    out[c] = static_cast<scalar_t>(__expf(static_cast<float>(in[c]) - peak) * scale);
  }
}

// dx = y * (g - sum(g * y)), one block a row.
template <typename scalar_t>
__global__ void __launch_bounds__(kBlockThreads)
    softmax_backward_block(const scalar_t* __restrict__ grad, const scalar_t* __restrict__ y,
                           scalar_t* __restrict__ dx, int columns) {
  __shared__ float partial[kBlockThreads / kWarpSize];
  const int64_t offset = static_cast<int64_t>(blockIdx.x) * columns;

  float dot = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    dot += static_cast<float>(grad[offset + c]) * static_cast<float>(y[offset + c]);
  }
  dot = block_reduce(dot, SumOp(), partial);

  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float g = static_cast<float>(grad[offset + c]);
    dx[offset + c] = static_cast<scalar_t>(static_cast<float>(y[offset + c]) * (g - dot));
  }
}

}  // namespace

torch::Tensor row_softmax_forward(const torch::Tensor& x) {
  auto y = torch::empty_like(x);
  const int rows = static_cast<int>(x.size(0));
  const int columns = static_cast<int>(x.size(1));
  if (rows == 0 || columns == 0) return y;
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "row_softmax_forward", [&] {
    if (columns < kLongRow) {
      const dim3 block(kWarpSize, kWarpsPerBlock);
      const int grid = (rows + kWarpsPerBlock - 1) / kWarpsPerBlock;
      softmax_forward_warp<scalar_t>
          <<<grid, block, 0, stream>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), rows, columns);
    } else {
      softmax_forward_block<scalar_t>
          <<<rows, kBlockThreads, 0, stream>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), columns);
    }
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return y;
}

torch::Tensor row_softmax_backward(const torch::Tensor& grad, const torch::Tensor& y) {
  auto dx = torch::empty_like(y);
  const int rows = static_cast<int>(y.size(0));
  const int columns = static_cast<int>(y.size(1));
  if (rows == 0 || columns == 0) return dx;
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(y.scalar_type(), "row_softmax_backward", [&] {
    softmax_backward_block<scalar_t><<<rows, kBlockThreads, 0, stream>>>(
        grad.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), dx.data_ptr<scalar_t>(), columns);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
  return dx;
}

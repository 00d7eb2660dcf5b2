#include "softmax.h"

#include <c10/cuda/CUDAGuard.h>

namespace {

void check(const torch::Tensor& t, const char* name) {
  TORCH_CHECK(t.is_cuda(), name, " must be a CUDA tensor");
  TORCH_CHECK(t.is_contiguous(), name, " must be contiguous");
  TORCH_CHECK(t.dim() == 2, name, " must be a matrix");
}

torch::Tensor forward(const torch::Tensor& x) {
  check(x, "x");
  const c10::cuda::CUDAGuard guard(x.device());
  return row_softmax_forward(x);
}

torch::Tensor backward(const torch::Tensor& grad, const torch::Tensor& y) {
  check(grad, "grad");
  check(y, "y");
  TORCH_CHECK(grad.sizes() == y.sizes(), "grad and y must have the same shape");
  TORCH_CHECK(grad.scalar_type() == y.scalar_type(), "grad and y must have the same type");
  const c10::cuda::CUDAGuard guard(y.device());
  return row_softmax_backward(grad, y);
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "row softmax, forward");
  m.def("backward", &backward, "row softmax, backward");
}

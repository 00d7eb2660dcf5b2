#pragma once
#include <torch/extension.h>

// x, y, grad: [rows, columns], contiguous, float or half, on one device.
torch::Tensor row_softmax_forward(const torch::Tensor& x);
torch::Tensor row_softmax_backward(const torch::Tensor& grad, const torch::Tensor& y);

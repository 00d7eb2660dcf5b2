"""Row softmax with a hand-written backward."""

import torch

from . import _C


class _RowSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = _C.forward(x.contiguous())
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return _C.backward(grad.contiguous(), y)


def row_softmax(x):
    """Softmax over the last dimension of a CUDA matrix."""
    return _RowSoftmax.apply(x)

import torch
from row_softmax import row_softmax

torch.manual_seed(0)
for dtype, tolerance in ((torch.float32, 1e-5), (torch.float16, 2e-3)):
    for rows, columns in ((1, 1), (7, 31), (64, 33), (129, 1024), (16, 5000)):
        x = torch.randn(rows, columns, device="cuda", dtype=dtype, requires_grad=True)
        reference = x.detach().double().requires_grad_()
        grad = torch.randn(rows, columns, device="cuda", dtype=dtype)
        y = row_softmax(x)
        y.backward(grad)
        wanted = torch.softmax(reference, dim=-1)
        wanted.backward(grad.double())
        torch.testing.assert_close(y.double(), wanted, atol=tolerance, rtol=tolerance)
        torch.testing.assert_close(x.grad.double(), reference.grad, atol=tolerance, rtol=tolerance)
print("ok")

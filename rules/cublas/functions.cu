// review: CUBLAS_OP_T CUBLAS_COMPUTE_32F_FAST_TF32
#include <cublas_v2.h>
#include <cuda_fp16.h>

cublasStatus_t products(cublasHandle_t handle, int n, const float* a, const float* b, float* c) {
  const float one = 1.f, zero = 0.f;
  cublasOperation_t op = CUBLAS_OP_T;
  cublasSgemm(handle, CUBLAS_OP_N, op, n, n, n, &one, a, n, b, n, &zero, c, n);
  cublasSgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_32F, n, b, CUDA_R_32F, n, &zero, c,
               CUDA_R_32F, n, CUDA_R_32F, CUBLAS_GEMM_DEFAULT);
  return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_32F, n, b, CUDA_R_32F, n, &zero, c,
                      CUDA_R_32F, n, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t halves(cublasHandle_t handle, int n, const __half* alpha, const __half* a, const __half* beta, __half* c) {
  return cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, alpha, a, n, a, n, beta, c, n);
}

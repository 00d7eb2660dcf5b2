// review: CUBLAS_OP_T CUBLAS_COMPUTE_32F_FAST_TF32
#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>
#include <hip/hip_fp16.h>

hipblasStatus_t products(hipblasHandle_t handle, int n, const float* a, const float* b, float* c) {
  const float one = 1.f, zero = 0.f;
  hipblasOperation_t op = HIPBLAS_OP_T;
  hipblasSgemm(handle, HIPBLAS_OP_N, op, n, n, n, &one, a, n, b, n, &zero, c, n);
  hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  hipblasGemmEx(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, n, n, n, &one, a, HIP_R_32F, n, b, HIP_R_32F, n, &zero, c,
               HIP_R_32F, n, HIPBLAS_COMPUTE_32F, HIPBLAS_GEMM_DEFAULT);
  return hipblasGemmEx(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, n, n, n, &one, a, HIP_R_32F, n, b, HIP_R_32F, n, &zero, c,
                      HIP_R_32F, n, HIPBLAS_COMPUTE_32F_FAST_TF32, HIPBLAS_GEMM_DEFAULT);
}

hipblasStatus_t halves(hipblasHandle_t handle, int n, const __half* alpha, const __half* a, const __half* beta, __half* c) {
  return hipblasHgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, n, n, n, reinterpret_cast<const hipblasHalf*>(alpha), reinterpret_cast<const hipblasHalf*>(a), n, reinterpret_cast<const hipblasHalf*>(a), n, reinterpret_cast<const hipblasHalf*>(beta), reinterpret_cast<hipblasHalf*>(c), n);
}

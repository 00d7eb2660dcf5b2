#include <cusparse.h>

cusparseStatus_t multiply(cusparseHandle_t handle, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x,
                          cusparseDnVecDescr_t y, void* buffer) {
  const float one = 1.f, zero = 0.f;
  size_t bytes = 0;
  cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &zero, y, CUDA_R_32F,
                          CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  return cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &zero, y, CUDA_R_32F,
                      CUSPARSE_SPMV_ALG_DEFAULT, buffer);
}

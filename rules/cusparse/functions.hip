#include <hip/hip_runtime.h>
#include <hipsparse/hipsparse.h>

hipsparseStatus_t multiply(hipsparseHandle_t handle, hipsparseSpMatDescr_t a, hipsparseDnVecDescr_t x,
                          hipsparseDnVecDescr_t y, void* buffer) {
  const float one = 1.f, zero = 0.f;
  size_t bytes = 0;
  hipsparseSpMV_bufferSize(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &zero, y, HIP_R_32F,
                          HIPSPARSE_SPMV_ALG_DEFAULT, &bytes);
  return hipsparseSpMV(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &zero, y, HIP_R_32F,
                      HIPSPARSE_SPMV_ALG_DEFAULT, buffer);
}

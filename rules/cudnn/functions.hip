// review: cudnn.h cudnnHandle_t cudnnTensorDescriptor_t CUDNN_DATA_FLOAT cudnnCreate
// left: cudnnConvolutionForward
#include <hip/hip_runtime.h>
#include <miopen/miopen.h>

void make(miopenHandle_t* handle, miopenTensorDescriptor_t* shape) {
  int type = miopenFloat;
  miopenCreate(handle);
  cudnnConvolutionForward(*handle, shape, type);
}

// review: cudnn.h cudnnHandle_t cudnnTensorDescriptor_t CUDNN_DATA_FLOAT cudnnCreate
// left: cudnnConvolutionForward
#include <cudnn.h>

void make(cudnnHandle_t* handle, cudnnTensorDescriptor_t* shape) {
  int type = CUDNN_DATA_FLOAT;
  cudnnCreate(handle);
  cudnnConvolutionForward(*handle, shape, type);
}

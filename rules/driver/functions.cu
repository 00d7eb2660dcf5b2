// review: CUdeviceptr CUdeviceptr cuModuleLoad
#include <cuda.h>

CUresult launch(const char* path, CUstream stream, CUdeviceptr* data, size_t bytes) {
  CUmodule module;
  CUfunction function;
  CUdeviceptr fresh;
  cuModuleLoad(&module, path);
  cuModuleGetFunction(&function, module, "twice");
  cuMemAlloc(&fresh, bytes);
  void* arguments[] = {data};
  cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr);
  cuMemFree(fresh);
  return cuStreamSynchronize(stream);
}

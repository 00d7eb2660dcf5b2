// review: CUdeviceptr CUdeviceptr cuModuleLoad
#include <hip/hip_runtime.h>

hipError_t launch(const char* path, hipStream_t stream, hipDeviceptr_t* data, size_t bytes) {
  hipModule_t module;
  hipFunction_t function;
  hipDeviceptr_t fresh;
  hipModuleLoad(&module, path);
  hipModuleGetFunction(&function, module, "twice");
  hipMalloc(&fresh, bytes);
  void* arguments[] = {data};
  hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr);
  hipFree(fresh);
  return hipStreamSynchronize(stream);
}

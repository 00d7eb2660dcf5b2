// review: nvrtcCompileProgram nvrtcGetPTXSize nvrtcGetPTX
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

hiprtcResult compile(const char* text, const char* const* options, int count, char* out) {
  hiprtcProgram program;
  size_t size = 0;
  hiprtcCreateProgram(&program, text, "kernel.cu", 0, nullptr, nullptr);
  hiprtcCompileProgram(program, count, options);
  hiprtcGetCodeSize(program, &size);
  hiprtcGetCode(program, out);
  return hiprtcDestroyProgram(&program);
}

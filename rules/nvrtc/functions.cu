// review: nvrtcCompileProgram nvrtcGetPTXSize nvrtcGetPTX
#include <nvrtc.h>

nvrtcResult compile(const char* text, const char* const* options, int count, char* out) {
  nvrtcProgram program;
  size_t size = 0;
  nvrtcCreateProgram(&program, text, "kernel.cu", 0, nullptr, nullptr);
  nvrtcCompileProgram(program, count, options);
  nvrtcGetPTXSize(program, &size);
  nvrtcGetPTX(program, out);
  return nvrtcDestroyProgram(&program);
}

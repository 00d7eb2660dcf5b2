// Error state, error names and texts, and how the process ends.
#include "runtime.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hipport {
namespace {
thread_local hipError_t last_error = hipSuccess;

struct ErrorText {
  hipError_t code;
  const char* name;
  const char* text;
};

#define HIPPORT_ERROR(name, text) {name, #name, text}
const ErrorText kErrors[] = {
    HIPPORT_ERROR(hipSuccess, "no error"),
    HIPPORT_ERROR(hipErrorInvalidValue, "invalid argument"),
    HIPPORT_ERROR(hipErrorOutOfMemory, "out of memory"),
    HIPPORT_ERROR(hipErrorNotInitialized, "initialization error"),
    HIPPORT_ERROR(hipErrorDeinitialized, "driver shutting down"),
    HIPPORT_ERROR(hipErrorInvalidConfiguration, "invalid configuration argument"),
    HIPPORT_ERROR(hipErrorInvalidPitchValue, "invalid pitch argument"),
    HIPPORT_ERROR(hipErrorInvalidSymbol, "invalid device symbol"),
    HIPPORT_ERROR(hipErrorInvalidDevicePointer, "invalid device pointer"),
    HIPPORT_ERROR(hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    HIPPORT_ERROR(hipErrorInsufficientDriver, "driver version is insufficient for runtime version"),
    HIPPORT_ERROR(hipErrorMissingConfiguration, "__global__ function call is not configured"),
    HIPPORT_ERROR(hipErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    HIPPORT_ERROR(hipErrorInvalidDeviceFunction, "invalid device function"),
    HIPPORT_ERROR(hipErrorNoDevice, "no ROCm-capable device is detected"),
    HIPPORT_ERROR(hipErrorInvalidDevice, "invalid device ordinal"),
    HIPPORT_ERROR(hipErrorInvalidImage, "device kernel image is invalid"),
    HIPPORT_ERROR(hipErrorInvalidContext, "invalid device context"),
    HIPPORT_ERROR(hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device"),
    HIPPORT_ERROR(hipErrorUnsupportedLimit, "limit is not supported on this architecture"),
    HIPPORT_ERROR(hipErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    HIPPORT_ERROR(hipErrorInvalidKernelFile, "invalid kernel file"),
    HIPPORT_ERROR(hipErrorInvalidSource, "device kernel image is invalid"),
    HIPPORT_ERROR(hipErrorFileNotFound, "file not found"),
    HIPPORT_ERROR(hipErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    HIPPORT_ERROR(hipErrorSharedObjectInitFailed, "shared object initialization failed"),
    HIPPORT_ERROR(hipErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    HIPPORT_ERROR(hipErrorInvalidHandle, "invalid resource handle"),
    HIPPORT_ERROR(hipErrorIllegalState, "the operation cannot be performed in the present state"),
    HIPPORT_ERROR(hipErrorNotFound, "named symbol not found"),
    HIPPORT_ERROR(hipErrorNotReady, "device not ready"),
    HIPPORT_ERROR(hipErrorIllegalAddress, "an illegal memory access was encountered"),
    HIPPORT_ERROR(hipErrorLaunchOutOfResources, "too many resources requested for launch"),
    HIPPORT_ERROR(hipErrorLaunchTimeOut, "the launch timed out and was terminated"),
    HIPPORT_ERROR(hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    HIPPORT_ERROR(hipErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    HIPPORT_ERROR(hipErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    HIPPORT_ERROR(hipErrorContextIsDestroyed, "context is destroyed"),
    HIPPORT_ERROR(hipErrorAssert, "device-side assert triggered"),
    HIPPORT_ERROR(hipErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    HIPPORT_ERROR(hipErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    HIPPORT_ERROR(hipErrorLaunchFailure, "unspecified launch failure"),
    HIPPORT_ERROR(hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    HIPPORT_ERROR(hipErrorNotSupported, "operation not supported"),
    HIPPORT_ERROR(hipErrorUnknown, "unknown error"),
};
#undef HIPPORT_ERROR

const ErrorText* find(hipError_t code) {
  for (const ErrorText& error : kErrors)
    if (error.code == code) return &error;
  return nullptr;
}
}  // namespace

hipError_t answer(hipError_t error) {
  if (error != hipSuccess) last_error = error;
  return error;
}

hipError_t error_named(const char* name) {
  for (const ErrorText& error : kErrors)
    if (std::strcmp(error.name, name) == 0) return error.code;
  return hipErrorUnknown;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const unsigned char c : text) {
    char escaped[8];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20) {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
      out += escaped;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + "\"";
}

void record(const std::string& json) {
  const char* path = std::getenv("HIPPORT_RESULT");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "a")) {
    std::fprintf(file, "%s\n", json.c_str());
    std::fclose(file);
  }
}

void stop(int code, const std::string& text, const std::string& json) {
  std::fflush(nullptr);
  std::fprintf(stderr, "hipport: %s\n", text.c_str());
  std::fflush(stderr);
  write_launches();
  record(json);
  _exit(code);
}

void not_provided(const char* what) {
  stop(5, std::string("not provided: ") + what,
       std::string("{\"event\": \"not_provided\", \"name\": ") + quoted(what) + "}");
}
}  // namespace hipport

using hipport::answer;

extern "C" {
// The linker step's stubs for everything that is not in this library end here.
[[noreturn]] void hipport_not_provided(const char* name) { hipport::not_provided(name); }

hipError_t hipGetLastError(void) {
  const hipError_t error = hipport::last_error;
  hipport::last_error = hipSuccess;
  return error;
}
hipError_t hipExtGetLastError(void) { return hipGetLastError(); }
hipError_t hipPeekAtLastError(void) { return hipport::last_error; }
const char* hipGetErrorName(hipError_t error) {
  const hipport::ErrorText* found = hipport::find(error);
  return found ? found->name : "hipErrorUnknown";
}
const char* hipGetErrorString(hipError_t error) {
  const hipport::ErrorText* found = hipport::find(error);
  return found ? found->text : "unknown error";
}
hipError_t hipDrvGetErrorName(hipError_t error, const char** text) {
  const hipport::ErrorText* found = hipport::find(error);
  if (text == nullptr || found == nullptr) return answer(hipErrorInvalidValue);
  *text = found->name;
  return hipSuccess;
}
hipError_t hipDrvGetErrorString(hipError_t error, const char** text) {
  const hipport::ErrorText* found = hipport::find(error);
  if (text == nullptr || found == nullptr) return answer(hipErrorInvalidValue);
  *text = found->text;
  return hipSuccess;
}
}

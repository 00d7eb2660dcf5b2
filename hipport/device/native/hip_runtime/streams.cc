// Streams and events. A call's work is done when the call returns, so every stream is in order and never busy.
#include "runtime.h"

#include <algorithm>
#include <chrono>

using namespace hipport;

struct ihipStream_t {
  unsigned flags;
  int priority;
};
struct ihipEvent_t {
  unsigned flags;
  bool recorded;
  std::chrono::steady_clock::time_point when;
};

namespace {
constexpr int kLeastPriority = 1, kGreatestPriority = -1;  // the range that AMD's runtime reports

bool own(hipStream_t stream) { return stream != nullptr && stream != hipStreamPerThread && stream != hipStreamLegacy; }

hipError_t create(hipStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || flags > hipStreamNonBlocking) return answer(hipErrorInvalidValue);
  *stream = new ihipStream_t{flags, std::min(std::max(priority, kGreatestPriority), kLeastPriority)};
  return hipSuccess;
}
}  // namespace

extern "C" {
hipError_t hipStreamCreate(hipStream_t* stream) { return create(stream, hipStreamDefault, 0); }
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) { return create(stream, flags, 0); }
hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority) { return create(stream, flags, priority); }
hipError_t hipStreamDestroy(hipStream_t stream) {
  if (!own(stream)) return answer(hipErrorInvalidResourceHandle);
  delete stream;
  return hipSuccess;
}
hipError_t hipStreamSynchronize(hipStream_t) { return hipSuccess; }
hipError_t hipStreamQuery(hipStream_t) { return hipSuccess; }
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t event, unsigned) { return event ? hipSuccess : answer(hipErrorInvalidResourceHandle); }
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned* flags) {
  if (flags == nullptr) return answer(hipErrorInvalidValue);
  *flags = own(stream) ? stream->flags : hipStreamDefault;
  return hipSuccess;
}
hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  if (priority == nullptr) return answer(hipErrorInvalidValue);
  *priority = own(stream) ? stream->priority : 0;
  return hipSuccess;
}
hipError_t hipStreamGetDevice(hipStream_t, hipDevice_t* ordinal) {
  if (ordinal == nullptr) return answer(hipErrorInvalidValue);
  *ordinal = 0;
  return hipSuccess;
}
int hipGetStreamDeviceId(hipStream_t) { return 0; }
hipError_t hipStreamAttachMemAsync(hipStream_t, void*, size_t, unsigned) { return hipSuccess; }
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* data, unsigned) {
  if (callback == nullptr) return answer(hipErrorInvalidValue);
  callback(stream, hipSuccess, data);
  return hipSuccess;
}
hipError_t hipLaunchHostFunc(hipStream_t, hipHostFn_t function, void* data) {
  if (function == nullptr) return answer(hipErrorInvalidValue);
  function(data);
  return hipSuccess;
}
hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = kLeastPriority;
  if (greatest) *greatest = kGreatestPriority;
  return hipSuccess;
}
hipError_t hipDeviceSynchronize(void) { return hipSuccess; }

// No stream is ever being captured: hipStreamBeginCapture is not provided.
hipError_t hipStreamIsCapturing(hipStream_t, hipStreamCaptureStatus* status) {
  if (status == nullptr) return answer(hipErrorInvalidValue);
  *status = hipStreamCaptureStatusNone;
  return hipSuccess;
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  if (event == nullptr) return answer(hipErrorInvalidValue);
  *event = new ihipEvent_t{flags, false, {}};
  return hipSuccess;
}
hipError_t hipEventCreate(hipEvent_t* event) { return hipEventCreateWithFlags(event, hipEventDefault); }
hipError_t hipEventDestroy(hipEvent_t event) {
  if (event == nullptr) return answer(hipErrorInvalidResourceHandle);
  delete event;
  return hipSuccess;
}
hipError_t hipEventRecord(hipEvent_t event, hipStream_t) {
  if (event == nullptr) return answer(hipErrorInvalidResourceHandle);
  event->recorded = true;
  event->when = std::chrono::steady_clock::now();
  return hipSuccess;
}
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned) { return hipEventRecord(event, stream); }
hipError_t hipEventSynchronize(hipEvent_t event) { return event ? hipSuccess : answer(hipErrorInvalidResourceHandle); }
hipError_t hipEventQuery(hipEvent_t event) { return event ? hipSuccess : answer(hipErrorInvalidResourceHandle); }
// Host time between the two calls: it says how long the executor took, nothing about a GPU.
hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t end) {
  if (milliseconds == nullptr) return answer(hipErrorInvalidValue);
  if (start == nullptr || end == nullptr || !start->recorded || !end->recorded) return answer(hipErrorInvalidResourceHandle);
  if ((start->flags | end->flags) & hipEventDisableTiming) return answer(hipErrorInvalidResourceHandle);
  *milliseconds = std::chrono::duration<float, std::milli>(end->when - start->when).count();
  return hipSuccess;
}
}

// Copies into shared memory that other GPUs make in the background are made at once.
#ifndef HIPPORT_WAVE_PIPELINE_H
#define HIPPORT_WAVE_PIPELINE_H
#include "hipport/device.h"
HIPPORT_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0) {
  for (size_t i = 0; i + zeros < bytes; i++) ((char *)to)[i] = ((const char *)from)[i];
  for (size_t i = bytes - zeros; i < bytes; i++) ((char *)to)[i] = 0;
}
HIPPORT_INLINE void __pipeline_commit() {}
HIPPORT_INLINE void __pipeline_wait_prior(size_t) {}
#endif

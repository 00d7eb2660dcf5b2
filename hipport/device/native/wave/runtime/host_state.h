// What the host functions share.
#ifndef HIPPORT_WAVE_HOST_STATE_H
#define HIPPORT_WAVE_HOST_STATE_H

#include "wave.h"

#include <cstdio>
#include <cstdlib>

// the source's own memcpy checks; the runtime's does not
#define HIPPORT_RUNTIME 1
#include "../include/hipport/host.h"

namespace hipport_wave {
size_t device_number(const char *key, size_t otherwise);
std::string device_text(const char *key);
cudaError_t answer(cudaError_t e);
GlobalCell *cells_for(size_t bytes);
void drop_cells(GlobalCell *cells, size_t bytes);
Memory *block_at(const void *at);
const Registered *registered(const void *function);
void note_launch(const char *kernel, Index grid, Index block, double seconds, const uint8_t *approximate);
void note_fault(const struct hipport_fault &f);
[[noreturn]] void stop_program(int code);
}  // namespace hipport_wave
#endif
